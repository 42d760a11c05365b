/**
 * Public keys added to an app individually, in addition to its key set, for private_key_jwt (RFC 7523 §2.2): one that
 * is registered, or the public half of a new key pair, whose private half is returned and not stored.
 */
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type ChangeContext, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import { type AppKeyRow, countAppKeysIn, deleteAppKey, insertAppKey, readAppKey } from "../../storage/app/credentials";
import { appKeyList, findApp, findAppKey, keysOfApp, type ShownKey } from "../../storage/app/list";
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
  ctx: ChangeContext,
  app: OwnedApp,
  { keyId, publicJwk, expiresAt }: NewAppKey,
): Promise<void> {
  await recordIn(ctx, {
    type: "app.key.added",
    object: app,
    async state(_, now) {
      const row = { id: keyId, appId: app.id, publicJwk: registeredJwk({ keyId, publicJwk }) };
      await insertAppKey(ctx.tx, { ...row, expiresAt: expiresAt ?? null, createdAt: now });
      return { payload: { keyId, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString() } };
    },
  });
}

/** Returns whether this key is already stored. If the given key has no expiry, the stored expiry is not compared. */
export function isSameAppKey(stored: AppKeyRow, key: NewAppKey): boolean {
  return difference(stored, { publicJwk: registeredJwk(key), expiresAt: key.expiresAt }) === undefined;
}

export async function removeAppKey(ctx: ChangeContext, app: OwnedApp, keyId: string): Promise<void> {
  await recordIn(ctx, {
    type: "app.key.removed",
    object: app,
    async state() {
      await deleteAppKey(ctx.tx, app.id, keyId);
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
  ctx: OriginContext,
  ref: AppRef,
  wanted: WantedKey,
): Promise<{ id: string; keyDetails?: string } | ApiError> {
  const expired = checkExpiry(ctx, "app", wanted);
  if (expired) return expired;
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  const key = await prepareKey(wanted, { type: "application", clientId: app.clientId, appId: app.id });
  const refusal = await changeInApp(ctx, ref, async (ctx, { id }, { organizationId }) => {
    if (await readAppKey(ctx.tx, id, key.keyId)) return keyIdTaken("app");
    const tooMany = checkKeyCount("app", await countAppKeysIn(ctx.tx, id));
    if (tooMany) return tooMany;
    await addAppKey(ctx, { id, organizationId }, key);
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
  return pagedList(ctx, keysOfApp(app.id), appKeyList);
}

export async function readKeyOfApp(ctx: Context, ref: AppRef, keyId: string): Promise<ListedKey | ApiError> {
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  return (await findAppKey(ctx.db, app.id, keyId)) ?? noSuchKey();
}

export const noSuchKey = () => notFound("app.key_not_found", "The app has no such key.");

/** Removes a key of an app. Signatures made with it are rejected from then on. */
export function removeKeyOfApp(ctx: OriginContext, ref: AppRef, keyId: string): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (ctx, { id }, { organizationId }) => {
    if (!(await readAppKey(ctx.tx, id, keyId))) return noSuchKey();
    await removeAppKey(ctx, { id, organizationId }, keyId);
    return undefined;
  });
}
