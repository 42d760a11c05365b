/** Public keys added to an app individually, in addition to its key set, for private_key_jwt (RFC 7523 §2.2). */
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import { type AppKeyRow, deleteAppKey, insertAppKey } from "../../storage/app/credentials";
import type { Transaction } from "../../storage/database";
import { type PublicJwk, registeredJwk } from "../public-key";
import type { OwnedApp } from "./secret";

export interface NewAppKey {
  /** The `kid` of the app's assertions. */
  keyId: string;
  publicJwk: PublicJwk;
  /** Epoch milliseconds; undefined if the key does not expire. */
  expiresAt: number | undefined;
}

export async function addAppKey(
  ctx: Context,
  tx: Transaction,
  app: OwnedApp,
  { keyId, publicJwk, expiresAt }: NewAppKey,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "app.key.added",
    object: app,
    origin,
    async state(_, now) {
      const row = { id: keyId, appId: app.id, publicJwk: registeredJwk({ keyId, publicJwk }) };
      await insertAppKey(tx, { ...row, expiresAt: expiresAt ?? null, createdAt: now });
      return { payload: { keyId, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString() } };
    },
  });
}

/** Returns whether this key is already stored. If the given key has no expiry, the stored expiry is not compared. */
export function isSameAppKey(stored: AppKeyRow, key: NewAppKey): boolean {
  return difference(stored, { publicJwk: registeredJwk(key), expiresAt: key.expiresAt }) === undefined;
}

export async function removeAppKey(
  ctx: Context,
  tx: Transaction,
  app: OwnedApp,
  keyId: string,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "app.key.removed",
    object: app,
    origin,
    async state() {
      await deleteAppKey(tx, app.id, keyId);
      return { payload: { keyId } };
    },
  });
}
