/**
 * The start of every change of a user by another caller. The user is looked up in the organization the caller may act
 * in, so that another organization's user looks like one that does not exist, and must not have more permissions than
 * the caller.
 */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readUser, type UserRow } from "../../storage/user/user";
import { changeDirectory } from "../change";
import { checkNoRoleGiven, listCoveredRoles } from "../member/privileges";
import { noSuchUser } from "../not-found";

export interface UserRef {
  organizationId: string;
  userId: string;
  /** Undefined for both kinds. */
  kind?: "human" | "machine";
}

/**
 * Changes a user.
 * @param origin.actor the caller, whose permissions must cover the user's, unless they change themselves. Operations
 * have checked that before (server/api/operation/target.ts); the transaction only detects roles given since then.
 */
export async function changeUser<T>(
  ctx: Context,
  ref: UserRef,
  origin: Origin,
  work: (tx: Transaction, user: UserRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const covered = await listCoveredRoles(ctx, origin.actor, ref.userId);
  return changeDirectory(ctx, async (tx) => {
    const user = await readUser(tx, ref.userId);
    if (user?.organizationId !== ref.organizationId) return noSuchUser();
    if (ref.kind && user.kind !== ref.kind) return wrongUserKind(ref.kind);
    if (isApiError(covered)) return covered;
    const overtaken = origin.actor === user.id ? undefined : await checkNoRoleGiven(tx, user.id, covered);
    return overtaken ?? work(tx, user);
  });
}

export function wrongUserKind(wanted: "human" | "machine"): ApiError {
  return wanted === "human"
    ? failedPrecondition("user.not_human", "This is only for human users, and the user is a machine.")
    : failedPrecondition("user.not_machine", "This is only for machines, and the user is human.");
}
