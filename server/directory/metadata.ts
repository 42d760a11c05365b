/** Metadata of a user or an organization: values by key, which the audit trail never contains. */
import { type ChangeContext, recordIn } from "../events/record";
import { type ApiError, failedPrecondition, notFound } from "../protocol/api-error";
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
  ctx: ChangeContext,
  owner: MetadataOwner,
  entries: readonly NewMetadata[],
): Promise<undefined | ApiError> {
  const keys = new Set([...(await readMetadataKeys(ctx.tx, owner)), ...entries.map(({ key }) => key)]);
  if (keys.size > MAX_KEYS) return failedPrecondition("metadata.too_many", `There are ${MAX_KEYS} keys at most.`);
  for (const { key, bytes } of entries) {
    await setMetadataIn(ctx, owner, { key, value: bytes.toString("base64url") });
  }
  return undefined;
}

/** Removes values within the caller's transaction. If one of the keys has none, nothing is removed. */
export async function removeMetadata(
  ctx: ChangeContext,
  owner: MetadataOwner,
  keys: readonly string[],
): Promise<undefined | ApiError> {
  for (const key of new Set(keys)) {
    // Only the removal itself determines whether there was a value, because of concurrent removals.
    if (!(await setMetadataIn(ctx, owner, { key, value: null }))) return noSuchMetadata();
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
  ctx: ChangeContext,
  owner: MetadataOwner,
  { key, value }: { key: string; value: string | null },
): Promise<boolean> {
  const stored = await readMetadata(ctx.tx, owner, key);
  if ((stored ?? null) === value) return false;
  await recordIn(ctx, {
    type: `${owner.kind}.metadata.${value === null ? "removed" : "set"}`,
    object: owner,
    async state(_, now) {
      if (value === null) await deleteMetadata(ctx.tx, owner, key);
      else await writeMetadata(ctx.tx, owner, { key, value }, now);
      return { payload: { key } };
    },
  });
  return true;
}
