/**
 * How strongly a person authenticated (OIDC Core §2, acr), and how strongly a request wants them to: acr_values is a
 * wish in order of preference (§3.1.2.1), an essential acr claim with values is a requirement (§5.5.1.1).
 */
import type { ClaimsRequest } from "./claims-request";

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

export function wishedFactors(acrValues: readonly string[], claims: ClaimsRequest | undefined): FactorWish {
  const wish = claims?.idToken.acr;
  const values = wish === undefined ? [] : [...(wish.value === undefined ? [] : [wish.value]), ...(wish.values ?? [])];
  if (wish?.essential && values.includes(MULTI_FACTOR) && !values.includes(SINGLE_FACTOR)) return "required";
  const first = [...acrValues, ...values].find((value) => value === SINGLE_FACTOR || value === MULTI_FACTOR);
  return first === MULTI_FACTOR ? "preferred" : "any";
}
