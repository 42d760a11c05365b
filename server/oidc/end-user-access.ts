/**
 * Ends a user's access on behalf of an administrator or of the user: one grant, all grants, or every session, grant and
 * token. Apps that registered for back-channel logout are notified.
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import type { UserRef } from "../directory/user/change";
import { readListedUser } from "../directory/user/list";
import { inTransaction, type Origin, type OriginContext, recordIn } from "../events/record";
import { type ApiError, isApiError, notFound } from "../protocol/api-error";
import { type ActiveGrantRow, listActiveGrants } from "../storage/grant/connected-apps";
import { revokeGrantRow } from "../storage/grant/ended-grants";
import { endSessionRow, listSessionsOfUser } from "../storage/session/session";
import { updateUser } from "../storage/user/user";

const reasonOf = ({ actor }: Origin, userId: string) =>
  actor === userId ? "revoked by the user" : "revoked by an administrator";

export type ActiveGrant = ActiveGrantRow;

/** Returns a user's live grants, last used first. */
export async function listGrantsOfPerson(ctx: Context, ref: UserRef): Promise<ActiveGrant[] | ApiError> {
  const user = await readListedUser(ctx, { ...ref, kind: "human" });
  return isApiError(user) ? user : listActiveGrants(ctx.db, user.id, ctx.clock());
}

/** Ends one live grant of a user, with its tokens. */
export async function endGrant(ctx: OriginContext, ref: UserRef, grantId: string): Promise<undefined | ApiError> {
  const active = await listGrantsOfPerson(ctx, ref);
  if (isApiError(active)) return active;
  const meant = active.filter(({ id }) => id === grantId);
  const ended = await endActiveGrants(ctx, ref, meant);
  return ended > 0 ? undefined : notFound("grant.not_found", "No app has this access any more.");
}

/** Ends all live grants of a user. */
export async function endGrants(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  const active = await listGrantsOfPerson(ctx, ref);
  if (isApiError(active)) return active;
  await endActiveGrants(ctx, ref, active);
  return undefined;
}

/** @returns how many grants were ended */
function endActiveGrants(
  ctx: OriginContext,
  { userId, organizationId }: UserRef,
  grants: readonly ActiveGrant[],
): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    let ended = 0;
    for (const { id, clientId } of grants) {
      if (!(await revokeGrantRow(ctx.tx, id, ctx.clock()))) continue;
      ended++;
      await recordIn(ctx, {
        type: "user.grant.revoked",
        object: { id: userId, organizationId },
        state: async () => ({ payload: { grantId: id, clientId, reason: reasonOf(ctx.origin, userId) } }),
      });
    }
    return ended;
  });
}

/** Signs a user out everywhere: every session, grant and token issued until now becomes invalid. */
export async function signOutEverywhere(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  const user = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(user)) return user;
  const now = ctx.clock();
  const sessions = await listSessionsOfUser(ctx.db, user.id, now, now - ctx.config.lifetimes.sessionIdle);
  await changeDirectory(ctx, async (ctx) => {
    for (const { id: sessionId } of sessions) {
      await recordIn(ctx, {
        type: "user.signed_out",
        object: user,
        async state(_, at) {
          await endSessionRow(ctx.tx, sessionId, at, "all");
          return { payload: { sessionId } };
        },
      });
    }
    await recordIn(ctx, {
      type: "user.signed_out_everywhere",
      object: user,
      async state(_, at) {
        await updateUser(ctx.tx, user.id, { validFrom: at }, at);
        return {};
      },
    });
  });
  return undefined;
}
