/** Metadata of users: data that an organization stores about them for apps, by key. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listMetadata } from "../../storage/metadata";
import { lockUser, type UserRow } from "../../storage/user/user";
import { type MetadataEntry, type NewMetadata, removeMetadata, setMetadata } from "../metadata";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";

const ownerOf = ({ id, organizationId }: Pick<UserRow, "id" | "organizationId">) =>
  ({ kind: "user", id, organizationId }) as const;

/** Lists the metadata of a user by key. */
export async function listUserMetadata(ctx: Context, ref: UserRef): Promise<MetadataEntry[] | ApiError> {
  const user = await readListedUser(ctx, ref);
  return isApiError(user) ? user : listMetadata(ctx.db, { kind: "user", id: user.id });
}

/** Sets values, all or none. */
export function setUserMetadata(
  ctx: Context,
  ref: UserRef,
  entries: readonly NewMetadata[],
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, origin, async (tx, user) => {
    await lockUser(ctx.db, tx, user.id);
    return setMetadata(ctx, tx, ownerOf(user), entries, origin);
  });
}

/** Removes values. If one of the keys has none, nothing is removed. */
export function removeUserMetadata(
  ctx: Context,
  ref: UserRef,
  keys: readonly string[],
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, origin, (tx, user) => removeMetadata(ctx, tx, ownerOf(user), keys, origin));
}
