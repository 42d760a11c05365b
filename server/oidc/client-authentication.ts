/**
 * Client authentication (RFC 6749 §2.3, OIDC Core §9). An app authenticates with what it is registered for: a secret, a
 * key, a certificate (rule CLIENT-11), or nothing. The client chooses between the two transports of a secret, as
 * libraries differ (rule CLIENT-2). The accepted methods depend on the endpoint or grant (rule CLIENT-1). Assertions
 * are bound to this issuer and can be used once, against audience injection and replay (RFC 7523 §3, RFC 10070).
 */
import { decodeJwt } from "jose";
import type { Context } from "../context";
import { matchesDigest } from "../crypto/digest";
import { findClient } from "../directory/app/app";
import { whyNoClient } from "../directory/app/document-client";
import { noteSecretUse } from "../directory/app/secret";
import type { Client, ClientAuthenticationMethod } from "../protocol/client";
import type { ClientCertificate } from "../protocol/client-certificate";
import { parseClientCredentials } from "../protocol/client-credentials";
import { fapiAlgorithms } from "../protocol/fapi";
import { invalidClient, isError, type OAuthError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import { consumeAssertion } from "../storage/grant/assertions";
import { isBad, REUSE_HINT, usedAssertion, verifyAssertion } from "./assertions";
import { certificateProblem, isCertificateMethod } from "./client-certificates";
import { keysOf } from "./published-keys";

/** An OAuth request as plain values, after its headers and body were read. */
export interface OAuthHttpRequest {
  /** The header `DPoP`, if present. */
  dpop?: string;
  /** The client's certificate, if the connection or a trusted proxy has one. */
  certificate?: ClientCertificate;
  /** The Authorization header, if present. */
  authorization: string | undefined;
  form: Parameters;
  /** The path of the endpoint that was called, as in the discovery document. */
  path: EndpointPath;
}

/** Where a client may authenticate. */
export type EndpointPath =
  | "/oauth/v2/token"
  | "/oauth/v2/introspect"
  | "/oauth/v2/revoke"
  | "/oauth/v2/device_authorization"
  | "/oauth/v2/par";

/**
 * The error for all failures. A caller that has proven nothing must not learn which client ids exist or how they
 * authenticate (RFC 6749 §5.2). The log has the cause.
 */
const notAuthenticated = () => invalidClient("the client is unknown or not active, or its secret is wrong");

/**
 * Returns the authenticated client of a request, or why authentication failed.
 * @param accepted methods this endpoint or grant accepts
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
  // RFC 8705 §2: beside a certificate, the request only names the client.
  const mayBeCertificate = credentials.method === "none" && http.certificate && accepted.some(isCertificateMethod);
  if (!accepted.includes(credentials.method) && !mayBeCertificate) {
    const wayOut = credentials.method === "client_secret_post" ? "; send client id and secret as Basic" : "";
    return invalidClient(`${credentials.method} is not accepted here${wayOut}`);
  }
  const refused =
    credentials.method === "none" && credentials.emptySecret
      ? invalidClient("the client secret is empty, or the client is unknown or not active")
      : notAuthenticated();
  const client = await findClient(ctx, clientId);
  if (!client) {
    // What is wrong with a document is no secret: its address is public, and it is not known here.
    const why = await whyNoClient(ctx, clientId);
    return why === undefined ? refused : invalidClient(why);
  }
  const isCertificate = mayBeCertificate && isCertificateMethod(client.authenticationMethod);
  const method = isCertificate ? client.authenticationMethod : credentials.method;
  if (proofOf(client.authenticationMethod) !== proofOf(method) || !accepted.includes(method)) {
    const cause = `this client authenticates with ${client.authenticationMethod}, not ${credentials.method}`;
    return { ...refused, cause };
  }
  if (isCertificate && http.certificate) {
    const problem = await certificateProblem(ctx, client, http.certificate);
    return problem === undefined ? client : { ...notAuthenticated(), cause: problem };
  }
  switch (credentials.method) {
    case "client_secret_basic":
    case "client_secret_post": {
      const secret = client.secrets.find(({ digest }) => isSecret(credentials, digest));
      if (!secret) return notAuthenticated();
      if (secret.expiresAt !== null && secret.expiresAt <= ctx.clock()) {
        return { ...notAuthenticated(), cause: "the client secret has expired" };
      }
      noteSecretUse(ctx, secret);
      return client;
    }
    case "private_key_jwt":
      return (await checkAssertion(ctx, client, credentials.assertion, http.path)) ?? client;
    case "none":
      return client;
  }
}

/** Returns the app that a request names, whether or not it authenticates; undefined if there is no such app. */
export async function namedClient(
  ctx: Context,
  { authorization, form }: Partial<Pick<OAuthHttpRequest, "authorization" | "form">>,
): Promise<Client | undefined> {
  const credentials = form && parseClientCredentials(authorization, form);
  const isUsable = credentials !== undefined && !isError(credentials);
  const ofAssertion =
    isUsable && credentials.method === "private_key_jwt" ? assertionSubject(credentials.assertion) : undefined;
  const clientId = ofAssertion ?? (isUsable ? credentials.clientId : form?.get("client_id"));
  return clientId === undefined ? undefined : findClient(ctx, clientId);
}

/** Returns what a method proves. Secret, key, certificate and none are distinct, however they are sent. */
function proofOf(method: ClientAuthenticationMethod): "secret" | "key" | "certificate" | "none" {
  switch (method) {
    case "client_secret_basic":
    case "client_secret_post":
      return "secret";
    case "private_key_jwt":
      return "key";
    case "tls_client_auth":
    case "self_signed_tls_client_auth":
      return "certificate";
    case "none":
      return "none";
  }
}

/** Whether the presented secret, form-decoded or as sent, has this digest. */
function isSecret(
  { clientSecret, sentSecret }: { clientSecret: string; sentSecret?: string },
  digest: string,
): boolean {
  return matchesDigest(clientSecret, digest) || (sentSecret !== undefined && matchesDigest(sentSecret, digest));
}

/** Returns the subject of an assertion, which is not verified. */
function assertionSubject(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt<{ sub?: unknown }>(assertion); // nothing is verified yet, not even the type
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies signature, issuer, subject, audience and times (RFC 7523 §3), then consumes the jti. If the app allows
 * reuse, the assertion can be used until it expires (rule CLIENT-5).
 */
async function checkAssertion(
  ctx: Context,
  client: Client,
  assertion: string,
  path: EndpointPath,
): Promise<OAuthError | undefined> {
  const verified = await verifyAssertion(ctx, assertion, {
    issuer: client.clientId,
    subject: client.clientId,
    keys: keysOf(ctx, client),
    endpoint: `${ctx.config.baseUrl}${path}`,
    legacyAssertionAudience: client.legacyAssertionAudience,
    needsId: !client.allowAssertionReuse,
    ...(client.assertionAlgorithm === undefined ? {} : { algorithms: [client.assertionAlgorithm] }),
    ...(client.profile === undefined ? {} : { algorithms: fapiAlgorithms, needsPlainAudience: true }),
  });
  if (isBad(verified)) {
    return { ...invalidClient(`the client assertion is not valid: ${verified.problem}`), cause: verified.cause };
  }
  if (client.allowAssertionReuse) return undefined;
  const id = usedAssertion("client", client.clientId, verified.jti ?? "");
  if (!(await consumeAssertion(ctx.db, id, verified.refusedFrom))) {
    return invalidClient(`the client assertion was used before; ${REUSE_HINT}`); // RFC 7523 §3, jti
  }
  return undefined;
}
