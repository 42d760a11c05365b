/**
 * Mapping of what an identity provider says about a user: claims to names, and values of claims, such as groups, to
 * roles of projects. The rules are data of the provider; these functions only evaluate them.
 */

/** Users whose claim has the value get the roles. */
export type RoleRule = {
  /** A member's name, or the names on the way to a nested one, joined by dots: `realm_access.roles`. */
  claim: string;
  /** The value, or one of the values if the claim is a list. */
  value: string;
  projectId: string;
  /** The grant by which the organization has the project, if another organization owns it. */
  projectGrantId?: string;
  roleKeys: readonly string[];
};

/** The names that a claim other than the standard one may hold. */
export const MAPPED_NAMES = ["givenName", "familyName", "userName"] as const;

export type ProviderMapping = {
  /** The claims with the names. */
  profile?: Partial<Record<(typeof MAPPED_NAMES)[number], string>>;
  roles?: readonly RoleRule[];
};

/** The roles that the rules give in one project. */
export interface MappedGrant {
  projectId: string;
  projectGrantId?: string;
  roleKeys: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns the texts of a claim. A name that contains dots, such as a URL, comes before a path. */
export function textsOfClaim(claims: Claims, path: string): string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce<unknown>(memberOf, claims);
  return (Array.isArray(found) ? found : [found]).flatMap((one) =>
    ["string", "number", "boolean"].includes(typeof one) ? [String(one)] : [],
  );
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;

/** Returns the rules that apply to these claims, by their index. */
export const matchingRules = ({ roles = [] }: ProviderMapping, claims: Claims): number[] =>
  roles.flatMap(({ claim, value }, index) => (textsOfClaim(claims, claim).includes(value) ? [index] : []));

/** Returns the roles that the rules give, once for each project. */
export function mappedGrants(mapping: ProviderMapping, claims: Claims): MappedGrant[] {
  const grants = new Map<string, MappedGrant>();
  for (const index of matchingRules(mapping, claims)) {
    const { projectId, projectGrantId, roleKeys = [] } = mapping.roles?.[index] ?? { projectId: "" };
    const given = grants.get(projectId)?.roleKeys ?? [];
    grants.set(projectId, { projectId, projectGrantId, roleKeys: [...new Set([...given, ...roleKeys])] });
  }
  return [...grants.values()];
}
