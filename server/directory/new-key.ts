/**
 * A new key of an app or a machine: a registered public key, or a generated key pair whose private half is returned and
 * not stored. The rules are the same for both; only the errors name the holder.
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { type ApiError, alreadyExists, failedPrecondition } from "../protocol/api-error";
import { makeKeyFile } from "./key-file";
import type { PublicJwk } from "./public-key";

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
