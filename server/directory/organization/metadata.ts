/** Metadata of organizations: data that programs store about them by key, read by the management APIs. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { listMetadata } from "../../storage/metadata";
import { lockOrganization } from "../../storage/organization/organization";
import { changeDirectory } from "../change";
import { type MetadataEntry, type MetadataOwner, type NewMetadata, removeMetadata, setMetadata } from "../metadata";
import { noSuchOrganization } from "../not-found";

/** Lists the metadata of an organization by key. */
export const listOrganizationMetadata = (ctx: Context, id: string): Promise<MetadataEntry[]> =>
  listMetadata(ctx.db, { kind: "organization", id });

/** Sets values, all or none. */
export const setOrganizationMetadata = (
  ctx: Context,
  id: string,
  entries: readonly NewMetadata[],
  origin: Origin,
): Promise<undefined | ApiError> => changeLocked(ctx, id, (tx, owner) => setMetadata(ctx, tx, owner, entries, origin));

/** Removes values. If one of the keys has none, nothing is removed. */
export const removeOrganizationMetadata = (
  ctx: Context,
  id: string,
  keys: readonly string[],
  origin: Origin,
): Promise<undefined | ApiError> => changeLocked(ctx, id, (tx, owner) => removeMetadata(ctx, tx, owner, keys, origin));

type Change = (tx: Transaction, owner: MetadataOwner) => Promise<undefined | ApiError>;

const changeLocked = (ctx: Context, id: string, change: Change): Promise<undefined | ApiError> =>
  changeDirectory(ctx, async (tx) => {
    if (!(await lockOrganization(ctx.db, tx, id))) return noSuchOrganization();
    return change(tx, { kind: "organization", id, organizationId: id });
  });
