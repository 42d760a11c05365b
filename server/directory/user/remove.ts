/** Removes users and machines. */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { deleteUser } from "../../storage/user/user";
import { checkOwnerLeft } from "../member/last-instance-owner";
import { changeUser, type UserRef } from "./change";

/** Removes a user with all of their data, except the audit trail. */
export function removeUser(ctx: Context, ref: UserRef, origin: Origin): Promise<Details | ApiError> {
  return changeUser(ctx, ref, origin, async (tx, user) => {
    const refusal = await checkOwnerLeft(ctx, tx, { userId: user.id });
    if (refusal) return refusal;
    return recordIn(ctx, tx, {
      type: "user.removed",
      object: user,
      origin,
      async state() {
        await deleteUser(tx, user.id);
        return { payload: { userName: user.userName } };
      },
    });
  });
}
