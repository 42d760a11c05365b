/**
 * Client authentication (RFC 6749 §2.3, OIDC Core §9). Each app uses exactly the method it is registered for; the
 * methods an endpoint or grant accepts differ (Spec: Token endpoint). Assertions are bound to this issuer and work
 * once, against audience injection and replay (RFC 7523 §3, RFC 10070).
 */
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import type { Context } from "../context";
import { digest, matchesDigest } from "../crypto/digest";
import { findClient } from "../directory/app";
import type { Client, ClientAuthenticationMethod } from "../protocol/client";
import { assertionAlgorithms, parseClientCredentials } from "../protocol/client-credentials";
import { invalidClient, isError, type OAuthError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import { consumeAssertion } from "../storage/assertions";

/** An OAuth request as plain values; the edge has read headers and body. */
export interface OAuthHttpRequest {
  /** The Authorization header, if there is one. */
  authorization: string | undefined;
  form: Parameters;
}

/** How far ahead an assertion may expire, milliseconds: it is meant for one request. */
const ASSERTION_LIFETIME = 10 * 60_000;
const CLOCK_TOLERANCE = 60_000;

/**
 * The client behind a request, or the error that says why it is not believed.
 * @param accepted methods this endpoint or grant takes
 */
export async function authenticateClient(
  ctx: Context,
  http: OAuthHttpRequest,
  accepted: readonly ClientAuthenticationMethod[],
): Promise<Client | OAuthError> {
  const credentials = parseClientCredentials(http.authorization, http.form);
  if (isError(credentials)) return credentials;

  const clientId =
    credentials.method === "private_key_jwt"
      ? (assertionSubject(credentials.assertion) ?? credentials.clientId)
      : credentials.clientId;
  if (clientId === undefined) return invalidClient("the client assertion has no subject");
  if (credentials.clientId !== undefined && credentials.clientId !== clientId) {
    return invalidClient("client_id and the subject of the client assertion differ"); // RFC 7521 §4.2
  }
  const client = await findClient(ctx, clientId);
  if (!client) return invalidClient("unknown client, or it is not active");
  if (client.authenticationMethod !== credentials.method) {
    return invalidClient(`this client authenticates with ${client.authenticationMethod}, not ${credentials.method}`);
  }
  if (!accepted.includes(credentials.method)) {
    return invalidClient(`${credentials.method} is not accepted here`);
  }
  switch (credentials.method) {
    case "client_secret_basic":
    case "client_secret_post":
      if (client.secretDigest === null || !matchesDigest(credentials.clientSecret, client.secretDigest)) {
        return invalidClient("the client secret is wrong");
      }
      return client;
    case "private_key_jwt":
      return (await checkAssertion(ctx, client, credentials.assertion)) ?? client;
    case "none":
      return client;
  }
}

function assertionSubject(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

const keySets = new WeakMap<Client, ReturnType<typeof createLocalJWKSet>>();

function keySetOf(client: Client) {
  let keySet = keySets.get(client);
  if (!keySet) {
    keySet = createLocalJWKSet((client.jwks ?? { keys: [] }) as JSONWebKeySet);
    keySets.set(client, keySet);
  }
  return keySet;
}

/** RFC 7523 §3: signature, issuer, subject, audience, times; then its jti is used up. */
async function checkAssertion(ctx: Context, client: Client, assertion: string): Promise<OAuthError | undefined> {
  const now = ctx.clock();
  let payload: Awaited<ReturnType<typeof jwtVerify>>["payload"];
  try {
    ({ payload } = await jwtVerify(assertion, keySetOf(client), {
      algorithms: [...assertionAlgorithms],
      issuer: client.clientId,
      subject: client.clientId,
      requiredClaims: ["exp", "jti", "aud"],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE / 1000,
    }));
  } catch (cause) {
    return { ...invalidClient(`the client assertion is not valid: ${reason(cause)}`), cause };
  }
  if (!isForUs(ctx, client, payload.aud)) {
    return invalidClient("the audience of the client assertion must be the issuer of this service and nothing else");
  }
  const expiresAt = Number(payload.exp) * 1000;
  if (expiresAt > now + ASSERTION_LIFETIME + CLOCK_TOLERANCE) {
    return invalidClient("the client assertion expires more than 10 minutes ahead");
  }
  const id = digest(`${client.clientId}\n${payload.jti}`);
  if (!(await consumeAssertion(ctx.db, id, expiresAt + CLOCK_TOLERANCE))) {
    return invalidClient("the client assertion was used before"); // RFC 7523 §3, jti
  }
  return undefined;
}

/** RFC 10070: the issuer alone; a token endpoint address only for apps that opted in. */
function isForUs(ctx: Context, client: Client, audience: string | string[] | undefined): boolean {
  const values = Array.isArray(audience) ? audience : [audience];
  if (values.length !== 1) return false;
  if (values[0] === ctx.config.baseUrl) return true;
  return client.legacyAssertionAudience && values[0] === `${ctx.config.baseUrl}/oauth/v2/token`;
}

/** A short public reason; jose's codes name the rule, never the value. */
function reason(cause: unknown): string {
  const { code, claim } = cause as { code?: string; claim?: string };
  if (claim) return `claim ${claim}`;
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return "it has expired";
    case "ERR_JWKS_NO_MATCHING_KEY":
      return "no registered key matches";
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
      return "the signature does not verify";
    default:
      return "it cannot be verified with the registered keys";
  }
}
