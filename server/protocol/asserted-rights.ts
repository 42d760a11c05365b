/**
 * What an identity assertion (ID-JAG, draft-ietf-oauth-identity-assertion-authz-grant) may name: no more than an
 * administrator allowed the client at the other authorization server.
 */
import type { ConnectedServer } from "./client";
import { invalidScope, invalidTarget, type OAuthError } from "./oauth-error";
import { isSubset } from "./scope";

export interface AssertedRights {
  scope: readonly string[];
  resources: readonly string[];
}

/**
 * Returns the scopes and resources of an assertion. Those that the request leaves out are all that the connection has:
 * an assertion without `resource` could be used for any.
 */
export function assertedRights(
  requested: { scope: readonly string[] | undefined; resources: readonly string[] },
  { scopes, resources }: ConnectedServer,
): AssertedRights | OAuthError {
  const { scope = scopes } = requested;
  if (!isSubset(scope, scopes)) return invalidScope("scope exceeds what this client may have at the audience");
  if (!isSubset(requested.resources, resources)) {
    return invalidTarget("resource is not one that this client may have at the audience");
  }
  return { scope, resources: requested.resources.length > 0 ? [...new Set(requested.resources)] : resources };
}
