/** Rows of consents: one for each user and app, with all scopes that were granted so far. */
import type { Database, Transaction } from "../database";

/** Returns the scopes that a user has granted an app; undefined if there is no consent. */
export async function findConsent(db: Database, userId: string, clientId: string): Promise<string[] | undefined> {
  const row = await db.one<{ scope: string }>(`SELECT "scope" FROM "Consent" WHERE "userId" = $1 AND "clientId" = $2`, [
    userId,
    clientId,
  ]);
  return row && scopesOf(row.scope);
}

export async function readConsent(tx: Transaction, userId: string, clientId: string): Promise<string[] | undefined> {
  const row = await tx.consent.findUnique({ where: { userId_clientId: { userId, clientId } } });
  return row ? scopesOf(row.scope) : undefined;
}

export async function writeConsent(
  tx: Transaction,
  { userId, clientId, scope }: { userId: string; clientId: string; scope: readonly string[] },
  now: number,
): Promise<void> {
  const changed = { scope: scope.join(" "), changedAt: new Date(now) };
  await tx.consent.upsert({
    where: { userId_clientId: { userId, clientId } },
    create: { userId, clientId, ...changed, createdAt: changed.changedAt },
    update: changed,
  });
}

/**
 * Deletes a consent.
 * @returns whether it existed
 */
export async function deleteConsent(tx: Transaction, userId: string, clientId: string): Promise<boolean> {
  return (await tx.consent.deleteMany({ where: { userId, clientId } })).count > 0;
}

function scopesOf(text: string): string[] {
  return text.split(" ").filter((scope) => scope !== "");
}
