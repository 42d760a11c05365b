/** Metadata of users: data that an organization stores about them for apps, by key. */

import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import {
  deleteMetadata,
  listMetadata,
  readMetadata,
  readMetadataKeys,
  writeMetadata,
} from "../../storage/user/metadata";
import { lockUser } from "../../storage/user/user";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";

/** The maximum number of keys of a user; tokens may contain the values of all of them. */
export const MAX_KEYS = 100;

export interface MetadataEntry {
  key: string;
  /** base64url */
  value: string;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
}

/** Lists the metadata of a user by key. */
export async function listUserMetadata(ctx: Context, ref: UserRef): Promise<MetadataEntry[] | ApiError> {
  const user = await readListedUser(ctx, ref);
  return isApiError(user) ? user : listMetadata(ctx.db, user.id);
}

export async function readUserMetadata(ctx: Context, ref: UserRef, key: string): Promise<MetadataEntry | ApiError> {
  const entries = await listUserMetadata(ctx, ref);
  return isApiError(entries) ? entries : (entries.find((entry) => entry.key === key) ?? noSuchMetadata());
}

/** Sets values, all or none. */
export function setUserMetadata(
  ctx: Context,
  ref: UserRef,
  entries: readonly { key: string; bytes: Buffer }[],
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, origin, async (tx, user) => {
    await lockUser(ctx.db, tx, user.id);
    const keys = new Set([...(await readMetadataKeys(tx, user.id)), ...entries.map(({ key }) => key)]);
    if (keys.size > MAX_KEYS) return failedPrecondition("metadata.too_many", `A user has ${MAX_KEYS} keys at most.`);
    for (const { key, bytes } of entries) {
      await setUserMetadataIn(ctx, tx, user, { key, value: bytes.toString("base64url") }, origin);
    }
    return undefined;
  });
}

/** Removes values. If one of the keys has none, nothing is removed. */
export function removeUserMetadata(
  ctx: Context,
  ref: UserRef,
  keys: readonly string[],
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, origin, async (tx, user) => {
    for (const key of new Set(keys)) {
      // Only the removal itself determines whether there was a value, because of concurrent removals.
      if (!(await setUserMetadataIn(ctx, tx, user, { key, value: null }, origin))) return noSuchMetadata();
    }
    return undefined;
  });
}

export const noSuchMetadata = () => notFound("metadata.not_found", "The user has no metadata under this key.");

/**
 * Sets one value within the caller's transaction; null removes it. The audit trail contains the key, never the value.
 * @param entry.value base64url
 * @returns whether anything changed
 */
export async function setUserMetadataIn(
  ctx: Context,
  tx: Transaction,
  user: { id: string; organizationId: string },
  { key, value }: { key: string; value: string | null },
  origin: Origin,
): Promise<boolean> {
  const stored = await readMetadata(tx, user.id, key);
  if ((stored ?? null) === value) return false;
  await recordIn(ctx, tx, {
    type: value === null ? "user.metadata.removed" : "user.metadata.set",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      if (value === null) await deleteMetadata(tx, user.id, key);
      else await writeMetadata(tx, user.id, { key, value }, now);
      return { payload: { key } };
    },
  });
  return true;
}
