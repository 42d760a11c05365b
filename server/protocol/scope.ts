/**
 * Scopes (RFC 6749 §3.3, OIDC Core §5.4 and §11) and the reserved ones, about projects and organizations. Those of
 * projects, and what is granted of all, is project-scope.ts.
 */
import { longerThan } from "./lengths";
import { invalidScope, type OAuthError } from "./oauth-error";

/** Scopes that discovery lists; the reserved ones are understood as well. */
export const standardScopes = ["openid", "profile", "email", "phone", "address", "offline_access"] as const;

const MAX_SCOPE_LENGTH = 4096;
const MAX_SCOPES = 100;

const audienceScope = /^urn:service:iam:org:project:id:([A-Za-z0-9._@-]{1,200}):aud$/;
const organizationScope = /^urn:service:iam:org:id:([A-Za-z0-9._@-]{1,200})$/;
const domainScope = /^urn:service:iam:org:domain:primary:([A-Za-z0-9.-]{1,253})$/;
const identityProviderScope = /^urn:service:iam:org:idp:id:[A-Za-z0-9._@-]{1,200}$/;

const roleScope = /^urn:service:iam:org:project:role:(.{1,200})$/;
const roleOrganizationScope = /^urn:service:iam:org:roles:id:([A-Za-z0-9._@-]{1,200})$/;
const allRolesScope = "urn:service:iam:org:projects:roles";
/** Scopes whose claims have the same names. */
export const metadataScope = "urn:service:iam:user:metadata";
export const resourceOwnerScope = "urn:service:iam:user:resourceowner";

const reservedScopes: readonly RegExp[] = [
  audienceScope,
  organizationScope,
  domainScope,
  roleScope,
  roleOrganizationScope,
  identityProviderScope,
];
const exactScopes: readonly string[] = [allRolesScope, metadataScope, resourceOwnerScope];

/** RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ). */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * The scopes of a request, each once, in the order sent; none if the parameter was omitted. Choice: more than one space
 * between two scopes is read as one, because many client libraries join scopes carelessly.
 */
export function parseScope(raw: string | undefined): string[] | OAuthError {
  if (raw === undefined) return [];
  if (Buffer.byteLength(raw) > MAX_SCOPE_LENGTH) return invalidScope(longerThan("scope", MAX_SCOPE_LENGTH));
  const scopes = [...new Set(raw.split(" ").filter((scope) => scope !== ""))];
  if (scopes.length > MAX_SCOPES) return invalidScope(`there are more than ${MAX_SCOPES} scopes`);
  if (!scopes.every((scope) => scopeToken.test(scope)))
    return invalidScope("scope has characters that are not allowed");
  return scopes;
}

/** Without wishes about an identity provider, which mean something only at the authorization endpoint. */
export function withoutProviders(scope: readonly string[]): string[] {
  return scope.filter((one) => !identityProviderScope.test(one));
}

/** Whether the service itself gives the scope a meaning. */
export function isKnownScope(scope: string): boolean {
  return (standardScopes as readonly string[]).includes(scope) || isReservedScope(scope);
}

/** Scopes of this service's own, about organizations, projects, roles and metadata. */
export function isReservedScope(scope: string): boolean {
  return exactScopes.includes(scope) || reservedScopes.some((known) => known.test(scope));
}

/**
 * Whether a scope asks to learn or to be allowed something. One that restricts who may sign in to an organization does:
 * its claims tell which organization the person belongs to.
 */
export function isTellingScope(scope: string): boolean {
  return !identityProviderScope.test(scope);
}

/** Whether every one of `part` is in `whole`; RFC 6749 §6: a refresh can narrow, never widen. */
export function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((scope) => whole.includes(scope));
}

/** Ids of the projects that audience scopes add to a token; `service` is the service's own. Whether they exist is not asked here. */
export function scopeAudience(scopes: readonly string[]): string[] {
  return captures(scopes, audienceScope);
}

/**
 * The organizations a sign-in is restricted to by `urn:service:iam:org:id:…` and `…:org:domain:primary:…`, as ids and
 * lower-case domains; both empty when it is not restricted.
 */
export function scopeOrganizations(scopes: readonly string[]): { ids: string[]; domains: string[] } {
  return {
    ids: captures(scopes, organizationScope),
    domains: captures(scopes, domainScope).map((domain) => domain.toLowerCase()),
  };
}

/** The scopes with this organization in place of those they name. */
export function withOrganization(scopes: readonly string[], organizationId: string): string[] {
  const others = scopes.filter((scope) => !organizationScope.test(scope) && !domainScope.test(scope));
  return [...others, `urn:service:iam:org:id:${organizationId}`];
}

/** The roles that the scopes request. */
export interface RoleRequest {
  /** Roles of the client's own project by key. */
  keys: string[];
  /** All roles of all projects in the audience. */
  allProjects: boolean;
  /** Only roles granted by these organizations; by any when empty. */
  organizationIds: string[];
}

export function scopeRoles(scopes: readonly string[]): RoleRequest {
  return {
    keys: captures(scopes, roleScope),
    allProjects: scopes.includes(allRolesScope),
    organizationIds: captures(scopes, roleOrganizationScope),
  };
}

function captures(scopes: readonly string[], pattern: RegExp): string[] {
  const found = scopes.map((scope) => pattern.exec(scope)?.[1]).filter((capture) => capture !== undefined);
  return [...new Set(found)];
}
