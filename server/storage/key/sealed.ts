/** The columns with long-lived values sealed with SECRET_KEY, so that they can be sealed again with a new key. */
import type { Database } from "../database";

export interface SealedColumn {
  table: string;
  /** The primary key. */
  id: string;
  column: string;
  /** The purpose of the seal. */
  purpose: "signing-key" | "second-factor" | "mail";
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "SigningKey", id: "id", column: "sealedPrivate", purpose: "signing-key" },
  { table: "SecondFactor", id: "id", column: "sealedSecret", purpose: "second-factor" },
  { table: "EmailProvider", id: "id", column: "sealedAddress", purpose: "mail" },
  { table: "EmailProvider", id: "id", column: "sealedKeys", purpose: "mail" },
  { table: "SmsProvider", id: "id", column: "sealedAddress", purpose: "mail" },
  { table: "OutboxMessage", id: "id", column: "letter", purpose: "mail" },
];

export interface SealedRow {
  id: string;
  sealed: string;
}

/** Returns the next rows after an id, ordered by id. */
export function listSealed(
  db: Database,
  { table, id, column }: SealedColumn,
  after: string,
  limit: number,
): Promise<SealedRow[]> {
  return db.all<SealedRow>(
    `SELECT "${id}" AS "id", "${column}" AS "sealed" FROM "${table}"
      WHERE "${id}" > $1 AND "${column}" IS NOT NULL ORDER BY "${id}" LIMIT ${limit}`,
    [after],
  );
}

/**
 * Replaces a sealed value.
 * @returns false if the value has changed meanwhile
 */
export async function replaceSealed(
  db: Database,
  { table, id, column }: SealedColumn,
  row: SealedRow,
  sealed: string,
): Promise<boolean> {
  const sql = `UPDATE "${table}" SET "${column}" = $1 WHERE "${id}" = $2 AND "${column}" = $3`;
  return (await db.run(sql, [sealed, row.id, row.sealed])) === 1;
}
