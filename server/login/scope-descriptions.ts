/** The descriptions of project scopes, as the projects wrote them, for the consent page and the list of apps. */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { findTargetProjects } from "../directory/app/target-projects";
import { defaultLanguages } from "../directory/default-languages";
import { resourcesOf } from "../oidc/resources";
import { describeScopes, type ScopeDescriptions } from "../protocol/project-scope";
import { describeResources, resourceOfPermission } from "../protocol/resource";

/**
 * Returns the descriptions in the language of the page, else in that of the app's organization, the instance's, or
 * English.
 * @param permissions scopes, and permissions at resources
 * @param locale the language of the page
 */
export async function findScopeDescriptions(
  ctx: Context,
  clientId: string,
  permissions: readonly string[],
  locale: string,
): Promise<ScopeDescriptions[]> {
  const client = await findClient(ctx, clientId);
  if (!client) return [];
  const scope = permissions.filter((one) => resourceOfPermission(one) === undefined);
  const [targets, resources] = await Promise.all([
    findTargetProjects(ctx, client, scope),
    resourcesOf(ctx, { resources: [...new Set(permissions.flatMap((one) => resourceOfPermission(one)?.uri ?? []))] }),
  ]);
  if (targets.length === 0 && resources.length === 0) return [];
  const languages = [locale, ...(await defaultLanguages(ctx, client.organizationId)), "en"];
  return [
    ...describeScopes(scope, client, targets, languages),
    ...describeResources(permissions, resources, languages),
  ];
}
