/**
 * The resources of a request (RFC 8707 §2, rule AUDIENCE-6): registered ones only, whose project admits the user, and
 * later no others than those of the authorization request.
 */
import type { Context } from "../context";
import { findAudienceResources, findResources } from "../directory/app/resources";
import { findTargetProjects } from "../directory/app/target-projects";
import { type RequestTargets, requestedScope } from "../protocol/authorization-request";
import type { Client, TokenClient } from "../protocol/client";
import { asksToManage, serviceAudience } from "../protocol/management";
import { accessDenied, invalidTarget, isError, type OAuthError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import { isManagementApi } from "../protocol/protected-resource";
import { checkOneProject, isResourceUri, permissionsAt, type Resource, requestedKeys } from "../protocol/resource";
import { isKnownScope, ownManagementScope } from "../protocol/scope";
import { hasUserGrant } from "../storage/user-grant/user-grant";
import { isForeignTo } from "./app-access";

/**
 * Returns the resources that a request names; an error if one of them is not registered. The management APIs are not
 * among them: they have an audience of their own, which the scope must name (rule AUDIENCE-8).
 */
export async function findRequestedResources(
  ctx: Context,
  values: readonly string[],
  scope: readonly string[],
  client: Pick<TokenClient, "mayManage">,
): Promise<Resource[] | OAuthError> {
  if (values.length > 0 && areManagementApis(ctx, values)) {
    if (!asksToManage(scope)) return invalidTarget(`the resource needs the scope ${ownManagementScope}`);
    return client.mayManage ? [] : invalidTarget("this client may not use the resource (allowManagementApi)");
  }
  const keys = requestedKeys(values, scope);
  if (isError(keys)) return keys;
  const found = await findResources(ctx, keys);
  if (found.length < keys.length) return invalidTarget("resource is not registered with this service");
  return keys.flatMap((key) => found.find((resource) => resource.key === key) ?? []);
}

/** Returns what an authorization request is about, as far as it is registered. */
export async function findRequestTargets(
  ctx: Context,
  client: Client,
  parameters: Parameters,
): Promise<RequestTargets> {
  const scope = requestedScope(parameters);
  const [projects, resources] = await Promise.all([
    findTargetProjects(ctx, client, scope),
    findRequestedResources(ctx, parameters.all("resource"), scope, client),
  ]);
  return { projects, resources };
}

/**
 * Returns the resources for a client that acts for itself: those of its own organization, as there is no user to ask.
 */
export async function findOwnResources(
  ctx: Context,
  values: readonly string[],
  scope: readonly string[],
  client: TokenClient,
): Promise<Resource[] | OAuthError> {
  const resources = await findRequestedResources(ctx, values, scope, client);
  if (isError(resources)) return resources;
  if (resources.some(({ project }) => project.organizationId !== client.organizationId)) {
    return invalidTarget("the resource belongs to another organization than this client");
  }
  return checkOneProject(resources) ?? resources;
}

/**
 * Returns the audience of the next token of a grant: that of the grant, or the resources of it that the request names
 * (RFC 8707 §2.2: a token request narrows, and never widens).
 */
export async function audienceOfToken(
  ctx: Context,
  client: TokenClient,
  grant: { audience: string },
  requested: readonly string[],
): Promise<string[] | OAuthError> {
  const audience = grant.audience.split(" ");
  if (requested.length > 0 && audience.includes(serviceAudience) && areManagementApis(ctx, requested)) {
    return [serviceAudience];
  }
  const granted = await findAudienceResources(ctx, audience, client);
  const isBound = audience.some((one) => isResourceUri(one) && one !== client.clientId);
  if (!isBound && requested.length === 0) return audience;
  const keys = requestedKeys(requested);
  if (isError(keys)) return keys;
  if (!keys.every((key) => granted.some((resource) => resource.key === key))) {
    return invalidTarget("resource is not one of those that were granted; name it in the authorization request");
  }
  const wanted = keys.length === 0 ? granted : granted.filter(({ key }) => keys.includes(key));
  if (wanted.length === 0) return invalidTarget("the resource of this grant does not exist anymore");
  return checkOneProject(wanted) ?? wanted.map(({ uri }) => uri);
}

const areManagementApis = ({ config: { baseUrl } }: Context, values: readonly string[]): boolean =>
  values.every((value) => isManagementApi(baseUrl, value));

/** Returns undefined if the projects of the resources admit this user (rule AUDIENCE-7), else access_denied. */
export async function checkResourceAccess(
  ctx: Context,
  resources: readonly Resource[],
  user: { userId: string; organizationId: string },
): Promise<OAuthError | undefined> {
  for (const { uri, project } of resources) {
    const owner = { project, projectId: project.id, organizationId: project.organizationId };
    if (await isForeignTo(ctx, owner, user)) {
      return accessDenied(`the resource ${uri} is not open to the organization of the user`);
    }
    if (project.roleCheck && !(await hasUserGrant(ctx.db, user.userId, project.id))) {
      return accessDenied(`the user has no role in the project of the resource ${uri}`);
    }
  }
  return undefined;
}

/**
 * Returns the resources of a request that was accepted before; those that were removed since are left out.
 * @param uris as `AuthorizationRequest.resources`
 */
export function resourcesOf(
  ctx: Context,
  { resources: uris = [] }: { resources?: readonly string[] },
): Promise<Resource[]> {
  const keys = requestedKeys(uris);
  return isError(keys) ? Promise.resolve([]) : findResources(ctx, keys);
}

/** Returns what the user is asked for: scopes of this service, and permissions at the resources. */
export function askedPermissions(scope: readonly string[], resources: readonly Resource[]): string[] {
  if (resources.length === 0) return [...scope];
  return [...scope.filter(isKnownScope), ...permissionsAt(scope, resources)];
}

/**
 * Returns the audience together with the projects of its resources, for the comparison with an API that reads the
 * token. A resource that another project had when the token was issued does not count.
 */
export async function audienceWithProjects(
  ctx: Context,
  { audience, clientId, createdAt }: { audience: string; clientId: string; createdAt: number },
): Promise<string[]> {
  const named = audience.split(" ");
  const resources = await findAudienceResources(ctx, named, { clientId });
  const projects = resources.filter((resource) => resource.createdAt <= createdAt).map(({ project }) => project.id);
  return [...new Set([...named, ...projects])];
}

/** Whether a token is for resources, so that this service's own endpoints refuse it. */
export async function isForResource(
  ctx: Context,
  { audience, clientId }: { audience: string; clientId: string },
): Promise<boolean> {
  return (await findAudienceResources(ctx, audience.split(" "), { clientId })).length > 0;
}
