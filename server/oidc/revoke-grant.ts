/** Revokes grants: one statement invalidates a whole family of tokens, and the audit trail contains the reason. */
import { type ChangeContext, type OriginContext, record, recordIn, UNCHANGED } from "../events/record";
import { readValidGrants } from "../storage/grant/connected-apps";
import { type OwnedGrant, revokeGrantRow } from "../storage/grant/ended-grants";

export type RevocationReason =
  | "code used twice"
  | "refresh token used twice"
  | "revoked by the client"
  | "the app signed out"
  | "signed out everywhere else";

/** Revokes a grant, unless it has already ended. */
export async function revokeGrant(ctx: OriginContext, grant: OwnedGrant, reason: RevocationReason): Promise<void> {
  await record(ctx, {
    type: "user.grant.revoked",
    object: { id: grant.userId, organizationId: grant.organizationId },
    async state({ tx }, now) {
      if (!(await revokeGrantRow(tx, grant.id, now))) return UNCHANGED;
      // A client that ends its own access is ordinary; a reused token is suspicious.
      const level = reason.endsWith("used twice") ? "warn" : "info";
      ctx.log[level]({ grantId: grant.id, clientId: grant.clientId, userId: grant.userId }, `grant revoked: ${reason}`);
      return { payload: { grantId: grant.id, clientId: grant.clientId, reason } };
    },
  });
}

/** Revokes everything that a user has granted an app, including codes and tokens. */
export async function revokeGrantsOf(
  ctx: ChangeContext,
  { user, clientId }: { user: GrantOwner; clientId: string },
): Promise<void> {
  for (const id of await readValidGrants(ctx.tx, { userId: user.id, clientId }, ctx.clock())) {
    await revokeGrantIn(ctx, user, { id, clientId }, "disconnected by the user");
  }
}

interface GrantOwner {
  id: string;
  organizationId: string;
}

/** Revokes a grant that its user ends, unless it has already ended. */
export async function revokeGrantIn(
  ctx: ChangeContext,
  user: GrantOwner,
  { id: grantId, clientId }: { id: string; clientId: string },
  reason: "disconnected by the user" | "agent stopped by the user",
): Promise<void> {
  await recordIn(ctx, {
    type: "user.grant.revoked",
    object: user,
    async state(_, now) {
      if (!(await revokeGrantRow(ctx.tx, grantId, now))) return UNCHANGED;
      return { payload: { grantId, clientId, reason } };
    },
  });
}
