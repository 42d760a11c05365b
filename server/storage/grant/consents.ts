/** Rows of consents: one for each user and app, with all scopes that were granted so far. */
import type { Database, Transaction } from "../database";
import { readOne, write } from "../in-transaction";
import { type Params, statement, tables } from "../statement";

interface ConsentKey {
  userId: string;
  clientId: string;
}

const consent = statement(($: Params<ConsentKey>) =>
  tables.selectFrom("Consent").select("scope").where("userId", "=", $("userId")).where("clientId", "=", $("clientId")),
);

/** Returns the scopes that a user has granted an app; undefined if there is no consent. */
export async function findConsent(db: Database, userId: string, clientId: string): Promise<string[] | undefined> {
  const row = await db.one(consent({ userId, clientId }));
  return row && scopesOf(row.scope);
}

export async function readConsent(tx: Transaction, userId: string, clientId: string): Promise<string[] | undefined> {
  const row = await readOne(tx, consent({ userId, clientId }));
  return row && scopesOf(row.scope);
}

const upsertConsent = statement(($: Params<ConsentKey & { scope: string; now: number }>) =>
  tables
    .insertInto("Consent")
    .values({
      ...{ userId: $("userId"), clientId: $("clientId"), scope: $("scope") },
      ...{ createdAt: $("now"), changedAt: $("now") },
    })
    .onConflict((conflict) =>
      conflict
        .columns(["userId", "clientId"])
        .doUpdateSet((eb) => ({ scope: eb.ref("excluded.scope"), changedAt: eb.ref("excluded.changedAt") })),
    ),
);

export async function writeConsent(
  tx: Transaction,
  { userId, clientId, scope }: ConsentKey & { scope: readonly string[] },
  now: number,
): Promise<void> {
  await write(tx, upsertConsent({ userId, clientId, scope: scope.join(" "), now }));
}

const removeConsent = statement(($: Params<ConsentKey>) =>
  tables.deleteFrom("Consent").where("userId", "=", $("userId")).where("clientId", "=", $("clientId")),
);

/**
 * Deletes a consent.
 * @returns whether it existed
 */
export async function deleteConsent(tx: Transaction, userId: string, clientId: string): Promise<boolean> {
  return (await write(tx, removeConsent({ userId, clientId }))) > 0;
}

function scopesOf(text: string): string[] {
  return text.split(" ").filter((scope) => scope !== "");
}
