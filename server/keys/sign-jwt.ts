/**
 * JWTs as JWS in compact form (RFC 7515 §7.1), signed in Node's thread pool. They are signed with node:crypto because
 * Web Cryptography adds a tenth to the cost of an RSA signature.
 */
import { constants, type KeyObject, sign, verify } from "node:crypto";
import type { SigningAlgorithm } from "../protocol/client";
import { partSpan } from "../tracing/span";
import type { SigningKey } from "./key-ring";

/** The digest of each algorithm (RFC 7518 §3.3, §3.4); EdDSA hashes by itself (RFC 8037 §3.1). */
const DIGESTS: Readonly<Record<SigningAlgorithm, string | null>> = {
  RS256: "sha256",
  ES256: "sha256",
  EdDSA: null,
  PS256: "sha256",
};
/** RFC 7518 §3.5: a salt as long as the digest. */
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/**
 * Returns the header parameters (RFC 7515 §4.1).
 * @param typ the media type of the JWT
 */
export const jwtHeader = ({ algorithm, kid }: Pick<SigningKey, "algorithm" | "kid">, typ: string) =>
  ({ alg: algorithm, kid, typ }) as const;

/**
 * Signs a JWT.
 * @param claims the claims to serialize as JSON; undefined members are omitted
 */
export async function signJwt(
  key: SigningKey,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { algorithm, privateKey } = key;
  const input = `${encode(jwtHeader(key, typ))}.${encode(claims)}`;
  const signature = await partSpan(`sign ${algorithm}`, () => signature64(Buffer.from(input), algorithm, privateKey));
  return `${input}.${signature}`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** RFC 7518 §3.4: R and S concatenated instead of ASN.1. The option has no effect on the other algorithms. */
const optionsOf = (key: KeyObject, algorithm: SigningAlgorithm) =>
  ({ key, dsaEncoding: "ieee-p1363", ...(algorithm === "PS256" ? PSS : {}) }) as const;

/**
 * Verifies a compact JWS with a key that fits the algorithm. In this thread: one of Web Cryptography costs more to hand
 * over than to compute.
 */
export function verifiesJws(jws: string, algorithm: SigningAlgorithm, publicKey: KeyObject): boolean {
  const end = jws.lastIndexOf(".");
  const signature = Buffer.from(jws.slice(end + 1), "base64url");
  return verify(DIGESTS[algorithm], Buffer.from(jws.slice(0, end)), optionsOf(publicKey, algorithm), signature);
}

function signature64(data: Buffer, algorithm: SigningAlgorithm, privateKey: KeyObject): Promise<string> {
  const key = optionsOf(privateKey, algorithm);
  return new Promise((resolve, reject) => {
    sign(DIGESTS[algorithm], data, key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString("base64url"));
    });
  });
}
