/**
 * Claims of the reserved scopes: the user's organization, metadata and project roles. They are included only when
 * requested or asserted by a setting, and role claims always name the organization that granted the role, so that a
 * multi-tenant app cannot mistake one tenant's administrator for another's.
 */
import type { FlatRoles } from "./roles-claim";
import {
  asksForMetadata,
  asksForResourceOwner,
  namespacesOf,
  type ScopeNamespace,
  scopeOrganizations,
  scopeRoles,
} from "./scope";

/** The names of the claims, which follow the namespace. */
const organizationIdClaim = "iam:org:id";
const primaryDomainClaim = "iam:org:domain:primary";
const rolesClaim = "iam:org:project:roles";
const metadataClaim = "iam:user:metadata";
const resourceOwnerClaim = "iam:user:resourceowner";

/** The recipient of claims. */
export interface ClaimsAudience {
  /** The organization of the requesting client; undefined if the client no longer exists. */
  organizationId: string | undefined;
  /** The project of the requesting client; machines as clients have none. */
  projectId: string | undefined;
  /** The audience of the access token: client and project ids. */
  audience: readonly string[];
  /** Role claims: `asked` if scopes request them, `always` also without such a scope, `never`. */
  roles: "asked" | "always" | "never";
  /** An additional flat list, independent of `roles`: configuring its name enables it. */
  flatRoles: FlatRoles | undefined;
}

/** What must be read about the user to make the claims. */
export interface ReservedWish {
  /** The claims are named in the namespaces that the scopes were asked in. */
  namespaces: readonly ScopeNamespace[];
  organizationId: boolean;
  primaryDomain: boolean;
  resourceOwner: boolean;
  metadata: boolean;
  roles: RoleWish | undefined;
  flatRoles: (FlatRoles & Omit<RoleWish, "projectIds">) | undefined;
}

interface RoleWish {
  projectIds: string[];
  keys: string[];
  allProjects: boolean;
  organizationIds: string[];
}

export function reservedWish(scopes: readonly string[], about: ClaimsAudience): ReservedWish {
  const { ids, domains } = scopeOrganizations(scopes);
  return {
    namespaces: namespacesOf(scopes),
    organizationId: ids.length > 0,
    primaryDomain: domains.length > 0,
    resourceOwner: ids.length > 0 || asksForResourceOwner(scopes),
    metadata: asksForMetadata(scopes),
    roles: roleWish(scopes, about),
    flatRoles: about.flatRoles && { ...about.flatRoles, ...scopeRoles(scopes) },
  };
}

/** Returns the projects whose roles must be read. */
export function roleProjects({ roles, flatRoles }: ReservedWish): string[] {
  return [...new Set([...(roles?.projectIds ?? []), ...(flatRoles ? [flatRoles.projectId] : [])])];
}

function roleWish(scopes: readonly string[], { projectId, audience, roles }: ClaimsAudience): ReservedWish["roles"] {
  if (roles === "never") return undefined;
  const { keys, allProjects, organizationIds } = scopeRoles(scopes);
  if (keys.length === 0 && !allProjects && roles === "asked") return undefined;
  const own = projectId === undefined ? [] : [projectId];
  const projectIds = allProjects ? [...new Set([...own, ...audience])] : own;
  return projectIds.length === 0 ? undefined : { projectIds, keys, allProjects, organizationIds };
}

export interface ReservedSource {
  organization?: { id: string; name: string; primaryDomain: string | null };
  /** Metadata values in base64url. */
  metadata?: readonly { key: string; value: string }[];
  roles?: readonly {
    projectId: string;
    organizationId: string;
    primaryDomain: string | null;
    roleKeys: readonly string[];
  }[];
}

/** `{ roleKey: { organizationId: its primary domain } }` */
type RoleClaim = Record<string, Record<string, string>>;

/** Returns the claims; those without a value are omitted. */
export function reservedClaims(
  wish: ReservedWish,
  source: ReservedSource,
  projectId: string | undefined,
): Record<string, unknown> {
  // First, so that it can never replace another claim.
  const claims: Record<string, unknown> = flatRoles(wish, source);
  const named = Object.entries(namedClaims(wish, source, projectId));
  for (const namespace of wish.namespaces) {
    for (const [name, value] of named) claims[`${namespace}${name}`] = value;
  }
  return claims;
}

/** The claims by their names without the namespace. */
function namedClaims(
  wish: ReservedWish,
  source: ReservedSource,
  projectId: string | undefined,
): Record<string, unknown> {
  const { organization, metadata = [] } = source;
  const claims: Record<string, unknown> = {};
  if (organization) {
    const { id, name, primaryDomain } = organization;
    if (wish.organizationId) claims[organizationIdClaim] = id;
    if (wish.primaryDomain && primaryDomain !== null) claims[primaryDomainClaim] = primaryDomain;
    if (wish.resourceOwner) {
      claims[`${resourceOwnerClaim}:id`] = id;
      claims[`${resourceOwnerClaim}:name`] = name;
      if (primaryDomain !== null) claims[`${resourceOwnerClaim}:primary_domain`] = primaryDomain;
    }
  }
  if (wish.metadata && metadata.length > 0) {
    claims[metadataClaim] = Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
  }
  for (const [project, roles] of roleClaims(wish.roles, source.roles ?? [])) {
    claims[`iam:org:project:${project}:roles`] = roles;
    if (project === projectId) claims[rolesClaim] = roles;
  }
  return claims;
}

/** Returns an empty list if there are no roles, so that a resource server that maps the claim always finds it. */
function flatRoles({ flatRoles: wish }: ReservedWish, { roles = [] }: ReservedSource): Record<string, string[]> {
  if (!wish) return {};
  const { projectId, claim } = wish;
  const own = roleClaims({ ...wish, projectIds: [projectId] }, roles).get(projectId) ?? {};
  return { [claim]: Object.keys(own) };
}

function roleClaims(wish: ReservedWish["roles"], roles: NonNullable<ReservedSource["roles"]>): Map<string, RoleClaim> {
  const found = new Map<string, RoleClaim>();
  if (!wish) return found;
  const { projectIds, keys, allProjects, organizationIds } = wish;
  for (const { projectId, organizationId, primaryDomain, roleKeys } of roles) {
    if (!projectIds.includes(projectId)) continue;
    if (organizationIds.length > 0 && !organizationIds.includes(organizationId)) continue;
    for (const key of roleKeys) {
      if (keys.length > 0 && !allProjects && !keys.includes(key)) continue;
      const claim = found.get(projectId) ?? (Object.create(null) as RoleClaim); // a role may be called __proto__
      found.set(projectId, claim);
      const givers = claim[key] ?? {};
      claim[key] = { ...givers, [organizationId]: primaryDomain ?? "" };
    }
  }
  return found;
}
