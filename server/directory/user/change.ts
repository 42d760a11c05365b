/**
 * The start of every change of a user by another caller. The user is looked up in the organization the caller may act
 * in, so that another organization's user looks like one that does not exist, and must not have more permissions than
 * the caller.
 */
import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
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
 * @param ctx the permissions of its actor must cover the user's, unless they change themselves. Operations have checked
 * that before (server/api/operation/target.ts); the transaction only detects roles given since then.
 */
export async function changeUser<T>(
  ctx: OriginContext,
  ref: UserRef,
  work: (ctx: ChangeContext, user: UserRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const covered = await listCoveredRoles(ctx, ctx.origin.actor, ref.userId);
  return changeDirectory(ctx, async (ctx) => {
    const user = await readUser(ctx.tx, ref.userId);
    if (user?.organizationId !== ref.organizationId) return noSuchUser();
    if (ref.kind && user.kind !== ref.kind) return wrongUserKind(ref.kind);
    if (isApiError(covered)) return covered;
    const overtaken = ctx.origin.actor === user.id ? undefined : await checkNoRoleGiven(ctx.tx, user.id, covered);
    return overtaken ?? work(ctx, user);
  });
}

export function wrongUserKind(wanted: "human" | "machine"): ApiError {
  return wanted === "human"
    ? failedPrecondition("user.not_human", "This is only for human users, and the user is a machine.")
    : failedPrecondition("user.not_machine", "This is only for machines, and the user is human.");
}
