/**
 * The rules of DPoP proofs (RFC 9449 §4.3): a client signs method and address of each request with its own key, so that
 * a stolen token is of no use without the key. The signature and single use are checked by the caller.
 */
import { hash } from "node:crypto";

/** JWS algorithms of proofs; asymmetric ones only (§4.2). */
export const dpopAlgorithms = ["ES256", "PS256", "EdDSA", "RS256"] as const;

/** How far `iat` may be from the time of the service, in milliseconds. */
export const PROOF_WINDOW = 60_000;

/** The length of a JWK thumbprint (RFC 7638) with SHA-256 in base64url. */
const THUMBPRINT = /^[\w-]{43}$/;
const MAX_ID_LENGTH = 500;

/** What a proof must be about. */
export interface ProofRules {
  method: string;
  /** The addresses of the endpoint, without query and fragment. */
  urls: readonly string[];
  /** Epoch milliseconds. */
  now: number;
  /** The access token that is sent with the proof, if one is. */
  accessToken?: string;
}

/** Returns what is wrong with the claims of a proof, or undefined. */
export function proofProblem(claims: Readonly<Record<string, unknown>>, rules: ProofRules): string | undefined {
  const { jti, htm, htu, iat, ath } = claims;
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_ID_LENGTH)
    return "it has no jti, or one that is too long";
  if (htm !== rules.method) return "its htm is not the method of the request";
  if (typeof htu !== "string" || !rules.urls.some((url) => isSameAddress(htu, url)))
    return "its htu is not the address of the request";
  if (typeof iat !== "number") return "it has no iat";
  if (!(Math.abs(rules.now - iat * 1000) <= PROOF_WINDOW)) return "its iat is more than a minute away from now";
  const { exp = iat, nbf = iat } = claims; // not required, and checked if they are there (RFC 7519 §4.1)
  if (typeof exp !== "number" || !(exp * 1000 > rules.now - PROOF_WINDOW)) return "it has expired";
  if (typeof nbf !== "number" || !(nbf * 1000 <= rules.now + PROOF_WINDOW)) return "it is not valid yet";
  if (rules.accessToken === undefined) return undefined;
  if (typeof ath !== "string") return "it has no ath";
  return ath === tokenHash(rules.accessToken) ? undefined : "its ath is not the hash of the access token";
}

/** Returns the `ath` of an access token (§4.2). */
export const tokenHash = (token: string): string => hash("sha256", token, "base64url");

/** Compares after the normalization of RFC 3986 §6.2.2 and §6.2.3; query and fragment do not count (§4.3). */
function isSameAddress(htu: string, url: string): boolean {
  if (htu === url) return true;
  const [theirs, ours] = [URL.parse(htu), URL.parse(url)];
  if (!theirs || !ours || theirs.username !== "" || theirs.password !== "") return false;
  return theirs.origin === ours.origin && theirs.pathname === ours.pathname;
}

/** Whether the value of `dpop_jkt` (§10) is a thumbprint. */
export const isThumbprint = (value: string): boolean => THUMBPRINT.test(value);
