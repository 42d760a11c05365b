/** Metadata of a user or an organization: values by key, which the audit trail never contains. */
import type { Context } from "../context";
import { type Origin, recordIn } from "../events/record";
import { type ApiError, failedPrecondition, notFound } from "../protocol/api-error";
import type { Transaction } from "../storage/database";
import { deleteMetadata, readMetadata, readMetadataKeys, writeMetadata } from "../storage/metadata";

/** The maximum number of keys; tokens may contain the values of all keys of a user. */
export const MAX_KEYS = 100;

export interface MetadataOwner {
  kind: "user" | "organization";
  id: string;
  /** The organization itself, or that of the user. */
  organizationId: string;
}

export interface MetadataEntry {
  key: string;
  /** base64url */
  value: string;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
}

export interface NewMetadata {
  key: string;
  bytes: Buffer;
}

/** Sets values, all or none, within the caller's transaction, in which the owner is locked. */
export async function setMetadata(
  ctx: Context,
  tx: Transaction,
  owner: MetadataOwner,
  entries: readonly NewMetadata[],
  origin: Origin,
): Promise<undefined | ApiError> {
  const keys = new Set([...(await readMetadataKeys(tx, owner)), ...entries.map(({ key }) => key)]);
  if (keys.size > MAX_KEYS) return failedPrecondition("metadata.too_many", `There are ${MAX_KEYS} keys at most.`);
  for (const { key, bytes } of entries) {
    await setMetadataIn(ctx, tx, owner, { key, value: bytes.toString("base64url") }, origin);
  }
  return undefined;
}

/** Removes values within the caller's transaction. If one of the keys has none, nothing is removed. */
export async function removeMetadata(
  ctx: Context,
  tx: Transaction,
  owner: MetadataOwner,
  keys: readonly string[],
  origin: Origin,
): Promise<undefined | ApiError> {
  for (const key of new Set(keys)) {
    // Only the removal itself determines whether there was a value, because of concurrent removals.
    if (!(await setMetadataIn(ctx, tx, owner, { key, value: null }, origin))) return noSuchMetadata();
  }
  return undefined;
}

export const noSuchMetadata = () => notFound("metadata.not_found", "There is no metadata under this key.");

/**
 * Sets one value; null removes it.
 * @param entry.value base64url
 * @returns whether anything changed
 */
export async function setMetadataIn(
  ctx: Context,
  tx: Transaction,
  owner: MetadataOwner,
  { key, value }: { key: string; value: string | null },
  origin: Origin,
): Promise<boolean> {
  const stored = await readMetadata(tx, owner, key);
  if ((stored ?? null) === value) return false;
  await recordIn(ctx, tx, {
    type: `${owner.kind}.metadata.${value === null ? "removed" : "set"}`,
    object: owner,
    origin,
    async state(_, now) {
      if (value === null) await deleteMetadata(tx, owner, key);
      else await writeMetadata(tx, owner, { key, value }, now);
      return { payload: { key } };
    },
  });
  return true;
}
