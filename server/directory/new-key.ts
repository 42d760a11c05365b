/**
 * A key that an app or a machine gets: one that was made elsewhere, or a new one, whose private half is returned and not
 * stored. The same rules for both; only the refusals name whose it is.
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { type ApiError, alreadyExists, failedPrecondition } from "../protocol/api-error";
import { makeKeyFile } from "./key-file";
import type { PublicJwk } from "./public-key";

/** Every further one is another that can be lost. */
const MAX_KEYS = 50;

export interface WantedKey {
  /** A new one if it is left out. */
  keyId?: string;
  /** A key pair is made if it is left out. */
  publicKey?: PublicJwk;
  /** Epoch milliseconds; undefined if the key does not expire. */
  expiresAt?: number;
}

export interface NewKey {
  /** The `kid` its assertions carry. */
  keyId: string;
  publicJwk: PublicJwk;
  /** Epoch milliseconds; undefined if the key does not expire. */
  expiresAt: number | undefined;
  /** Only if the key was made here: the file in base64, the only copy of its private half. */
  keyDetails?: string;
}

type Holder = "app" | "machine";

/** The refusal of a key that nobody could use. */
export function checkExpiry(ctx: Context, holder: Holder, { expiresAt }: WantedKey): ApiError | undefined {
  if (expiresAt === undefined || expiresAt > ctx.clock()) return undefined;
  return failedPrecondition(
    `${holder}.key_expired`,
    "The key would have expired already. Choose a time in the future.",
    { field: "expirationDate" },
  );
}

/** Makes a key pair unless there is one; before any transaction, as it takes long. */
export async function prepareKey(
  { keyId = newId(), publicKey, expiresAt }: WantedKey,
  owner: Parameters<typeof makeKeyFile>[1],
): Promise<NewKey> {
  if (publicKey) return { keyId, publicJwk: publicKey, expiresAt };
  return { keyId, expiresAt, ...(await makeKeyFile(keyId, owner, expiresAt)) };
}

/** The refusal of one key more. @param count of those there are, read in the transaction that adds it */
export function checkKeyCount(holder: Holder, count: number): ApiError | undefined {
  if (count < MAX_KEYS) return undefined;
  const whose = holder === "app" ? "An app" : "A machine";
  return failedPrecondition(`${holder}.too_many_keys`, `${whose} has ${MAX_KEYS} keys at most: remove one.`);
}

export const keyIdTaken = (holder: Holder): ApiError =>
  alreadyExists(`${holder}.key_id_taken`, `The ${holder} has a key of this id already.`, { field: "keyId" });
