/**
 * Ending what a person allowed an app: the whole family of tokens dies in one statement, and the audit trail says why.
 */
import type { Context } from "../context";
import { record, UNCHANGED } from "../events/record";
import { type GrantRow, revokeGrantRow } from "../storage/grants";

export type RevocationReason = "code used twice" | "refresh token used twice" | "revoked by the client";

/** A grant with the organization its user belongs to, for the audit trail. */
export type OwnedGrant = Pick<GrantRow, "id" | "clientId" | "userId"> & { organizationId: string };

/** Revokes a grant; nothing happens if it has ended already. */
export async function revokeGrant(ctx: Context, grant: OwnedGrant, reason: RevocationReason): Promise<void> {
  await record(ctx, {
    type: "user.grant.revoked",
    aggregateId: grant.userId,
    resourceOwner: grant.organizationId,
    origin: { actor: "system" },
    async state(tx, now) {
      if (!(await revokeGrantRow(tx, grant.id, now))) return UNCHANGED;
      ctx.log.warn({ grantId: grant.id, clientId: grant.clientId, userId: grant.userId }, `grant revoked: ${reason}`);
      return { payload: { grantId: grant.id, clientId: grant.clientId, reason } };
    },
  });
}
