/**
 * Rows of passkeys (WebAuthn credentials). They contain only public data, so a copy of the database does not help to
 * sign in.
 */
import type { Database, Transaction } from "../database";
import type { Passkey } from "../generated/sqlite/client";

/** Times are epoch milliseconds; booleans may be 0 or 1. */
export interface PasskeyRow {
  id: string;
  userId: string;
  name: string;
  publicKey: string;
  counter: number;
  /** Space-delimited. */
  transports: string;
  aaguid: string;
  isMultiDevice: boolean | number;
  isBackedUp: boolean | number;
  isUserVerified: boolean | number;
  createdAt: number;
  usedAt: number | null;
}

const COLUMNS = `"id", "userId", "name", "publicKey", "counter", "transports", "aaguid", "isMultiDevice", "isBackedUp",
       "isUserVerified", "createdAt", "usedAt"`;

export function listPasskeys(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db.all<PasskeyRow>(`SELECT ${COLUMNS} FROM "Passkey" WHERE "userId" = $1 ORDER BY "createdAt", "id"`, [
    userId,
  ]);
}

export function findPasskey(db: Database, id: string): Promise<PasskeyRow | undefined> {
  return db.one<PasskeyRow>(`SELECT ${COLUMNS} FROM "Passkey" WHERE "id" = $1`, [id]);
}

/**
 * Records a signature. Returns false if the counter has changed since the signature was checked, which means that a
 * copy of the authenticator has signed meanwhile (WebAuthn Level 3 §6.1.1).
 */
export async function takeSignature(
  db: Database,
  passkey: Pick<PasskeyRow, "id" | "counter">,
  after: { counter: number; isBackedUp: boolean; now: number },
): Promise<boolean> {
  const changed = await db.run(
    `UPDATE "Passkey" SET "counter" = $1, "isBackedUp" = $2, "usedAt" = $3 WHERE "id" = $4 AND "counter" = $5`,
    [after.counter, after.isBackedUp, new Date(after.now), passkey.id, passkey.counter],
  );
  return changed === 1;
}

export type NewPasskey = Omit<Passkey, "createdAt" | "usedAt">;

export async function insertPasskey(tx: Transaction, passkey: NewPasskey, now: number): Promise<void> {
  await tx.passkey.create({ data: { ...passkey, createdAt: new Date(now), usedAt: null } });
}

export function countPasskeys(tx: Transaction, userId: string): Promise<number> {
  return tx.passkey.count({ where: { userId } });
}

/**
 * Renames a passkey.
 * @returns whether the user has this passkey under another name
 */
export async function renamePasskeyRow(tx: Transaction, userId: string, id: string, name: string): Promise<boolean> {
  const { count } = await tx.passkey.updateMany({ where: { id, userId, name: { not: name } }, data: { name } });
  return count === 1;
}

export async function deletePasskey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.passkey.deleteMany({ where: { id, userId } });
  return count === 1;
}
