/** The languages of pages and messages where nothing else determines one. */
import type { Context } from "../context";
import { findDefaultLanguage } from "../storage/languages";

/** Tags in the order in which they are tried: the organization's, then the instance's; empty before there is one. */
export function defaultLanguages(ctx: Context, organizationId: string | null): Promise<string[]> {
  return findDefaultLanguage(ctx.db, organizationId);
}
