/** The languages of pages and messages if nothing else determines one. */
import type { Context } from "../context";
import { findDefaultLanguage } from "../storage/instance/languages";
import { createCache } from "./cache";

const defaults = createCache<readonly string[]>("defaultLanguages", (organizationId) => [organizationId]);

/**
 * Returns language tags in the order of preference: the organization's, then the instance's; empty before there is an
 * instance.
 */
export async function defaultLanguages(ctx: Context, organizationId: string | null): Promise<readonly string[]> {
  const found = await defaults.get(ctx, organizationId ?? "", async () => {
    const languages = await findDefaultLanguage(ctx.db, organizationId);
    return languages.length > 0 ? languages : undefined;
  });
  return found ?? [];
}
