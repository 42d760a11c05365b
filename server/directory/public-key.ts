/**
 * Public keys of clients and machines that may be registered for verifying signatures. Private and symmetric keys are
 * rejected, so that no secret is stored in a database of public keys, and so are keys that are too short (RFC 7518
 * §3.3, §3.4).
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { isReason, type Reason, reason } from "../protocol/reason";

export type PublicJwk = Record<string, unknown> & { kty: string };

const CURVES = new Set(["P-256", "P-384", "P-521", "Ed25519"]);
const MIN_RSA_BITS = 2048;
/**
 * Longer keys, and exponents that need more multiplications, only cost time. Anyone who knows a client's id can have a
 * signature verified with its key (attack: a registered key that takes a hundred times as long as others).
 */
const MAX_RSA_BITS = 8192;
const MAX_EXPONENT = 0xffff_ffffn;

/** Returns a PEM public key (SPKI or PKCS #1) or certificate as a JWK, or the reason for rejecting it. */
export function jwkFromPem(pem: string): PublicJwk | Reason {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) return reason("private_key");
  try {
    return checkedJwk(createPublicKey(pem));
  } catch {
    return reason("public_key");
  }
}

/** Returns a public key in the form in which it is stored and looked up: with its id, for signatures. */
export function registeredJwk({ keyId, publicJwk }: { keyId: string; publicJwk: PublicJwk }): PublicJwk {
  return { ...publicJwk, kid: keyId, use: "sig" };
}

/** Returns why a JWK cannot be registered, or undefined. */
export function checkJwk(jwk: Readonly<Record<string, unknown>>): Reason | undefined {
  if (jwk.kty === "oct" || "k" in jwk) return reason("symmetric_key");
  if ("d" in jwk || "p" in jwk || "q" in jwk) return reason("private_key");
  if (jwk.use !== undefined && jwk.use !== "sig") return reason("key_use");
  try {
    // JSON escapes of U+0000 and lone surrogates, which PostgreSQL does not accept; an escaped backslash is not such an
    // escape.
    if (/\\u(?:0000|d[89a-f])/.test(JSON.stringify(jwk).replaceAll("\\\\", ""))) return reason("zero_character");
    const result = checkedJwk(createPublicKey({ key: jwk, format: "jwk" }));
    return isReason(result) ? result : undefined;
  } catch {
    return reason("public_jwk");
  }
}

function checkedJwk(key: KeyObject): PublicJwk | Reason {
  const jwk = key.export({ format: "jwk" });
  const { modulusLength = MIN_RSA_BITS, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength > MAX_RSA_BITS) return reason("key_bits_most", { n: MAX_RSA_BITS });
  if (publicExponent > MAX_EXPONENT) return reason("exponent");
  if (jwk.kty === "RSA" && modulusLength < MIN_RSA_BITS) return reason("key_bits", { n: MIN_RSA_BITS });
  if (jwk.kty !== "RSA" && !CURVES.has(jwk.crv ?? "")) return reason("key_kind");
  return { ...jwk } as PublicJwk;
}
