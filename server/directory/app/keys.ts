/**
 * Public keys added to an app individually, in addition to its key set, for private_key_jwt (RFC 7523 §2.2): one that
 * is registered, or the public half of a new key pair, whose private half is returned and not stored.
 */
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import { type AppKeyRow, countAppKeysIn, deleteAppKey, insertAppKey, readAppKey } from "../../storage/app/credentials";
import { countAppKeys, findApp, findAppKey, keysOfApp, listAppKeys, type ShownKey } from "../../storage/app/list";
import type { Transaction } from "../../storage/database";
import { type PagedList, pagedList } from "../listing";
import { checkExpiry, checkKeyCount, keyIdTaken, prepareKey, type WantedKey } from "../new-key";
import { type PublicJwk, registeredJwk } from "../public-key";
import { type AppRef, changeInApp, noSuchApp, reduceInApp } from "./change";
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

/**
 * Adds a key to an app.
 * @returns the key's id; `keyDetails`, the only copy of the private key, is present only if the key pair was generated
 * here
 */
export async function addKeyToApp(
  ctx: Context,
  ref: AppRef,
  wanted: WantedKey,
  origin: Origin,
): Promise<{ id: string; keyDetails?: string } | ApiError> {
  const expired = checkExpiry(ctx, "app", wanted);
  if (expired) return expired;
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  const key = await prepareKey(wanted, { type: "application", clientId: app.clientId, appId: app.id });
  const refusal = await changeInApp(ctx, ref, origin, async (tx, { id }, { organizationId }) => {
    if (await readAppKey(tx, id, key.keyId)) return keyIdTaken("app");
    const tooMany = checkKeyCount("app", await countAppKeysIn(tx, id));
    if (tooMany) return tooMany;
    await addAppKey(ctx, tx, { id, organizationId }, key, origin);
    return undefined;
  });
  if (isApiError(refusal)) return refusal;
  const { keyId, keyDetails } = key;
  return { id: keyId, ...(keyDetails !== undefined && { keyDetails }) };
}

export type ListedKey = ShownKey;

/** Lists the keys of an app, oldest first. */
export async function listKeysOfApp(ctx: Context, ref: AppRef): Promise<PagedList<ListedKey> | ApiError> {
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  const where = keysOfApp(app.id);
  return pagedList(ctx, { cursor: ["number", "string"], where, list: listAppKeys, count: countAppKeys });
}

export async function readKeyOfApp(ctx: Context, ref: AppRef, keyId: string): Promise<ListedKey | ApiError> {
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  return (await findAppKey(ctx.db, app.id, keyId)) ?? noSuchKey();
}

export const noSuchKey = () => notFound("app.key_not_found", "The app has no such key.");

/** Removes a key of an app. Signatures made with it are rejected from then on. */
export function removeKeyOfApp(
  ctx: Context,
  ref: AppRef,
  keyId: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (tx, { id }, { organizationId }) => {
    if (!(await readAppKey(tx, id, keyId))) return noSuchKey();
    await removeAppKey(ctx, tx, { id, organizationId }, keyId, origin);
    return undefined;
  });
}
