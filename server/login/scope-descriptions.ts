/** The descriptions of project scopes, as the projects wrote them, for the consent page and the list of apps. */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { findTargetProjects } from "../directory/app/target-projects";
import { defaultLanguages } from "../directory/default-languages";
import { describeScopes, type ScopeDescriptions } from "../protocol/project-scope";

/**
 * Returns the descriptions in the language of the page, else in that of the app's organization, the instance's, or
 * English.
 * @param locale the language of the page
 */
export async function findScopeDescriptions(
  ctx: Context,
  clientId: string,
  scope: readonly string[],
  locale: string,
): Promise<ScopeDescriptions[]> {
  const client = await findClient(ctx, clientId);
  const targets = client ? await findTargetProjects(ctx, client, scope) : [];
  if (!client || targets.length === 0) return [];
  const usual = await defaultLanguages(ctx, client.organizationId);
  return describeScopes(scope, client, targets, [locale, ...usual, "en"]);
}
