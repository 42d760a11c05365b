/**
 * The management APIs as protected resources (RFC 9728): where a client that was refused finds the authorization server
 * and the scope to ask for. Their document is built from the same lists as discovery.
 */
import { dpopAlgorithms } from "./dpop";
import { resourceKey } from "./resource";
import { ownManagementScope } from "./scope";

/** The base paths of the management APIs with their names; remote procedures have other paths. */
export const managementBases = {
  "/admin/v1": "Instance API",
  "/management/v1": "Organization API",
  "/auth/v1": "Account API",
  "/v2": "API, version 2",
  "/v2beta": "API, version 2",
} as const;
export type ManagementBase = keyof typeof managementBases;

const bases = Object.keys(managementBases) as ManagementBase[];

/** The scopes of a token for these APIs. `openid` is one of them, as authorization requests must have it. */
export const managementScopes = ["openid", ownManagementScope] as const;

/** Returns the base path of the API at a path; undefined for any other address. */
export function managementBaseOf(path: string): ManagementBase | undefined {
  return bases.find((base) => path.startsWith(`${base}/`));
}

/** Returns the address of an API's metadata (§3.1): the well-known part comes before the path of the resource. */
export function resourceMetadataUrl(baseUrl: string, base: ManagementBase): string {
  const { origin, pathname } = new URL(baseUrl + base);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/** Whether a value of the parameter `resource` (RFC 8707) names one of the management APIs. */
export function isManagementApi(baseUrl: string, resource: string): boolean {
  const key = resourceKey(resource);
  return key !== undefined && bases.some((base) => resourceKey(baseUrl + base) === key);
}

/** Returns the metadata of an API (§2). @param certificates whether tokens can be bound to certificates (RFC 8705) */
export function protectedResourceMetadata(
  baseUrl: string,
  base: ManagementBase,
  { certificates }: { certificates: boolean },
): Record<string, unknown> {
  return {
    resource: baseUrl + base,
    authorization_servers: [baseUrl],
    scopes_supported: managementScopes,
    bearer_methods_supported: ["header"],
    resource_name: managementBases[base],
    resource_documentation: `${baseUrl}/docs/api`,
    dpop_signing_alg_values_supported: dpopAlgorithms,
    dpop_bound_access_tokens_required: false,
    ...(certificates ? { tls_client_certificate_bound_access_tokens: true } : {}),
  };
}
