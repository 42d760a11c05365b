/**
 * Proof Key for Code Exchange (RFC 7636, RFC 9700 §2.1.1, §4.8.2): the client that redeems a code must be the one that
 * requested it. S256 only. Attacks: stolen code, and the downgrade that removes the challenge from the request.
 */
import { createHash } from "node:crypto";
import type { Client } from "./client";
import { invalidGrant, invalidRequest, type OAuthError } from "./oauth-error";
import type { Parameters } from "./parameters";
import { type ResponseType, returnsCode } from "./response-type";

/** Whether a value is a well-formed verifier (RFC 7636 §4.1: 43*128unreserved). */
export function isCodeVerifier(value: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(value);
}

/** Returns the challenge of a verifier (RFC 7636 §4.2): BASE64URL-ENCODE(SHA256(ASCII(code_verifier))). */
export function codeChallengeOf(verifier: string): string {
  return createHash("sha256").update(verifier, "ascii").digest("base64url");
}

/** Checks the challenge of an authorization request: required for clients without a secret, and S256 if it is sent. */
export function checkCodeChallenge(
  parameters: Parameters,
  client: Pick<Client, "authenticationMethod"> & Partial<Pick<Client, "profile">>,
  responseType: ResponseType,
): OAuthError | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) return invalidRequest("code_challenge is missing beside code_challenge_method");
    // Rule AUTHORIZE-4, for clients without a secret; RFC 7636 §4.4.1.
    const isRequired = client.authenticationMethod === "none" || client.profile !== undefined;
    const mandatory = returnsCode(responseType) && isRequired;
    return mandatory ? invalidRequest("code_challenge is missing: this client must use PKCE") : undefined;
  }
  // RFC 7636 §4.3: without a method the challenge would be plain. Rule AUTHORIZE-4.
  if (method !== "S256") return invalidRequest("code_challenge_method must be S256");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return invalidRequest("code_challenge must be a SHA-256 in base64url, 43 characters");
  }
  return undefined;
}

/**
 * Checks the verifier at the token endpoint (RFC 7636 §4.6). Returns undefined or invalid_grant; a missing verifier is
 * invalid_request (§4.5, RFC 6749 §5.2).
 * @param challenge stored with the code; null if the authorization request had none
 * @param verifier the verifier of the token request
 */
export function checkCodeVerifier(challenge: string | null, verifier: string | undefined): OAuthError | undefined {
  if (challenge === null) {
    // RFC 9700 §4.8.2: a verifier without a challenge means that the challenge was removed from the request.
    return verifier === undefined
      ? undefined
      : invalidGrant("code_verifier was sent, but the request had no code_challenge");
  }
  if (verifier === undefined) return missingCodeVerifier();
  if (!isCodeVerifier(verifier)) return invalidGrant("code_verifier is malformed");
  return codeChallengeOf(verifier) === challenge
    ? undefined
    : invalidGrant("code_verifier does not match the code_challenge");
}

/** Returns the error for a missing verifier, which is required if there was a challenge (RFC 7636 §4.5). */
export const missingCodeVerifier = () => invalidRequest("code_verifier is missing");
