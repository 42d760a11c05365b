/**
 * Machines as clients: a service user whose client id is its user name (rule ID-4). It authenticates with its secret,
 * in the header or in the body; with a key it uses the JWT profile grant instead.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { findTargetProjects } from "../directory/app/target-projects";
import { findMachineClient, type MachineClient } from "../directory/user/machine";
import type { TokenClient } from "../protocol/client";
import { parseClientCredentials } from "../protocol/client-credentials";
import { invalidScope, isError, type OAuthError } from "../protocol/oauth-error";
import { meaningfulScope, undefinedScopes } from "../protocol/project-scope";
import { type Resource, scopeAtResources } from "../protocol/resource";
import { requiredOrganization } from "./app-access";
import type { OAuthHttpRequest } from "./client-authentication";

/** Returns the machine of a request, or undefined if no machine has the credentials, as they may be an app's. */
export async function authenticateMachine(
  ctx: Context,
  http: OAuthHttpRequest,
): Promise<MachineClient | undefined | OAuthError> {
  const credentials = parseClientCredentials(http.authorization, http.form);
  if (isError(credentials)) return credentials;
  if (credentials.method === "private_key_jwt" || credentials.method === "none") return undefined;
  // Looked up by its digest, like an access token: a secret is long and random, so a slow comparison is not needed.
  const sent = "sentSecret" in credentials ? credentials.sentSecret : undefined;
  const secretDigests = [...new Set([credentials.clientSecret, sent ?? credentials.clientSecret])].map(digest);
  return findMachineClient(ctx, credentials.clientId, secretDigests);
}

/**
 * Returns a machine as the recipient of tokens. As with an app, its id_tokens contain no user claims when issued with
 * an access token.
 */
export function tokenClientOf(machine: MachineClient): TokenClient {
  return {
    clientId: machine.clientId,
    projectId: undefined,
    mayManage: true, // in its own name, with its own roles
    organizationId: machine.organizationId,
    accessTokenFormat: machine.accessTokenFormat,
    accessTokenJwtType: "at+jwt",
    idTokenUserinfoAssertion: false,
    idTokenRoleAssertion: false,
    accessTokenRoleAssertion: false,
    idTokenSigningAlgorithm: "RS256",
    lifetimes: {},
  };
}

/**
 * Returns the scopes granted to a client that acts for itself: never offline_access, as it can request a new token at
 * any time. A scope restricted to one organization's users applies to its machines too. Rule TOKEN-5: if no user is
 * involved, an unknown scope is rejected instead of dropped. An audience that is not a project is omitted (RFC 6749
 * §3.3).
 */
export async function ownScope(
  ctx: Context,
  requested: readonly string[],
  client: TokenClient,
  resources: readonly Resource[],
): Promise<string[] | OAuthError> {
  const [required, targets] = await Promise.all([
    requiredOrganization(ctx, requested),
    findTargetProjects(ctx, client, requested),
  ]);
  if (isError(required)) return required;
  if (required !== undefined && required !== client.organizationId) {
    return invalidScope("scope names an organization that this client does not belong to");
  }
  if (resources.length > 0) {
    const meaningful = scopeAtResources(requested, resources);
    if (meaningful.length < requested.length)
      return invalidScope("scope names a scope that the resource does not define");
    return meaningful.filter((scope) => scope !== "offline_access");
  }
  if (undefinedScopes(requested, client, targets).length > 0) {
    return invalidScope(
      "scope names a scope that neither this service nor a project of the client's organization that the token is for defines",
    );
  }
  return meaningfulScope(requested, client, targets).filter((scope) => scope !== "offline_access");
}
