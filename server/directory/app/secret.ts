/**
 * Secrets of apps. Several are valid at once, so that an app moves from one to the next without a moment in which
 * neither works; when a secret was last used says whether the old one can go. Only digests are kept (RFC 6749 §10.1).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId } from "../../crypto/random";
import { type Origin, recordIn } from "../../events/record";
import type { ClientSecret } from "../../protocol/client";
import { type AppSecretRow, deleteAppSecret, insertAppSecret, markSecretUsed } from "../../storage/app-credentials";
import type { Transaction } from "../../storage/database";

/** Valid at once; more would be secrets nobody remembers. */
export const MOST_SECRETS = 5;

/** An app as events are written about it. */
export interface OwnedApp {
  id: string;
  /** That of its project. */
  organizationId: string;
}

/** Adds a secret beside those there are. @returns its id */
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
      await insertAppSecret(tx, { id, appId: app.id, digest: digest(secret), createdAt: new Date(now) });
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

/** How exact "last used" is, milliseconds: requests must not become writes. */
const NOTED_EVERY = 3_600_000;
const notedAt = new WeakMap<Context["db"], Map<string, number>>();

/** Notes that a secret works, an hour after the last time at the earliest; nobody waits for it. */
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
