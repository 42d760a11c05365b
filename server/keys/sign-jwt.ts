/**
 * JWTs as JWS in compact form (RFC 7515 §7.1), signed in Node's pool of threads. By node:crypto and not by Web
 * Cryptography, which costs a tenth of an RSA signature on top of it.
 */
import { type KeyObject, sign } from "node:crypto";
import type { SigningAlgorithm } from "../protocol/client";
import { partSpan } from "../tracing/span";
import type { SigningKey } from "./key-ring";

/** RFC 7518 §3.3, §3.4; RFC 8037 §3.1: EdDSA hashes by itself. */
const DIGESTS: Readonly<Record<SigningAlgorithm, string | null>> = { RS256: "sha256", ES256: "sha256", EdDSA: null };

/** Header parameters (RFC 7515 §4.1). @param typ what kind of JWT it is */
export const jwtHeader = ({ algorithm, kid }: Pick<SigningKey, "algorithm" | "kid">, typ: string) =>
  ({ alg: algorithm, kid, typ }) as const;

/** @param claims as they become JSON: those that are undefined are left out */
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

function signature64(data: Buffer, algorithm: SigningAlgorithm, privateKey: KeyObject): Promise<string> {
  // RFC 7518 §3.4: R and S one after the other, and not in ASN.1; without a meaning for the other algorithms.
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return new Promise((resolve, reject) => {
    sign(DIGESTS[algorithm], data, key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString("base64url"));
    });
  });
}
