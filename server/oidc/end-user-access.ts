/**
 * Ending a user's access on behalf of an administrator: one grant, all grants, or every session, grant and token. Apps
 * that registered for back-channel logout are notified.
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { type Origin, recordIn } from "../events/record";
import { listLivingGrants } from "../storage/connected-apps";
import { revokeGrantRow } from "../storage/grants";
import { endSessionRow, listSessionsOfUser } from "../storage/sessions";
import { updateUser } from "../storage/users";

interface Owner {
  id: string;
  organizationId: string;
}

const REASON = "revoked by an administrator";

/**
 * Ends one live grant of a user, or all of them.
 * @returns how many ended
 */
export async function endGrants(ctx: Context, user: Owner, origin: Origin, grantId?: string): Promise<number> {
  const living = await listLivingGrants(ctx.db, user.id, ctx.clock());
  const meant = living.filter(({ id }) => grantId === undefined || id === grantId);
  return ctx.db.transaction(async (tx) => {
    let ended = 0;
    for (const { id, clientId } of meant) {
      if (!(await revokeGrantRow(tx, id, ctx.clock()))) continue;
      ended++;
      await recordIn(ctx, tx, {
        type: "user.grant.revoked",
        aggregateId: user.id,
        resourceOwner: user.organizationId,
        origin,
        state: async () => ({ payload: { grantId: id, clientId, reason: REASON } }),
      });
    }
    return ended;
  });
}

/** Signs a user out everywhere: every session, grant and token issued until now becomes invalid. */
export async function signOutEverywhere(ctx: Context, user: Owner, origin: Origin): Promise<void> {
  const now = ctx.clock();
  const sessions = await listSessionsOfUser(ctx.db, user.id, now, now - ctx.config.lifetimes.sessionIdle);
  await changeDirectory(ctx, async (tx) => {
    for (const { id: sessionId } of sessions) {
      await recordIn(ctx, tx, {
        type: "user.signed_out",
        aggregateId: user.id,
        resourceOwner: user.organizationId,
        origin,
        async state(_, at) {
          await endSessionRow(tx, sessionId, at);
          return { payload: { sessionId } };
        },
      });
    }
    await recordIn(ctx, tx, {
      type: "user.signed_out_everywhere",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, at) {
        await updateUser(tx, user.id, { validFrom: new Date(at) }, at);
        return {};
      },
    });
  });
}
