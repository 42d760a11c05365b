/** The descriptions of project scopes, in the projects' own words, for the consent page and the list of apps. */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { findTargetProjects } from "../directory/app/target-projects";
import { defaultLanguages } from "../directory/default-languages";
import { type ScopeWords, scopeWords } from "../protocol/project-scope";

/**
 * Returns the words in the language of the page, else in that of the app's organization, the instance's, or English.
 * @param locale the language of the page
 */
export async function findScopeWords(
  ctx: Context,
  clientId: string,
  scope: readonly string[],
  locale: string,
): Promise<ScopeWords[]> {
  const client = await findClient(ctx, clientId);
  const targets = client ? await findTargetProjects(ctx, client, scope) : [];
  if (!client || targets.length === 0) return [];
  const usual = await defaultLanguages(ctx, client.organizationId);
  return scopeWords(scope, client, targets, [locale, ...usual, "en"]);
}
