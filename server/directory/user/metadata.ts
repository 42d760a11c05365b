/** Metadata of users: data that an organization stores about them for apps, by key. */
import type { Context } from "../../context";
import type { OriginContext } from "../../events/record";
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
  ctx: OriginContext,
  ref: UserRef,
  entries: readonly NewMetadata[],
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, async (ctx, user) => {
    await lockUser(ctx.db, ctx.tx, user.id);
    return setMetadata(ctx, ownerOf(user), entries);
  });
}

/** Removes values. If one of the keys has none, nothing is removed. */
export function removeUserMetadata(
  ctx: OriginContext,
  ref: UserRef,
  keys: readonly string[],
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, (ctx, user) => removeMetadata(ctx, ownerOf(user), keys));
}
