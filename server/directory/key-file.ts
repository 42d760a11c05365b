/**
 * Key files for programs: a key pair generated here, whose private half is returned and not stored. The format is the
 * one that client libraries read: RSA 2048, PKCS #1 in PEM, in a JSON file (rule API-11).
 */
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { isReason, sentenceOf } from "../protocol/reason";
import { jwkFromPem, type PublicJwk } from "./public-key";

export interface KeyFile {
  publicJwk: PublicJwk;
  /** The JSON file in base64: the only copy of the private key. */
  keyDetails: string;
}

/**
 * Generates a key pair.
 * @param owner the key's owner as recorded in the file
 * @param expiresAt epoch milliseconds; undefined if the key does not expire
 */
export async function makeKeyFile(
  keyId: string,
  owner: { type: "application"; clientId: string; appId: string } | { type: "serviceaccount"; userId: string },
  expiresAt: number | undefined,
): Promise<KeyFile> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const { type, ...whose } = owner;
  const expirationDate = expiresAt === undefined ? {} : { expirationDate: new Date(expiresAt).toISOString() };
  const file = { type, keyId, key: privateKey, ...expirationDate, ...whose };
  const publicJwk = jwkFromPem(publicKey);
  if (isReason(publicJwk)) throw new Error(`the key just made ${sentenceOf(publicJwk)}`);
  return { publicJwk, keyDetails: Buffer.from(JSON.stringify(file)).toString("base64") };
}
