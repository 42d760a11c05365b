/**
 * The authentication context class (OIDC Core §2, acr): how strongly a user authenticated, and how strongly a request
 * wants them to. acr_values is a preference in order (§3.1.2.1), an essential acr claim with values is a requirement
 * (§5.5.1.1).
 */
import type { ClaimsRequest, ClaimValue } from "./claims-request";
import { type OAuthError, unmetAuthenticationRequirements } from "./oauth-error";

export const SINGLE_FACTOR = "urn:service:iam:acr:single-factor";
export const MULTI_FACTOR = "urn:service:iam:acr:multi-factor";

/** The amr value of a sign-in at an identity provider: RFC 8176 has none, and Microsoft's tokens use this one. */
export const FEDERATED = "fed";

/** Returns the authentication context class for space-delimited RFC 8176 values. */
export function acrOf(amr: string): string {
  return isMultiFactor(amr) ? MULTI_FACTOR : SINGLE_FACTOR;
}

/** Whether more than one factor was used (RFC 8176 §2, `mfa`). */
export function isMultiFactor(amr: string): boolean {
  return amr.split(" ").includes("mfa");
}

/** `preferred`: a second factor if the user has one. `required`: no sign-in without it. */
export type FactorWish = "any" | "preferred" | "required";

/** Returns the values of the acr claim that the claims parameter requests in the id_token. */
function requestedAcr(claims: ClaimsRequest | undefined): readonly ClaimValue[] {
  const { value, values = [] } = claims?.idToken.acr ?? {};
  return value === undefined ? values : [value, ...values];
}

/**
 * Rejects a request whose essential acr claim has only unsupported values. It "MUST" fail (OIDC Core §5.5.1.1), or an
 * application would accept a weaker sign-in than the one it requires.
 */
export function checkEssentialAcr(claims: ClaimsRequest | undefined): OAuthError | undefined {
  const values = requestedAcr(claims);
  if (!claims?.idToken.acr?.essential || values.length === 0 || values.some(isSupported)) return undefined;
  return unmetAuthenticationRequirements("none of the acr values that claims demands is supported");
}

function isSupported(acr: ClaimValue): boolean {
  return acr === SINGLE_FACTOR || acr === MULTI_FACTOR;
}

/**
 * Returns how a request asks for second factors. An essential acr claim requires one only if it accepts nothing weaker.
 */
export function wishedFactors(acrValues: readonly string[], claims: ClaimsRequest | undefined): FactorWish {
  const values = requestedAcr(claims);
  const isEssential = claims?.idToken.acr?.essential;
  if (isEssential && values.includes(MULTI_FACTOR) && !values.includes(SINGLE_FACTOR)) return "required";
  const first = [...acrValues, ...values].find(isSupported);
  return first === MULTI_FACTOR ? "preferred" : "any";
}
