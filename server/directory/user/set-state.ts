/** Locks, unlocks, deactivates, reactivates and removes users and machines. */
import { type Details, findDetails, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { deleteUser, updateUser } from "../../storage/user/user";
import { checkOwnerLeft } from "../member/last-instance-owner";
import { changeUser, type UserRef } from "./change";
import { noticesTo } from "./notices";
import { resetWrongPasswords } from "./reset-wrong-passwords";

export type StateChange = "lock" | "unlock" | "deactivate" | "reactivate";

type State = "active" | "inactive" | "initial" | "locked";

/** For each change, the states it may start from, the state it leads to, and its event. */
const CHANGES = {
  lock: { from: ["active"], to: "locked", event: "user.locked" },
  unlock: { from: ["locked"], to: "active", event: "user.unlocked" },
  deactivate: { from: ["active", "locked"], to: "inactive", event: "user.deactivated" },
  reactivate: { from: ["inactive"], to: "active", event: "user.reactivated" },
} as const;

/**
 * Changes a user's state. Sessions and tokens of a user who is not active are invalid from the next request on.
 * Unlocking also ends a wait after wrong passwords.
 */
export async function setUserState(ctx: OriginContext, ref: UserRef, change: StateChange): Promise<Details | ApiError> {
  const outcome = await writeState(ctx, ref, change);
  if (change !== "unlock" || (isApiError(outcome) && outcome.id !== "user.is_active")) return outcome;
  // A user who is not locked may still have to wait after wrong passwords.
  const { any } = await resetWrongPasswords(ctx, ref.userId);
  return (any ? await findDetails(ctx, "user", ref.userId) : undefined) ?? outcome;
}

function writeState(ctx: OriginContext, ref: UserRef, change: StateChange): Promise<Details | ApiError> {
  const { from, to, event: type } = CHANGES[change];
  return changeUser(ctx, ref, async (ctx, user) => {
    if (!(from as readonly string[]).includes(user.state)) {
      return failedPrecondition(`user.is_${user.state as State}`, `The user is ${user.state}.`);
    }
    const refusal = to === "active" ? undefined : await checkOwnerLeft(ctx, { userId: user.id });
    if (refusal) return refusal;
    return recordIn(ctx, {
      type,
      object: user,
      async state(_, now) {
        await updateUser(ctx.tx, user.id, { state: to }, now);
        if (type !== "user.locked") return {};
        const messages = await noticesTo(ctx, user, "accountLocked", { at: now });
        return { payload: { reason: "by an administrator" }, messages };
      },
    });
  });
}

/** Removes a user with all of their data, except the audit trail. */
export function removeUser(ctx: OriginContext, ref: UserRef): Promise<Details | ApiError> {
  return changeUser(ctx, ref, async (ctx, user) => {
    const refusal = await checkOwnerLeft(ctx, { userId: user.id });
    if (refusal) return refusal;
    return recordIn(ctx, {
      type: "user.removed",
      object: user,
      async state() {
        await deleteUser(ctx.tx, user.id);
        return { payload: { userName: user.userName } };
      },
    });
  });
}
