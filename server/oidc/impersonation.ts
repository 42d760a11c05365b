/**
 * Impersonation (RFC 8693 §1.1): who may act for another user. It requires the instance's security setting and a
 * dedicated role, held at the time of use. A role for impersonating end users never covers administrators, or support
 * staff could make themselves owners (CVE-2026-109374). Every actor in the chain must be permitted, so that no one
 * gains rights through a more powerful actor.
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { hasPermission } from "../directory/member/permissions";
import { record } from "../events/record";
import { type Actor, actorSubjects } from "../protocol/actor";
import { hasAnyRole } from "../storage/member/membership";
import { findExchangeUser } from "../storage/user/user";

export type ImpersonationRefusal = "impersonation is not switched on" | "the actor may not act for this user";

/** Returns the error for a user that does not exist: the same as for one whom the actor may not act for. */
export async function refusalOfUnknown(ctx: Context): Promise<ImpersonationRefusal> {
  const { security } = await findInstance(ctx);
  return security.enableImpersonation === true
    ? "the actor may not act for this user"
    : "impersonation is not switched on";
}

/** Returns why the chain may not act for the user, or undefined. Acting for oneself needs no permission. */
export async function checkImpersonation(
  ctx: Context,
  subject: { userId: string; organizationId: string },
  actor: Actor | undefined,
): Promise<ImpersonationRefusal | undefined> {
  const actors = [...new Set(actorSubjects(actor))].filter((userId) => userId !== subject.userId);
  if (actors.length === 0) return undefined;
  const { security } = await findInstance(ctx);
  if (security.enableImpersonation !== true) return "impersonation is not switched on";
  const permission = (await hasAnyRole(ctx.db, subject.userId)) ? "admin.impersonation" : "impersonation";
  const { organizationId } = subject;
  for (const userId of actors) {
    const user = await findExchangeUser(ctx.db, userId);
    const may = user?.isActive && (await hasPermission(ctx, userId, permission, { organizationId }));
    if (!may) return "the actor may not act for this user";
  }
  return undefined;
}

/** Records a rejected attempt in the history of the user it was aimed at. */
export async function recordRefusal(
  ctx: Context,
  subject: { userId: string; organizationId: string },
  actor: Actor | undefined,
  clientId: string,
  reason: ImpersonationRefusal,
): Promise<void> {
  const [actorId = subject.userId] = actorSubjects(actor);
  await record(ctx, {
    type: "user.impersonation.refused",
    aggregateId: subject.userId,
    resourceOwner: subject.organizationId,
    origin: { actor: actorId },
    state: async () => ({ payload: { actors: actorSubjects(actor), clientId, reason } }),
  });
  ctx.log.warn({ actorId, userId: subject.userId, clientId }, `impersonation refused: ${reason}`);
}
