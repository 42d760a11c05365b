/**
 * The `request_uri` of a pushed authorization request (RFC 9126 §2.2), and which of the pushed parameters are kept.
 * Only the client that pushed a request can use its reference, and only once (§4, §7.3).
 */
import type { Parameters } from "./parameters";

const PREFIX = "urn:ietf:params:oauth:request_uri:";

/** Returns the reference of a pushed request. @param secret 256 random bits, base64url */
export const requestUriOf = (secret: string): string => PREFIX + secret;

/** Whether a request_uri is one of this service, known or not. Other URIs are request objects by reference. */
export const isPushed = (requestUri: string | undefined): requestUri is string =>
  requestUri?.startsWith(PREFIX) === true;

/** Returns the random part of a reference; undefined if it was not made by `requestUriOf`. */
export function secretOfRequestUri(requestUri: string): string | undefined {
  const secret = requestUri.slice(PREFIX.length);
  return /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** Credentials of the push itself, which are not part of the authorization request. */
const CREDENTIALS: ReadonlySet<string> = new Set(["client_secret", "client_assertion", "client_assertion_type"]);

/**
 * Returns the parameters to store, form-encoded. The client is the one that authenticated, named or not.
 * @param jkt the key that the client has proven, as `dpop_jkt` (RFC 9449 §10.1)
 */
export function pushedParameters(form: Parameters, clientId: string, jkt: string | undefined): string {
  const kept = new URLSearchParams({ client_id: clientId });
  for (const name of form.names()) {
    if (name === "client_id" || CREDENTIALS.has(name)) continue;
    for (const value of form.all(name)) kept.append(name, value);
  }
  if (jkt !== undefined) kept.set("dpop_jkt", jkt);
  return kept.toString();
}
