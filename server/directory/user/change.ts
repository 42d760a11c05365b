/**
 * What every change of a user by somebody else begins with: the user is looked up in the organization the caller may
 * act in, so that another organization's user looks like one that does not exist, and must not have more permissions
 * than the caller.
 */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { deleteUser, readUser, type UserRow, updateUser } from "../../storage/users";
import { changeDirectory } from "../change";
import { checkOwnerLeft } from "../member/last-owner";
import { checkNoRoleGiven, listCoveredRoles } from "../member/power";
import { noSuchUser } from "../not-found";

export interface UserPlace {
  organizationId: string;
  userId: string;
  /** Undefined for both. */
  kind?: "human" | "machine";
}

/**
 * @param origin.actor the caller, whose permissions must cover the user's, unless they change themselves; operations
 * have asked that before (server/api/over.ts), the transaction only notices what was given since
 */
export async function changeUser<T>(
  ctx: Context,
  place: UserPlace,
  origin: Origin,
  work: (tx: Transaction, user: UserRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const covered = await listCoveredRoles(ctx, origin.actor, place.userId);
  return changeDirectory(ctx, async (tx) => {
    const user = await readUser(tx, place.userId);
    if (user?.organizationId !== place.organizationId) return noSuchUser();
    if (place.kind && user.kind !== place.kind) return wrongKind(place.kind);
    if (isApiError(covered)) return covered;
    const overtaken = origin.actor === user.id ? undefined : await checkNoRoleGiven(tx, user.id, covered);
    return overtaken ?? work(tx, user);
  });
}

export function wrongKind(wanted: "human" | "machine"): ApiError {
  return wanted === "human"
    ? failedPrecondition("user.not_human", "That is for people; this is a machine.")
    : failedPrecondition("user.not_machine", "That is for machines; this is a person.");
}

export type StateChange = "lock" | "unlock" | "deactivate" | "reactivate";

/** The states each change may start from, the state it leads to, and its event. */
const CHANGES = {
  lock: { from: ["active"], to: "locked", event: "user.locked" },
  unlock: { from: ["locked"], to: "active", event: "user.unlocked" },
  deactivate: { from: ["active", "locked"], to: "inactive", event: "user.deactivated" },
  reactivate: { from: ["inactive"], to: "active", event: "user.reactivated" },
} as const;

/** Changes a user's state. Sessions and tokens of a user who is not active are invalid from the next request on. */
export function setUserState(
  ctx: Context,
  place: UserPlace,
  change: StateChange,
  origin: Origin,
): Promise<Details | ApiError> {
  const { from, to, event: type } = CHANGES[change];
  return changeUser(ctx, place, origin, async (tx, user) => {
    if (!(from as readonly string[]).includes(user.state)) {
      return failedPrecondition(`user.is_${user.state}`, `The user is ${user.state}.`);
    }
    const refusal = to === "active" ? undefined : await checkOwnerLeft(ctx, tx, { userId: user.id });
    if (refusal) return refusal;
    return recordIn(ctx, tx, {
      type,
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        await updateUser(tx, user.id, { state: to }, now);
        return type === "user.locked" ? { payload: { reason: "by an administrator" } } : {};
      },
    });
  });
}

/** Removes a user with everything of theirs, except the audit trail. */
export function removeUser(ctx: Context, place: UserPlace, origin: Origin): Promise<Details | ApiError> {
  return changeUser(ctx, place, origin, async (tx, user) => {
    const refusal = await checkOwnerLeft(ctx, tx, { userId: user.id });
    if (refusal) return refusal;
    return recordIn(ctx, tx, {
      type: "user.removed",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state() {
        await deleteUser(tx, user.id);
        return { payload: { userName: user.userName } };
      },
    });
  });
}
