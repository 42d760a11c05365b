/**
 * The credentials that a client sends (RFC 6749 §2.3.1, RFC 7523 §2.2, OIDC Core §9), parsed but not yet verified. One
 * mechanism per request (RFC 6749 §2.3): with two, different checks could see different clients. Error descriptions
 * never contain secrets or assertions.
 */
import { type ClientAuthenticationMethod, clientAuthenticationMethods } from "./client";
import { isTooLong, longerThan, MAX_LENGTHS } from "./lengths";
import { invalidClient, invalidRequest, isError, type OAuthError } from "./oauth-error";
import { checkRepeated, decodeFormComponent, type Parameters } from "./parameters";

export type ClientCredentials =
  | { method: "client_secret_basic"; clientId: string; clientSecret: string; sentSecret?: string }
  | { method: "client_secret_post"; clientId: string; clientSecret: string }
  /** If the form has no client_id, the assertion's subject is the client (RFC 7521 §4.2). */
  | { method: "private_key_jwt"; assertion: string; clientId?: string }
  | {
      method: "none";
      clientId: string;
      /** Whether it was Basic with an empty secret, as some public clients send it. */
      emptySecret?: true;
    };

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/**
 * JWS algorithms of client assertions: asymmetric only, because the registered keys are public (RFC 7518 §3.1, RFC 8725
 * §3.1).
 */
export const assertionAlgorithms: readonly string[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];

/** The methods accepted at introspection (rule CLIENT-3). */
export const introspectionMethods: readonly ClientAuthenticationMethod[] = [
  "client_secret_basic",
  "private_key_jwt",
  "tls_client_auth",
  "self_signed_tls_client_auth",
];
/** The methods accepted at revocation (rule CLIENT-1). */
export const revocationMethods: readonly ClientAuthenticationMethod[] = clientAuthenticationMethods;

/** The maximum length of a secret, in bytes. */
const MAX_SECRET_LENGTH = 1024;
const MAX_HEADER_LENGTH = 8 * 1024;

/** @param authorization the Authorization header, if present */
export function parseClientCredentials(
  authorization: string | undefined,
  form: Parameters,
): ClientCredentials | OAuthError {
  const repeated = checkRepeated(form);
  if (repeated) return repeated;
  const secretInBody = form.has("client_secret");
  const assertionInBody = form.has("client_assertion") || form.has("client_assertion_type");
  const mechanisms = [authorization !== undefined, secretInBody, assertionInBody].filter(Boolean);
  if (mechanisms.length > 1) return invalidRequest("more than one client authentication mechanism"); // RFC 6749 §2.3
  // Repeated headers arrive joined by commas (RFC 9110 §5.3), which base64 never contains.
  if (authorization?.includes(",")) return invalidRequest("more than one Authorization header");

  const clientId = form.get("client_id");
  if (isTooLong("client_id", clientId)) return invalidClient(longerThan("client_id", MAX_LENGTHS.client_id));
  if (authorization !== undefined) return parseBasic(authorization, clientId);
  if (assertionInBody) return parseAssertion(form, clientId);
  if (clientId === undefined) return invalidClient("client authentication is missing");
  const clientSecret = form.get("client_secret");
  if (clientSecret === undefined) return { method: "none", clientId };
  if (Buffer.byteLength(clientSecret) > MAX_SECRET_LENGTH)
    return invalidClient(longerThan("the client secret", MAX_SECRET_LENGTH));
  return { method: "client_secret_post", clientId, clientSecret };
}

/**
 * Parses Basic credentials. Id and secret are form-encoded, joined by a colon, then base64-encoded, so the text is
 * split before it is decoded (RFC 6749 §2.3.1). Many clients, such as curl, skip the form encoding, which matters only
 * for a secret with a plus or percent sign, for example from `openssl rand -base64`. Choice: the secret is also tried
 * as it was sent; that makes it no easier to guess. An empty secret means a client without one (rule CLIENT-4), like an
 * empty client_secret in the form.
 */
function parseBasic(authorization: string, bodyClientId: string | undefined): ClientCredentials | OAuthError {
  // RFC 6750: such a token is a user's authorization, not a proof of the client's identity.
  if (/^bearer(\s|$)/i.test(authorization)) {
    return invalidClient("a Bearer token does not authenticate a client; send client id and secret as Basic");
  }
  const text = decodeBasic(authorization);
  if (isError(text)) return text;
  const colon = text.indexOf(":");
  const clientId = colon < 0 ? undefined : decodeFormComponent(text.slice(0, colon));
  const sentSecret = colon < 0 ? "" : text.slice(colon + 1);
  const clientSecret = decodeFormComponent(sentSecret) ?? sentSecret;
  if (!clientId) return malformedBasic();
  if (isTooLong("client_id", clientId) || Buffer.byteLength(clientSecret) > MAX_SECRET_LENGTH) return malformedBasic();
  if (bodyClientId !== undefined && bodyClientId !== clientId) {
    return invalidRequest("client_id differs from the client of the Authorization header");
  }
  if (clientSecret === "") return colon < 0 ? malformedBasic() : { method: "none", clientId, emptySecret: true };
  const credentials = { method: "client_secret_basic", clientId, clientSecret } as const;
  return sentSecret === clientSecret ? credentials : { ...credentials, sentSecret };
}

function decodeBasic(authorization: string): string | OAuthError {
  if (authorization.length > MAX_HEADER_LENGTH) return malformedBasic();
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return malformedBasic();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return malformedBasic(); // not UTF-8
  }
}

function malformedBasic(): OAuthError {
  return invalidClient("the Authorization header is not Basic with client id and secret, each form-encoded");
}

/** Parses an assertion with its type, which must be sent together (RFC 7521 §4.2, rule CLIENT-8). */
function parseAssertion(form: Parameters, clientId: string | undefined): ClientCredentials | OAuthError {
  if (form.get("client_assertion_type") !== assertionType) {
    return invalidRequest(`client_assertion_type must be ${assertionType}`);
  }
  const assertion = form.get("client_assertion");
  if (assertion === undefined) return invalidRequest("client_assertion is missing");
  if (isTooLong("assertion", assertion))
    return invalidClient(longerThan("the client assertion", MAX_LENGTHS.assertion));
  return clientId === undefined
    ? { method: "private_key_jwt", assertion }
    : { method: "private_key_jwt", assertion, clientId };
}
