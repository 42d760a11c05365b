/**
 * Who acts for a user (RFC 8693 §4.1): agents that work with what the user granted an app, and administrators who
 * impersonate the user. The user sees and ends it.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { type Cause, inTransaction } from "../../events/record";
import { revokeGrantIn } from "../../oidc/revoke-grant";
import { actorSubjects, readActor } from "../../protocol/actor";
import { type ActiveGrantRow, listActiveGrants } from "../../storage/grant/connected-apps";
import { atResources, type ConnectedApp, connectedApp } from "./apps";

/** Someone who acts for a user by way of an app; the times and scopes are those of the tokens for it. */
export interface ActingAgent {
  /** An identifier for forms. */
  id: string;
  /** The name of the machine or the app; undefined for a person: administrators are not named to users. */
  name: string | undefined;
  app: ConnectedApp;
}

/** Returns who acts for the user now, the most recently active first. */
export async function listAgents(ctx: Context, userId: string): Promise<ActingAgent[]> {
  const groups = byAgent(await listActiveGrants(ctx.db, userId, ctx.clock()));
  const agents = [...groups].map(async ([id, grants]): Promise<ActingAgent> => {
    const [{ clientId, actorUserId, actorName }] = grants;
    const app = await connectedApp(ctx, clientId, await Promise.all(grants.map((row) => atResources(ctx, row))));
    return { id, name: actorUserId === null ? app.name : (actorName ?? undefined), app };
  });
  return (await Promise.all(agents)).sort((a, b) => b.app.usedAt - a.app.usedAt);
}

type Group = [ActiveGrantRow, ...ActiveGrantRow[]];

/** Groups the grants with an actor by that and the client. */
function byAgent(grants: readonly ActiveGrantRow[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const grant of grants) {
    const [current] = actorSubjects(readActor(grant.actor));
    if (current === undefined) continue;
    // A digest, as pages must not contain the ids of administrators.
    const id = digest(`${grant.actorUserId ?? current} ${grant.clientId}`);
    const group = groups.get(id);
    if (group) group.push(grant);
    else groups.set(id, [grant]);
  }
  return groups;
}

/**
 * Ends the access of an agent with all its tokens (rule EXCHANGE-8), and what the user granted the app that it was
 * made from: with that, the agent could continue at once.
 */
export async function endAgent(
  ctx: Context,
  user: { id: string; organizationId: string },
  id: string,
  cause: Cause,
): Promise<void> {
  const grants = await listActiveGrants(ctx.db, user.id, ctx.clock());
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  const ending = new Set<ActiveGrantRow>();
  for (let grant of byAgent(grants).get(id) ?? []) {
    ending.add(grant);
    for (;;) {
      // An administrator's own grant is not the user's, so it is not among these.
      const parent = grant.parentId === null ? undefined : byId.get(grant.parentId);
      if (!parent) break;
      ending.add(parent);
      grant = parent;
    }
  }
  await inTransaction({ ...ctx, origin: { actor: user.id, ...cause } }, async (ctx) => {
    for (const grant of ending) await revokeGrantIn(ctx, user, grant, "agent stopped by the user");
  });
}
