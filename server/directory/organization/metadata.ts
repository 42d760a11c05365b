/** Metadata of organizations: data that programs store about them by key, read by the management APIs. */
import type { Context } from "../../context";
import type { ChangeContext, OriginContext } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
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
  ctx: OriginContext,
  id: string,
  entries: readonly NewMetadata[],
): Promise<undefined | ApiError> => changeLocked(ctx, id, (ctx, owner) => setMetadata(ctx, owner, entries));

/** Removes values. If one of the keys has none, nothing is removed. */
export const removeOrganizationMetadata = (
  ctx: OriginContext,
  id: string,
  keys: readonly string[],
): Promise<undefined | ApiError> => changeLocked(ctx, id, (ctx, owner) => removeMetadata(ctx, owner, keys));

type Change = (ctx: ChangeContext, owner: MetadataOwner) => Promise<undefined | ApiError>;

const changeLocked = (ctx: OriginContext, id: string, change: Change): Promise<undefined | ApiError> =>
  changeDirectory(ctx, async (ctx) => {
    if (!(await lockOrganization(ctx.db, ctx.tx, id))) return noSuchOrganization();
    return change(ctx, { kind: "organization", id, organizationId: id });
  });
