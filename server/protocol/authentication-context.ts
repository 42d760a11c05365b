/**
 * How strongly a person authenticated (OIDC Core §2, acr), and how strongly a request wants them to: acr_values is a
 * wish in order of preference (§3.1.2.1), an essential acr claim with values is a requirement (§5.5.1.1).
 */
import type { ClaimsRequest, ClaimValue } from "./claims-request";
import { type OAuthError, unmetAuthenticationRequirements } from "./oauth-error";

export const SINGLE_FACTOR = "urn:service:iam:acr:single-factor";
export const MULTI_FACTOR = "urn:service:iam:acr:multi-factor";

/** The authentication context class of an authentication, by its RFC 8176 values, space-delimited. */
export function acrOf(amr: string): string {
  return isMultiFactor(amr) ? MULTI_FACTOR : SINGLE_FACTOR;
}

/** RFC 8176 §2: `mfa`, more than one factor was used. */
export function isMultiFactor(amr: string): boolean {
  return amr.split(" ").includes("mfa");
}

/** `preferred`: a second factor where the person has one; `required`: no sign-in without it. */
export type FactorWish = "any" | "preferred" | "required";

/** The values of the acr claim that the claims parameter asks for in the id_token. */
function requestedAcr(claims: ClaimsRequest | undefined): readonly ClaimValue[] {
  const { value, values = [] } = claims?.idToken.acr ?? {};
  return value === undefined ? values : [value, ...values];
}

/**
 * OIDC Core §5.5.1.1: a request whose essential acr claim cannot have any of its values "MUST" fail, or an application
 * would take a weaker sign-in for the one it demanded.
 */
export function checkEssentialAcr(claims: ClaimsRequest | undefined): OAuthError | undefined {
  const values = requestedAcr(claims);
  if (!claims?.idToken.acr?.essential || values.length === 0 || values.some(isSupported)) return undefined;
  return unmetAuthenticationRequirements("none of the acr values that claims demands is supported");
}

function isSupported(acr: ClaimValue): boolean {
  return acr === SINGLE_FACTOR || acr === MULTI_FACTOR;
}

/** What a request says about second factors. An essential acr claim requires one only if it accepts nothing weaker. */
export function wishedFactors(acrValues: readonly string[], claims: ClaimsRequest | undefined): FactorWish {
  const values = requestedAcr(claims);
  const isEssential = claims?.idToken.acr?.essential;
  if (isEssential && values.includes(MULTI_FACTOR) && !values.includes(SINGLE_FACTOR)) return "required";
  const first = [...acrValues, ...values].find(isSupported);
  return first === MULTI_FACTOR ? "preferred" : "any";
}
