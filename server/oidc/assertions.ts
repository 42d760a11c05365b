/**
 * Signed assertions (RFC 7523 §3): a client or a machine proves its identity with its own key, or names a user. They
 * are bound to this issuer alone (RFC 10070: another provider's token endpoint must not be able to replay them here).
 * The key is a registered one, never one that the assertion itself provides (RFC 8725 §3.10).
 */
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { assertionAlgorithms } from "../protocol/client-credentials";
import { isCompactJws } from "../protocol/compact-jws";
import { switchOn } from "../protocol/setting-names";

/** The tolerated clock difference in milliseconds. */
const CLOCK_TOLERANCE = 60_000;

/** How old an assertion may be and how far ahead it may expire, in milliseconds (rule CLIENT-5). */
const ASSERTION_LIFETIME = 3_600_000;

/** Headers that contain or point to a key. */
const FOREIGN_KEY_HEADERS = ["jku", "jwk", "x5u", "x5c"] as const;
/**
 * The `typ` of JWTs that are not assertions of a client: access tokens, logout tokens, DPoP proofs, request objects,
 * and assertions of identity providers.
 */
const OTHER_TYPES = /^(application\/)?(at|logout|dpop|oauth-authz-req|oauth-id-jag)\+jwt$/i;

export type KeySet = ReturnType<typeof createLocalJWKSet>;

export interface AssertionRules {
  issuer: string;
  /** The required subject. If undefined, any subject is accepted and the caller checks it. */
  subject?: string;
  /** The `typ` that it must have; undefined for an assertion of a client, which has none of its own. */
  type?: string;
  /** The issuer's registered keys. */
  keys: KeySet;
  /** The URL it was sent to. */
  endpoint: string;
  /** Whether its audience may also be `endpoint` or the token endpoint, in addition to or instead of this issuer. */
  legacyAssertionAudience: boolean;
  /** The accepted JWS algorithms; `assertionAlgorithms` by default. */
  algorithms?: readonly string[];
  /** Whether the audience must be a string, as FAPI 2.0 Security Profile §5.3.2.1 requires. */
  needsPlainAudience?: boolean;
  /**
   * Whether `jti` is required because the assertion may be used only once. `iat` is always optional (RFC 7523 §3, OIDC
   * Core §9), as exp alone limits its age.
   */
  needsId: boolean;
}

export interface VerifiedAssertion {
  subject: string;
  jti: string | undefined;
  claims: JWTPayload;
  /** The time from which it is too old to be accepted, in epoch milliseconds. Until then its `jti` is remembered. */
  refusedFrom: number;
}

/** Why an assertion is rejected, in words that repeat none of its values. */
export interface BadAssertion {
  problem: string;
  cause?: unknown;
}

export function isBad(result: VerifiedAssertion | BadAssertion): result is BadAssertion {
  return "problem" in result;
}

/**
 * Thrown when no known key matches and the keys at the client's `jwks_uri` cannot be read. The details are only logged:
 * they would tell the person who chose the URL what is in our network.
 */
export class KeysNotRead extends Error {
  readonly code = "KEYS_NOT_READ";
}

const keySets = new WeakMap<object, KeySet>();

/** Returns the key set of registered public keys, computed once per stored object. */
export function keySetOf(registered: { keys: readonly Record<string, unknown>[] }): KeySet {
  let keySet = keySets.get(registered);
  if (!keySet) {
    keySet = createLocalJWKSet(registered as unknown as JSONWebKeySet);
    keySets.set(registered, keySet);
  }
  return keySet;
}

/** Checks everything except single use, which the caller checks last; see `usedAssertion`. */
export async function verifyAssertion(
  ctx: Context,
  assertion: string,
  rules: AssertionRules,
): Promise<VerifiedAssertion | BadAssertion> {
  const now = ctx.clock();
  let payload: JWTPayload;
  if (!isCompactJws(assertion)) return { problem: "it is not a JWT in compact form" };
  try {
    const header = decodeProtectedHeader(assertion);
    if (FOREIGN_KEY_HEADERS.some((name) => name in header)) return { problem: "its header brings a key of its own" };
    const isRight = rules.type === undefined ? !OTHER_TYPES.test(header.typ ?? "") : header.typ === rules.type;
    if (!isRight) return { problem: "it is a token of another kind" };
    ({ payload } = await jwtVerify(assertion, rules.keys, {
      algorithms: [...(rules.algorithms ?? assertionAlgorithms)],
      issuer: rules.issuer,
      subject: rules.subject,
      requiredClaims: ["exp", "sub", "aud", ...(rules.needsId ? ["jti"] : [])],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE / 1000,
    }));
  } catch (cause) {
    return { problem: reason(cause, rules), cause };
  }
  // Choice, as RFC 7523 §3 leaves iat open: an assertion signed in advance could be stolen before its use.
  const age = payload.iat === undefined ? 0 : now - payload.iat * 1000;
  if (!(age >= -CLOCK_TOLERANCE)) return { problem: "it was issued in the future" };
  if (!(age <= ASSERTION_LIFETIME + CLOCK_TOLERANCE)) return { problem: "it was issued too long ago" };
  if (rules.needsPlainAudience && typeof payload.aud !== "string") return { problem: "its aud must be a string" };
  const misdirected = checkAudience(ctx, [payload.aud].flat(), rules);
  if (misdirected !== undefined) return { problem: misdirected };
  const expiresAt = Number(payload.exp) * 1000;
  if (!(expiresAt <= now + ASSERTION_LIFETIME + CLOCK_TOLERANCE)) {
    return { problem: `it expires more than ${ASSERTION_LIFETIME / 60_000} minutes ahead` };
  }
  if (typeof payload.sub !== "string" || payload.sub === "") return { problem: "its sub is not a text" };
  if (payload.jti !== undefined && (typeof payload.jti !== "string" || payload.jti === ""))
    return { problem: "its jti is not a text" };
  return { subject: payload.sub, jti: payload.jti, claims: payload, refusedFrom: expiresAt + CLOCK_TOLERANCE };
}

/**
 * Returns what is wrong with the audience, or undefined. It must be the issuer alone (RFC 10070, rule CLIENT-6), as
 * another service that the client trusts could claim the URL of our endpoint as its own. If the registration permits
 * it, that URL is accepted as well.
 */
function checkAudience(
  { config: { baseUrl } }: Context,
  audiences: readonly (string | undefined)[],
  { endpoint, legacyAssertionAudience, needsPlainAudience, type }: AssertionRules,
): string | undefined {
  const [first = ""] = audiences;
  if (!legacyAssertionAudience) {
    if (audiences.length === 1 && first === baseUrl) return undefined;
    const wayOut = type === undefined && !needsPlainAudience ? `, or ${switchOn("legacyAssertionAudience")}` : "";
    return `its aud must be ${baseUrl} alone${wayOut}`;
  }
  const allowed = [baseUrl, endpoint, `${baseUrl}/oauth/v2/token`];
  const named = new Set(audiences);
  const areOurs = audiences.every((audience) => audience !== undefined && allowed.includes(audience));
  if (areOurs && named.size === audiences.length && (named.size === 1 || named.has(baseUrl))) return undefined;
  return `its aud must be ${baseUrl} or, by legacyAssertionAudience, the endpoint's address, alone or beside it`;
}

/** Returns the key under which a used assertion is stored. A jti is unique only within its issuer (RFC 7523 §3). */
export function usedAssertion(kind: "client" | "user" | "proof" | "provider", issuer: string, jti: string): string {
  return digest(`${kind}\n${issuer}\n${jti}`);
}

/** Descriptions of claims with a wrong value; other claims are "not valid". */
const WRONG_CLAIMS: Readonly<Record<string, string>> = {
  iss: "its iss must be the id of who signed it",
  sub: "its sub must be the same as its iss",
  nbf: "it is not valid yet",
};

/** The hint that names the setting for assertions without `jti` and repeated ones. */
export const REUSE_HINT = `${switchOn("allowAssertionReuse")} to accept assertions without jti, and again`;

/** Describes a missing claim. Only client assertions need `jti`. */
function missing(claim: string, { subject }: AssertionRules): string {
  if (claim === "jti") return `it has no jti; ${REUSE_HINT}`;
  if (claim === "sub" && subject !== undefined) return "it has no sub; set sub to the same id as iss";
  return `it has no ${claim}`;
}

/** Returns a short public reason. The codes of jose name the rule, never the value. */
function reason(cause: unknown, rules: AssertionRules): string {
  const { code, claim, reason } = cause as { code?: string; claim?: string; reason?: string };
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return "it has expired";
    case "ERR_JWKS_NO_MATCHING_KEY":
      return "no registered key matches";
    case "KEYS_NOT_READ":
      return "no registered key matches, and the keys at its jwksUri could not be read";
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
      return "the signature does not verify";
    default:
      if (claim === undefined) return "it cannot be verified with the registered keys";
      if (reason === "missing") return missing(claim, rules);
      return WRONG_CLAIMS[claim] ?? `its ${claim} is not valid`;
  }
}
