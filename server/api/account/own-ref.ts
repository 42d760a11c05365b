/** What the operations on the caller's own account have in common. */
import type { Context } from "../../context";
import type { UserRef } from "../../directory/user/change";
import type { ApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import type { OperationCall } from "../operation/operation";

type Call = Pick<OperationCall<unknown, unknown>, "caller">;

/** Everybody may do these about themselves; an app, if it may use the management APIs. */
export const OWN = { tag: "Own account", scope: { level: "caller" } } as const;
export const OWN_PATH = "/auth/v1/users/me";

export const ownRef = ({ caller: { userId, organizationId } }: Call): UserRef => ({ userId, organizationId });

/** Waits for a change of the caller's account. */
export async function changedOwn(ctx: Context, call: Call, outcome: Promise<undefined | ApiError>) {
  return (await outcome) ?? ownDetails(ctx, call);
}

/** The answer of a change that was made. */
export const ownDetails = (ctx: Context, { caller }: Call) => changedAnswer(ctx, "user", caller.userId);
