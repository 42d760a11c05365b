/**
 * Secrets of apps. Several can be valid at once, so that an app can change its secret without an interruption; the time
 * of last use shows whether the old one can be removed. Only digests are stored (RFC 6749 §10.1).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId } from "../../crypto/random";
import { type Origin, recordIn } from "../../events/record";
import type { ClientSecret } from "../../protocol/client";
import { type AppSecretRow, deleteAppSecret, insertAppSecret, markSecretUsed } from "../../storage/app/credentials";
import type { Transaction } from "../../storage/database";

/** The maximum number of secrets of an app. */
export const MAX_SECRETS = 5;

/** Returns whether an app with these settings authenticates with a secret, which is the default. */
export function usesSecret({ authMethodType = "OIDC_AUTH_METHOD_TYPE_BASIC" }: { authMethodType?: string }): boolean {
  return /_(?:BASIC|POST)$/.test(authMethodType);
}

/** The fields of an app that its events need. */
export interface OwnedApp {
  id: string;
  /** The organization of its project. */
  organizationId: string;
}

/**
 * Adds another secret.
 * @returns its id
 */
export async function addAppSecret(
  ctx: Context,
  tx: Transaction,
  app: OwnedApp,
  secret: string,
  origin: Origin,
): Promise<string> {
  const id = newId();
  await recordIn(ctx, tx, {
    type: "app.secret.set",
    aggregateId: app.id,
    resourceOwner: app.organizationId,
    origin,
    async state(_, now) {
      await insertAppSecret(tx, { id, appId: app.id, digest: digest(secret), createdAt: now });
      return { payload: { secretId: id } };
    },
  });
  return id;
}

export async function removeAppSecret(
  ctx: Context,
  tx: Transaction,
  app: OwnedApp,
  stored: Pick<AppSecretRow, "id">,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "app.secret.removed",
    aggregateId: app.id,
    resourceOwner: app.organizationId,
    origin,
    async state() {
      await deleteAppSecret(tx, stored.id);
      return { payload: { secretId: stored.id } };
    },
  });
}

/** Milliseconds. The precision of "last used", so that not every request causes a write. */
const NOTED_EVERY = 3_600_000;
const notedAt = new WeakMap<Context["db"], Map<string, number>>();

/** Records in the background that a secret was used, at most once an hour. */
export function noteSecretUse(ctx: Context, { id, usedAt }: ClientSecret): void {
  const noted = notedAt.get(ctx.db) ?? new Map<string, number>();
  notedAt.set(ctx.db, noted);
  const now = ctx.clock();
  if (now - Math.max(usedAt ?? 0, noted.get(id) ?? 0) < NOTED_EVERY) return;
  noted.set(id, now);
  markSecretUsed(ctx.db, id, now, now - NOTED_EVERY).catch((error: unknown) => {
    ctx.log.warn({ err: error, secretId: id }, "the use of a client secret could not be noted");
  });
}
