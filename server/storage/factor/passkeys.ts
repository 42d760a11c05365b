/**
 * Rows of passkeys (WebAuthn credentials). They contain only public data, so a copy of the database does not help to
 * sign in. Transports are space-delimited.
 */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readCount, write } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

export type PasskeyRow = Selectable<Tables["Passkey"]>;

const ofUser = statement(($: Params<{ userId: string }>) =>
  tables.selectFrom("Passkey").selectAll().where("userId", "=", $("userId")).orderBy("createdAt").orderBy("id"),
);

export function listPasskeys(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db.all(ofUser({ userId }));
}

const withId = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("Passkey").selectAll().where("id", "=", $("id")),
);

export function findPasskey(db: Database, id: string): Promise<PasskeyRow | undefined> {
  return db.one(withId({ id }));
}

/** Counters are unsigned 32-bit numbers, but columns are signed. */
export const MAX_COUNTER = 2 ** 31 - 1;

/**
 * Records a signature. Returns false if the counter has changed since the signature was checked, which means that a
 * copy of the authenticator has signed meanwhile (WebAuthn Level 3 §6.1.1).
 */
export async function takeSignature(
  db: Database,
  passkey: Pick<PasskeyRow, "id" | "counter">,
  { now, ...after }: { counter: number; isBackedUp: boolean; now: number },
): Promise<boolean> {
  const update = tables
    .updateTable("Passkey")
    .set({ ...after, usedAt: now })
    .where("id", "=", passkey.id)
    .where("counter", "=", passkey.counter);
  return (await db.run(bind(update))) === 1;
}

export type NewPasskey = Omit<PasskeyRow, "createdAt" | "usedAt">;

export async function insertPasskey(tx: Transaction, passkey: NewPasskey, now: number): Promise<void> {
  await write(tx, bind(tables.insertInto("Passkey").values({ ...passkey, createdAt: now, usedAt: null })));
}

export function countPasskeys(tx: Transaction, userId: string): Promise<number> {
  return readCount(tx, tables.selectFrom("Passkey").where("userId", "=", userId));
}

/**
 * Renames a passkey.
 * @returns whether the user has this passkey under another name
 */
export async function renamePasskeyRow(tx: Transaction, userId: string, id: string, name: string): Promise<boolean> {
  const update = tables.updateTable("Passkey").set({ name });
  const changed = update.where("id", "=", id).where("userId", "=", userId).where("name", "<>", name);
  return (await write(tx, bind(changed))) === 1;
}

export async function deletePasskey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const deletion = tables.deleteFrom("Passkey").where("id", "=", id).where("userId", "=", userId);
  return (await write(tx, bind(deletion))) === 1;
}
