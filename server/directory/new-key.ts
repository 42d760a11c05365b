/**
 * A new key of an app or a machine: a registered public key, or a generated key pair whose private half is returned and
 * not stored. The rules are the same for both; only the errors name the holder.
 */

import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { type ApiError, alreadyExists, failedPrecondition } from "../protocol/api-error";
import { isReason, sentenceOf } from "../protocol/reason";
import { jwkFromPem, type PublicJwk } from "./public-key";

/** Each additional key is one more that can be lost. */
const MAX_KEYS = 50;

export interface WantedKey {
  /** Generated if omitted. */
  keyId?: string;
  /** A key pair is generated if omitted. */
  publicKey?: PublicJwk;
  /** Epoch milliseconds; undefined if the key does not expire. */
  expiresAt?: number;
}

export interface NewKey {
  /** The `kid` of the holder's assertions. */
  keyId: string;
  publicJwk: PublicJwk;
  /** Epoch milliseconds; undefined if the key does not expire. */
  expiresAt: number | undefined;
  /** The key file in base64, the only copy of the private key; only if the key pair was generated here. */
  keyDetails?: string;
}

type Holder = "app" | "machine";

/** Returns an error for a key that has already expired. */
export function checkExpiry(ctx: Context, holder: Holder, { expiresAt }: WantedKey): ApiError | undefined {
  if (expiresAt === undefined || expiresAt > ctx.clock()) return undefined;
  return failedPrecondition(
    `${holder}.key_expired`,
    "The key would have expired already. Choose a time in the future.",
    { field: "expirationDate" },
  );
}

/** Generates a key pair unless one is given. Called before any transaction, because it takes long. */
export async function prepareKey(
  { keyId = newId(), publicKey, expiresAt }: WantedKey,
  owner: Parameters<typeof makeKeyFile>[1],
): Promise<NewKey> {
  if (publicKey) return { keyId, publicJwk: publicKey, expiresAt };
  return { keyId, expiresAt, ...(await makeKeyFile(keyId, owner, expiresAt)) };
}

/**
 * Returns an error if there are too many keys to add another.
 * @param count the number of existing keys, read in the transaction that adds the new one
 */
export function checkKeyCount(holder: Holder, count: number): ApiError | undefined {
  if (count < MAX_KEYS) return undefined;
  const whose = holder === "app" ? "An app" : "A machine";
  return failedPrecondition(`${holder}.too_many_keys`, `${whose} has ${MAX_KEYS} keys at most: remove one.`);
}

export const keyIdTaken = (holder: Holder): ApiError =>
  alreadyExists(`${holder}.key_id_taken`, `The ${holder} has a key of this id already.`, { field: "keyId" });

export interface KeyFile {
  publicJwk: PublicJwk;
  /** The JSON file in base64: the only copy of the private key. */
  keyDetails: string;
}

/**
 * Generates a key pair, and the key file of a program in the format that client libraries read (rule API-11).
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
