/**
 * What people have agreed to: an app that asks for no more is let in without asking again (ASVS 10.7.1). The audit
 * trail records when consent is given and withdrawn.
 */
import type { Context } from "../../context";
import { type Cause, recordIn, UNCHANGED } from "../../events/record";
import { isSubset } from "../../protocol/scope";
import { deleteConsent, findConsent, readConsent, writeConsent } from "../../storage/consents";
import type { Transaction } from "../../storage/database";
import { noticesAbout } from "./notices";

/** Who agrees to what. */
export interface Agreement {
  user: { userId: string; organizationId: string };
  clientId: string;
  scope: readonly string[];
}

/** Whether the person has agreed to all of the scope. */
export async function hasAgreed(ctx: Context, { user, clientId, scope }: Agreement): Promise<boolean> {
  const agreed = await findConsent(ctx.db, user.userId, clientId);
  return agreed !== undefined && isSubset(scope, agreed);
}

/** Adds to what the person has agreed to. @param app of another organization: the person is told by mail */
export async function rememberConsent(
  ctx: Context,
  { user, clientId, scope }: Agreement,
  app: { name: string; organizationId: string },
  cause: Cause,
): Promise<void> {
  const { userId, organizationId } = user;
  await ctx.db.transaction((tx) =>
    recordIn(ctx, tx, {
      type: "user.consent.given",
      aggregateId: userId,
      resourceOwner: organizationId,
      origin: { actor: userId, ...cause },
      async state(_, now) {
        const before = await readConsent(tx, userId, clientId);
        if (before && isSubset(scope, before)) return UNCHANGED;
        const after = [...new Set([...(before ?? []), ...scope])];
        await writeConsent(tx, { userId, clientId, scope: after }, now);
        const isForeign = app.organizationId !== organizationId;
        const facts = { at: now, change: app.name, clientId };
        const origin = { actor: userId, ...cause };
        const messages = isForeign ? await noticesAbout(ctx, tx, userId, "appConsent", facts, origin) : [];
        return { payload: { clientId, scope: after }, messages };
      },
    }),
  );
}

/**
 * Withdraws consent, so that the person is asked again next time. Part of disconnecting an app, along with revoking its
 * grants.
 * @returns whether there was anything to forget
 */
export async function withdrawConsent(
  ctx: Context,
  tx: Transaction,
  user: Agreement["user"],
  clientId: string,
  cause: Cause = {},
): Promise<boolean> {
  let forgotten = false;
  await recordIn(ctx, tx, {
    type: "user.consent.withdrawn",
    aggregateId: user.userId,
    resourceOwner: user.organizationId,
    origin: { actor: user.userId, ...cause },
    async state() {
      forgotten = await deleteConsent(tx, user.userId, clientId);
      return forgotten ? { payload: { clientId } } : UNCHANGED;
    },
  });
  return forgotten;
}
