/**
 * Impersonation (RFC 8693 §1.1): who may act for another user. It requires the instance's security setting and a
 * dedicated role, held at the time of use. A role for impersonating end users never covers administrators, or support
 * staff could make themselves owners (CVE-2026-109374). Every actor in the chain must be permitted, so that no one
 * gains rights through a more powerful actor. Agents that a user works with need no role, see findGrounds.
 */
import type { Context } from "../context";
import { findAudienceResources } from "../directory/app/resources";
import { findInstance } from "../directory/instance";
import { hasPermission } from "../directory/member/permissions";
import { record } from "../events/record";
import { type Actor, actorSubjects, readActor } from "../protocol/actor";
import type { Client } from "../protocol/client";
import { isSubset } from "../protocol/scope";
import { findGrant, type ValidGrant } from "../storage/grant/grant";
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

/** On what grounds a chain of actors may act for a user. */
export type Grounds = { by: "role" | "agent" } | { refusal: ImpersonationRefusal };

interface Acting {
  subject: { userId: string; organizationId: string };
  actor: Actor | undefined;
  /** Whether the client presents a token of the user that was issued to itself. */
  isOwnToken: boolean;
}

/**
 * Returns the grounds on which the chain may act for the user. Acting for oneself needs no permission, and neither does
 * an agent of the client that the user signed in to (rule EXCHANGE-7): the client itself or a machine of its
 * organization. The client could use the user's token anyway, and the new one names the agent.
 */
export async function findGrounds(
  ctx: Context,
  client: Client,
  { subject, actor, isOwnToken }: Acting,
): Promise<Grounds> {
  const actors = [...new Set(actorSubjects(actor))].filter((id) => id !== subject.userId);
  if (actors.length === 0) return { by: "role" };
  const { security } = await findInstance(ctx);
  if (security.enableImpersonation !== true) return { refusal: "impersonation is not switched on" };
  const permission = (await hasAnyRole(ctx.db, subject.userId)) ? "admin.impersonation" : "impersonation";
  const { organizationId } = subject;
  let by: "role" | "agent" = "role";
  for (const id of actors) {
    const user = await findExchangeUser(ctx.db, id); // none for a client: no id is given twice (rule ID-2)
    if (user?.isActive && (await hasPermission(ctx, id, permission, { organizationId }))) continue;
    const isMachine = user?.isActive && user.kind === "machine" && user.organizationId === client.organizationId;
    if (!isOwnToken || !(id === client.clientId || isMachine))
      return { refusal: "the actor may not act for this user" };
    by = "agent";
  }
  return { by };
}

/** Returns why the actors of a grant may not act for its user any more, or undefined. */
export async function checkActors(
  ctx: Context,
  client: Client,
  grant: ValidGrant,
): Promise<ImpersonationRefusal | undefined> {
  const parent = grant.parentId === null ? undefined : await findGrant(ctx.db, grant.parentId);
  const isOwnToken =
    parent?.clientId === client.clientId && parent.userId === grant.userId && (await isWithin(ctx, grant, parent));
  const grounds = await findGrounds(ctx, client, { subject: grant, actor: readActor(grant.actor), isOwnToken });
  return "refusal" in grounds ? grounds.refusal : undefined;
}

/** Whether a grant has no more than the one it was exchanged from: an actor by role may have lent it something. */
async function isWithin(ctx: Context, grant: ValidGrant, parent: ValidGrant): Promise<boolean> {
  const [audience, had] = [grant.audience.split(" "), parent.audience.split(" ")];
  const resources = await findAudienceResources(ctx, audience, grant);
  const isHad = (one: string) =>
    had.includes(one) || resources.some(({ uri, project }) => uri === one && had.includes(project.id));
  const scopes = [...parent.scope.split(" "), "offline_access"];
  return audience.every(isHad) && isSubset(grant.scope.split(" "), scopes);
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
  await record(
    { ...ctx, origin: { actor: actorId } },
    {
      type: "user.impersonation.refused",
      object: { id: subject.userId, organizationId: subject.organizationId },
      state: async () => ({ payload: { actors: actorSubjects(actor), clientId, reason } }),
    },
  );
  ctx.log.warn({ actorId, userId: subject.userId, clientId }, `impersonation refused: ${reason}`);
}
