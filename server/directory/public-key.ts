/**
 * Public keys of clients and machines: which ones may be registered for checking signatures. Refused are private and
 * symmetric keys, so that no secret ends up in a database of public keys, and keys too short to trust (RFC 7518 §3.3,
 * §3.4).
 */
import { createPublicKey, type KeyObject } from "node:crypto";

export type PublicJwk = Record<string, unknown> & { kty: string };

const CURVES = new Set(["P-256", "P-384", "P-521", "Ed25519"]);
const MIN_RSA_BITS = 2048;
/**
 * Longer keys, and exponents that need more multiplications, only cost: whoever knows a client's id can have a signature
 * checked with its key (attack: a registered key that takes a hundred times as long as others).
 */
const MAX_RSA_BITS = 8192;
const MAX_EXPONENT = 0xffff_ffffn;

/** A PEM public key (SPKI or PKCS #1) or certificate as a JWK, or why it cannot be used. */
export function jwkFromPem(pem: string): PublicJwk | string {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) return "must be a public key; this one is private";
  try {
    return checkedJwk(createPublicKey(pem));
  } catch {
    return "is not a public key in PEM format";
  }
}

/** A public key in the form in which it is stored and found again: with its id, for signatures. */
export function registeredJwk({ keyId, publicJwk }: { keyId: string; publicJwk: PublicJwk }): PublicJwk {
  return { ...publicJwk, kid: keyId, use: "sig" };
}

/** Why a JWK cannot be registered, or undefined. */
export function checkJwk(jwk: Readonly<Record<string, unknown>>): string | undefined {
  if (jwk.kty === "oct" || "k" in jwk) return "must be a public key; this one is symmetric";
  if ("d" in jwk || "p" in jwk || "q" in jwk) return "must be a public key; this one is private";
  if (jwk.use !== undefined && jwk.use !== "sig") return `must be for signatures: "use": "sig"`;
  try {
    // JSON escapes of U+0000 and lone surrogates, which PostgreSQL does not accept; an escaped backslash is no such
    // escape.
    if (/\\u(?:0000|d[89a-f])/.test(JSON.stringify(jwk).replaceAll("\\\\", ""))) return "must not contain U+0000";
    const result = checkedJwk(createPublicKey({ key: jwk, format: "jwk" }));
    return typeof result === "string" ? result : undefined;
  } catch {
    return "is not a public key in JWK format";
  }
}

function checkedJwk(key: KeyObject): PublicJwk | string {
  const jwk = key.export({ format: "jwk" });
  const { modulusLength = MIN_RSA_BITS, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength > MAX_RSA_BITS) return `must have at most ${MAX_RSA_BITS} bits`;
  if (publicExponent > MAX_EXPONENT) return "must have a public exponent of at most 32 bits";
  if (jwk.kty === "RSA" && modulusLength < MIN_RSA_BITS) return `must have at least ${MIN_RSA_BITS} bits`;
  if (jwk.kty !== "RSA" && !CURVES.has(jwk.crv ?? "")) return "must be RSA, P-256, P-384, P-521 or Ed25519";
  return { ...jwk } as PublicJwk;
}
