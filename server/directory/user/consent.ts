/**
 * The consents of users: an app that requests no more than the user has agreed to is not asked about again (ASVS
 * 10.7.1). The audit trail records when consent is given and withdrawn.
 */
import type { Context } from "../../context";
import { type Cause, type ChangeContext, record, recordIn, UNCHANGED } from "../../events/record";
import { isSubset } from "../../protocol/scope";
import { deleteConsent, findConsent, readConsent, writeConsent } from "../../storage/grant/consents";
import { noticesAbout } from "./notices";

/** A user's agreement to an app's scope. */
export interface Agreement {
  user: { userId: string; organizationId: string };
  clientId: string;
  scope: readonly string[];
}

/** Returns what the user has agreed to before: scopes, and permissions at resources. */
export async function agreedBefore(ctx: Context, userId: string, clientId: string): Promise<readonly string[]> {
  return (await findConsent(ctx.db, userId, clientId)) ?? [];
}

/** Returns whether the user has agreed to all of the scope. */
export async function hasAgreed(ctx: Context, { user, clientId, scope }: Agreement): Promise<boolean> {
  const agreed = await findConsent(ctx.db, user.userId, clientId);
  return agreed !== undefined && isSubset(scope, agreed);
}

/**
 * Adds to what the user has agreed to.
 * @param app the app; the user is notified by mail if no one in their organization answers for it
 */
export async function rememberConsent(
  ctx: Context,
  { user, clientId, scope }: Agreement,
  app: { name: string; isForeign: boolean },
  cause: Cause,
): Promise<void> {
  const { userId, organizationId } = user;
  await record(
    { ...ctx, origin: { actor: userId, ...cause } },
    {
      type: "user.consent.given",
      object: { id: userId, organizationId },
      async state(ctx, now) {
        const before = await readConsent(ctx.tx, userId, clientId);
        if (before && isSubset(scope, before)) return UNCHANGED;
        const after = [...new Set([...(before ?? []), ...scope])];
        await writeConsent(ctx.tx, { userId, clientId, scope: after }, now);
        const facts = { at: now, change: app.name, clientId };
        const messages = app.isForeign ? await noticesAbout(ctx, userId, "appConsent", facts) : [];
        return { payload: { clientId, scope: after }, messages };
      },
    },
  );
}

/**
 * Withdraws consent, so that the user is asked again next time. Disconnecting an app also revokes its grants.
 * @returns whether there was a consent
 */
export async function withdrawConsent(ctx: ChangeContext, user: Agreement["user"], clientId: string): Promise<boolean> {
  let forgotten = false;
  await recordIn(ctx, {
    type: "user.consent.withdrawn",
    object: { id: user.userId, organizationId: user.organizationId },
    async state() {
      forgotten = await deleteConsent(ctx.tx, user.userId, clientId);
      return forgotten ? { payload: { clientId } } : UNCHANGED;
    },
  });
  return forgotten;
}
