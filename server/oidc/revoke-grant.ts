/** Ending a grant: one statement invalidates its whole family of tokens, and the audit trail says why. */
import type { Context } from "../context";
import { type Origin, record, recordIn, UNCHANGED } from "../events/record";
import { readOpenGrants } from "../storage/connected-apps";
import type { Transaction } from "../storage/database";
import { type GrantRow, revokeGrantRow } from "../storage/grants";

export type RevocationReason = "code used twice" | "refresh token used twice" | "revoked by the client";
const DISCONNECTED = "disconnected by the user";

/** A grant with the organization its user belongs to, for the audit trail. */
export type OwnedGrant = Pick<GrantRow, "id" | "clientId" | "userId"> & { organizationId: string };

/** Revokes a grant, unless it has already ended. */
export async function revokeGrant(ctx: Context, grant: OwnedGrant, reason: RevocationReason): Promise<void> {
  await record(ctx, {
    type: "user.grant.revoked",
    aggregateId: grant.userId,
    resourceOwner: grant.organizationId,
    origin: { actor: "system" },
    async state(tx, now) {
      if (!(await revokeGrantRow(tx, grant.id, now))) return UNCHANGED;
      // A client revoking its own token is ordinary; a reused token is suspicious.
      const level = reason === "revoked by the client" ? "info" : "warn";
      ctx.log[level]({ grantId: grant.id, clientId: grant.clientId, userId: grant.userId }, `grant revoked: ${reason}`);
      return { payload: { grantId: grant.id, clientId: grant.clientId, reason } };
    },
  });
}

/** Revokes everything a person has granted an app, codes and tokens included. */
export async function revokeGrantsOf(
  ctx: Context,
  tx: Transaction,
  { user, clientId }: { user: { id: string; organizationId: string }; clientId: string },
  origin: Origin,
): Promise<void> {
  for (const grantId of await readOpenGrants(tx, { userId: user.id, clientId }, ctx.clock())) {
    await recordIn(ctx, tx, {
      type: "user.grant.revoked",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        if (!(await revokeGrantRow(tx, grantId, now))) return UNCHANGED;
        return { payload: { grantId, clientId, reason: DISCONNECTED } };
      },
    });
  }
}
