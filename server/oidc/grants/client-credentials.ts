/**
 * Grant type client_credentials (RFC 6749 §4.4) for clients that act for themselves: machines with their user name and
 * secret, and confidential apps registered for the grant. It never issues a refresh token (§4.4.3), and no id_token,
 * because no user authenticated.
 */
import type { Context } from "../../context";
import { audienceOf } from "../../protocol/audience";
import type { Client, ClientAuthenticationMethod, TokenClient } from "../../protocol/client";
import { type ClientCredentialsRequest, parseClientCredentialsGrant } from "../../protocol/grant-type";
import { isError, type OAuthError } from "../../protocol/oauth-error";
import type { Resource } from "../../protocol/resource";
import { scopeAudience } from "../../protocol/scope";
import { insertAccessToken } from "../../storage/grant/access-tokens";
import { makeAccessToken } from "../access-tokens";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { type KeyProof, proofUse, proofUsedBefore } from "../dpop";
import { authenticateMachine, ownScope, tokenClientOf } from "../machine-client";
import { findOwnResources } from "../resources";
import { type TokenResponse, tokenResponse } from "../token-response";
import { authenticatedGrant } from "./grant";

/** The authenticated client, with what issuing a token needs. */
interface Itself {
  client: TokenClient;
  /** Null for an app, which has no user. */
  userId: string | null;
  /** Whether it may use the grant. Machines always may; an app must be registered for it. */
  isRegistered: boolean;
  /** The app, with its kind; undefined for a machine. */
  app?: Client;
  kind?: Client["kind"];
}

/** RFC 6749 §4.4: confidential clients only. */
const METHODS: readonly ClientAuthenticationMethod[] = [
  "client_secret_basic",
  "client_secret_post",
  "tls_client_auth",
  "self_signed_tls_client_auth",
];

export const clientCredentialsGrant = authenticatedGrant<Itself, ClientCredentialsRequest>({
  grantType: "client_credentials",
  methods: METHODS,
  authenticate,
  mayUse: ({ isRegistered }) => isRegistered,
  appOf: ({ app }) => app,
  needsProof: ({ client }) => client.dpopBoundAccessTokens === true,
  needsCertificate: ({ client }) => client.tlsClientCertificateBoundAccessTokens === true,
  parse: parseClientCredentialsGrant,
  consumesProof: true,
  issue,
});

async function issue(
  ctx: Context,
  { client, userId }: Itself,
  request: ClientCredentialsRequest,
  binding: string | undefined,
  proof: KeyProof | undefined,
): Promise<TokenResponse | OAuthError> {
  const resources = await findOwnResources(ctx, request.resources, request.scope, client);
  if (isError(resources)) return resources;
  const scope = await ownScope(ctx, request.scope, client, resources);
  if (isError(scope)) return scope;
  const audience = machineOrAppAudience(client, scope, resources);
  const accessToken = await makeAccessToken(ctx, client, {
    userId,
    grantId: null,
    scope: scope.join(" "),
    audience,
    jkt: binding,
  });
  const isFirst = await insertAccessToken(ctx.db, accessToken.row, proof && proofUse(proof));
  return isFirst ? tokenResponse(accessToken, undefined, undefined) : proofUsedBefore();
}

async function authenticate(ctx: Context, http: OAuthHttpRequest): Promise<Itself | OAuthError> {
  const machine = await authenticateMachine(ctx, http);
  if (isError(machine)) return machine;
  if (machine) {
    return {
      client: tokenClientOf(machine),
      userId: machine.userId,
      isRegistered: true,
    };
  }
  const client = await authenticateClient(ctx, http, METHODS);
  if (isError(client)) return client;
  return {
    client,
    userId: null,
    isRegistered: client.grantTypes.includes("client_credentials"),
    app: client,
    kind: client.kind,
  };
}

/**
 * Returns the audience of a token. A machine belongs to no project: its token is for itself and for the projects in its
 * scope, or for resources alone.
 */
export function machineOrAppAudience(
  client: TokenClient,
  scope: readonly string[],
  resources: readonly Resource[],
): string[] {
  if (resources.length > 0) return resources.map(({ uri }) => uri);
  const { clientId, projectId } = client;
  if (projectId !== undefined) return audienceOf({ clientId, projectId, origin: "administrator" }, scope);
  return [...new Set([clientId, ...scopeAudience(scope)])];
}
