/**
 * Scopes (RFC 6749 §3.3, OIDC Core §5.4, §11), including the reserved ones about projects and organizations. See
 * project-scope.ts for the scopes of projects and for what is granted.
 */
import { longerThan } from "./lengths";
import { invalidScope, type OAuthError } from "./oauth-error";

/** The scopes in the discovery document; the reserved ones are supported as well. */
export const standardScopes = ["openid", "profile", "email", "phone", "address", "offline_access"] as const;

/** The audience scope of this service itself (management.ts). */
export const ownManagementScope = "urn:service:iam:org:project:id:service:aud";

const MAX_SCOPE_LENGTH = 4096;
const MAX_SCOPES = 100;

/**
 * The namespaces of the reserved scopes: ours, and that of ZITADEL, which is unknown unless the instance is compatible
 * with it (oidc/zitadel-names.ts). Both mean the same.
 */
const namespaces = ["urn:service:", "urn:zitadel:"] as const;
export type ScopeNamespace = (typeof namespaces)[number];
const reserved = (rest: string) => new RegExp(`^urn:(?:service|zitadel):iam:${rest}$`);

const audienceScope = reserved("org:project:id:([A-Za-z0-9._@-]{1,200}):aud");
const organizationScope = reserved("org:id:([A-Za-z0-9._@-]{1,200})");
const domainScope = reserved("org:domain:primary:([A-Za-z0-9.-]{1,253})");
const identityProviderScope = reserved("org:idp:id:([A-Za-z0-9._@-]{1,200})");

const roleScope = reserved("org:project:role:(.{1,200})");
const roleOrganizationScope = reserved("org:roles:id:([A-Za-z0-9._@-]{1,200})");
const allRolesScope = reserved("org:projects:roles");
const metadataScope = reserved("user:metadata");
const resourceOwnerScope = reserved("user:resourceowner");
/** What ZITADEL's clients call this service among the projects. */
const zitadelManagementScope = "urn:zitadel:iam:org:project:id:zitadel:aud";

const reservedScopes: readonly RegExp[] = [
  audienceScope,
  organizationScope,
  domainScope,
  roleScope,
  roleOrganizationScope,
  identityProviderScope,
  allRolesScope,
  metadataScope,
  resourceOwnerScope,
];

/** A scope-token of RFC 6749 §3.3: 1*( %x21 / %x23-5B / %x5D-7E ). */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Parses the scopes of a request, without duplicates, in the order sent; empty if the parameter was omitted. Choice:
 * several spaces between two scopes are read as one, because many client libraries join scopes carelessly.
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

/**
 * Returns the scopes that a client may request, of those that it registered, if it registered any (rule REGISTER-4). A
 * resource names its scopes by a challenge only after the registration (RFC 6750 §3.1).
 */
export function withinRegistered(
  scope: readonly string[],
  { registeredScopes }: { registeredScopes?: readonly string[] },
  namesResource: boolean,
): string[] {
  return scope.filter(
    (one) =>
      one === "offline_access" || registeredScopes?.includes(one) !== false || (namesResource && !isKnownScope(one)),
  );
}

/** Returns the id of the identity provider that a request leads to; undefined if it names none. */
export function identityProviderOf(scope: readonly string[]): string | undefined {
  for (const one of scope) {
    const [, id] = identityProviderScope.exec(one) ?? [];
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the scope without identity provider scopes, which apply only at the authorization endpoint. */
export function withoutProviders(scope: readonly string[]): string[] {
  return scope.filter((one) => !identityProviderScope.test(one));
}

/** Whether the scope is defined by this service. */
export function isKnownScope(scope: string): boolean {
  return (standardScopes as readonly string[]).includes(scope) || isReservedScope(scope);
}

/** Whether the scope is one of this service's own about organizations, projects, roles and metadata. */
export function isReservedScope(scope: string): boolean {
  return reservedScopes.some((known) => known.test(scope));
}

/**
 * Whether a scope requests information or a permission. One that restricts the sign-in to an organization does: its
 * claims reveal the organization of the user.
 */
export function isTellingScope(scope: string): boolean {
  return !identityProviderScope.test(scope);
}

/** Whether `whole` contains every scope of `part`. A refresh can narrow the scope, never widen it (RFC 6749 §6). */
export function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((scope) => whole.includes(scope));
}

/**
 * Returns the ids of the projects that audience scopes add to a token, without checking that they exist; `service` is
 * this service.
 */
export function scopeAudience(scopes: readonly string[]): string[] {
  const named = scopes.map((one) => (one === zitadelManagementScope ? ownManagementScope : one));
  return captures(named, audienceScope);
}

export const asksForMetadata = (scopes: readonly string[]): boolean => scopes.some((one) => metadataScope.test(one));

export const asksForResourceOwner = (scopes: readonly string[]): boolean =>
  scopes.some((one) => resourceOwnerScope.test(one));

/** The namespaces that the reserved scopes were asked in; ours if there are none. */
export function namespacesOf(scopes: readonly string[]): readonly ScopeNamespace[] {
  const asked = namespaces.filter((one) => scopes.some((scope) => scope.startsWith(one)));
  return asked.length > 0 ? asked : ["urn:service:"];
}

/**
 * Returns the organizations that `urn:service:iam:org:id:…` and `…:org:domain:primary:…` restrict a sign-in to, as ids
 * and lower-case domains; both empty if it is not restricted.
 */
export function scopeOrganizations(scopes: readonly string[]): { ids: string[]; domains: string[] } {
  return {
    ids: captures(scopes, organizationScope),
    domains: captures(scopes, domainScope).map((domain) => domain.toLowerCase()),
  };
}

/** Returns the scopes with this organization instead of those they name. */
export function withOrganization(scopes: readonly string[], organizationId: string): string[] {
  const others = scopes.filter((scope) => !organizationScope.test(scope) && !domainScope.test(scope));
  const [namespace] = namespacesOf(scopes);
  return [...others, `${namespace}iam:org:id:${organizationId}`];
}

/** The roles that the scopes request. */
export interface RoleRequest {
  /** Roles of the client's own project by key. */
  keys: string[];
  /** All roles of all projects in the audience. */
  allProjects: boolean;
  /** Only roles granted by these organizations; by any if empty. */
  organizationIds: string[];
}

export function scopeRoles(scopes: readonly string[]): RoleRequest {
  return {
    keys: captures(scopes, roleScope),
    allProjects: scopes.some((scope) => allRolesScope.test(scope)),
    organizationIds: captures(scopes, roleOrganizationScope),
  };
}

function captures(scopes: readonly string[], pattern: RegExp): string[] {
  const found = scopes.map((scope) => pattern.exec(scope)?.[1]).filter((capture) => capture !== undefined);
  return [...new Set(found)];
}
