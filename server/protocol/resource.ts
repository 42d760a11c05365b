/**
 * Resources (RFC 8707): URIs that a project names and that access tokens are for. A token for a resource names it alone
 * as its audience, so it is useless anywhere else: at other resources, at userinfo and at the management APIs
 * (rule AUDIENCE-5).
 */

import { invalidTarget, type OAuthError } from "./oauth-error";
import { type Asking, meaningfulScope, type ScopeDescriptions, type TargetProject, textIn } from "./project-scope";
import { isLoopbackUri } from "./public-address";
import { type Reason, reason } from "./reason";
import { isKnownScope, scopeAudience } from "./scope";
import { parseUrl } from "./url";

/** A registered resource, with what tokens for it need to know about its project. */
export interface Resource {
  /** The URI in the project's own form, which is the audience of its tokens. */
  uri: string;
  /** The form in which URIs are compared. */
  key: string;
  /** Epoch milliseconds. Earlier tokens were for a resource of this name that another project had. */
  createdAt: number;
  project: TargetProject & { roleCheck: boolean; organizationCheck: boolean };
}

/** The maximum number of resources in a request, and the maximum length of a URI in characters. */
const MAX_RESOURCES = 20;
export const MAX_RESOURCE_LENGTH = 500;
/** The maximum number of resources of a project. */
export const MAX_PROJECT_RESOURCES = 50;

/** Whether a member of an audience has the form of a resource. A client id may have it too. */
export const isResourceUri = (one: string): boolean => /^https?:\/\//i.test(one);

/**
 * Returns the form in which resources are compared (RFC 3986 §6.2.2 and §6.2.3): `https://API.example.com` and
 * `https://api.example.com/` are the same. Undefined for what cannot be a resource (RFC 8707 §2).
 */
export function resourceKey(uri: string): string | undefined {
  const url =
    uri.length > MAX_RESOURCE_LENGTH || !isResourceUri(uri) || /[#\s\\]/.test(uri) ? undefined : parseUrl(uri);
  return url && url.username === "" && url.password === "" ? url.href : undefined;
}

/**
 * Returns why an organization may not name this URI a resource; undefined if it may.
 * @param setting.domains the domains that it has proven
 * @param setting.onLoopback whether the service itself is reached only on this machine
 * @param setting.ownOrigin the origin of the service: its APIs have an audience of their own
 */
export function whyNoResource(
  uri: string,
  { domains, onLoopback, ownOrigin }: { domains: readonly string[]; onLoopback: boolean; ownOrigin: string },
): Reason | undefined {
  if (uri.includes("#")) return reason("fragment");
  if (resourceKey(uri) === undefined) return reason("resource_uri", { n: MAX_RESOURCE_LENGTH });
  if (parseUrl(uri)?.origin === ownOrigin) return reason("resource_own");
  if (onLoopback && isLoopbackUri(uri)) return undefined;
  if (!/^https:/i.test(uri)) return reason("https");
  const hostname = parseUrl(uri)?.hostname ?? "";
  const isProven = domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  return isProven ? undefined : reason("resource_domain");
}

/**
 * Returns the keys of the requested resources, without duplicates.
 * @param scope the scope of the request: it cannot name further audiences, whose APIs could use the token elsewhere
 */
export function requestedKeys(values: readonly string[], scope: readonly string[] = []): string[] | OAuthError {
  if (values.length > MAX_RESOURCES) return invalidTarget(`there are more than ${MAX_RESOURCES} resources`);
  const keys = values.map(resourceKey);
  if (keys.includes(undefined)) {
    return invalidTarget("resource must be an absolute URI without fragment that a project has registered");
  }
  if (keys.length > 0 && scopeAudience(scope).length > 0) {
    return invalidTarget("resource cannot be combined with scopes that name an audience");
  }
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** Returns one project of these resources; an error if they belong to several (one token must not open both). */
export function checkOneProject(resources: readonly Resource[]): OAuthError | undefined {
  const several = new Set(resources.map(({ project }) => project.id)).size > 1;
  return several ? invalidTarget("the resources belong to several projects; name those of one") : undefined;
}

/**
 * Returns the scopes of a token for these resources: those of this service, and those that a project of them defines.
 * Unlike other tokens (project-scope.ts), it has them for clients of every organization, as it is useless elsewhere.
 */
export function scopeAtResources(scope: readonly string[], resources: readonly Resource[]): string[] {
  return scope.filter((one) => isKnownScope(one) || resources.some((resource) => definesScope(resource, one)));
}

/** Returns the scopes that mean something to tokens for these resources, or else for these projects. */
export function meaningfulTo(
  scope: readonly string[],
  client: Asking,
  { projects, resources }: { projects: readonly TargetProject[]; resources: readonly Resource[] },
): string[] {
  return resources.length > 0 ? scopeAtResources(scope, resources) : meaningfulScope(scope, client, projects);
}

const definesScope = ({ project }: Resource, scope: string): boolean =>
  project.isActive && project.scopes.some(({ name }) => name === scope);

/**
 * Returns the permissions at resources that a user grants, as `<resource>#<scope>`: unambiguous, because resources have
 * no fragment. `<resource>#` is the use of the resource without a scope of its own.
 */
export function permissionsAt(scope: readonly string[], resources: readonly Resource[]): string[] {
  return resources.flatMap((resource) => [
    `${resource.uri}#`,
    ...scope.filter((one) => definesScope(resource, one)).map((one) => `${resource.uri}#${one}`),
  ]);
}

/** Returns the parts of a permission at a resource; undefined for a scope. */
export function resourceOfPermission(permission: string): { uri: string; scope: string } | undefined {
  const at = permission.indexOf("#");
  if (at < 0 || !isResourceUri(permission)) return undefined;
  return { uri: permission.slice(0, at), scope: permission.slice(at + 1) };
}

/** Returns the texts of permissions at resources for the consent page. */
export function describeResources(
  permissions: readonly string[],
  resources: readonly Resource[],
  languages: readonly string[],
): ScopeDescriptions[] {
  return resources.map(({ uri, project }) => ({
    projectName: project.name,
    resource: uri,
    scopes: project.scopes
      .filter(({ name }) => permissions.includes(`${uri}#${name}`))
      .map(({ name, descriptions }) => ({ name, text: textIn(descriptions, languages) })),
  }));
}
