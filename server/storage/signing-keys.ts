/**
 * Rows of the keys that sign tokens. The private part is sealed by the caller; this file never sees it in the clear.
 */
import type { Database } from "./database";

export interface SigningKeyRow {
  id: string;
  algorithm: string;
  publicJwk: string;
  sealedPrivate: string;
  /** Epoch milliseconds, as all times here. */
  createdAt: number;
  activeFrom: number | null;
  removeAt: number | null;
}

/** All keys that are not to be removed yet at `now`, oldest first. */
export function listSigningKeyRows(db: Database, now: number): Promise<SigningKeyRow[]> {
  return db.all<SigningKeyRow>(
    `SELECT "id", "algorithm", "publicJwk", "sealedPrivate", "createdAt", "activeFrom", "removeAt"
       FROM "SigningKey" WHERE "removeAt" IS NULL OR "removeAt" > $1 ORDER BY "createdAt", "id"`,
    [new Date(now)],
  );
}

function toInsert(row: SigningKeyRow) {
  return {
    table: "SigningKey",
    row: {
      ...row,
      createdAt: new Date(row.createdAt),
      activeFrom: row.activeFrom === null ? null : new Date(row.activeFrom),
      removeAt: row.removeAt === null ? null : new Date(row.removeAt),
    },
  };
}

/** The first keys of an algorithm; false when another process was first. */
export function insertFirstSigningKeys(
  db: Database,
  instanceId: string,
  keys: readonly SigningKeyRow[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // The update locks the instance row, so that two processes starting at once make one set of keys.
    await tx.instance.update({ where: { id: instanceId }, data: { id: instanceId } });
    const algorithm = keys[0]?.algorithm ?? "";
    if ((await tx.signingKey.count({ where: { algorithm } })) > 0) return false;
    await tx.signingKey.createMany({ data: keys.map((key) => toInsert(key).row) });
    return true;
  });
}

/**
 * Lets the waiting key sign from `activeFrom` and publishes the one after it, together.
 * @returns false when another process activated it first; then nothing happened
 */
export function activateSigningKey(
  db: Database,
  waitingId: string,
  activeFrom: number,
  following: SigningKeyRow,
): Promise<boolean> {
  return db.commit({
    guard: {
      sql: `UPDATE "SigningKey" SET "activeFrom" = $1 WHERE "id" = $2 AND "activeFrom" IS NULL`,
      values: [new Date(activeFrom), waitingId],
    },
    inserts: [toInsert(following)],
  });
}

/** Keys that stopped signing stay published until `removeAt`, when their last token has expired. */
export function retireSigningKeys(
  db: Database,
  algorithm: string,
  supersededBefore: number,
  removeAt: number,
): Promise<number> {
  return db.run(
    `UPDATE "SigningKey" SET "removeAt" = $1
      WHERE "algorithm" = $2 AND "removeAt" IS NULL AND "activeFrom" IS NOT NULL AND "activeFrom" < $3`,
    [new Date(removeAt), algorithm, new Date(supersededBefore)],
  );
}

export function deleteRemovedSigningKeys(db: Database, now: number): Promise<number> {
  return db.run(`DELETE FROM "SigningKey" WHERE "removeAt" IS NOT NULL AND "removeAt" <= $1`, [new Date(now)]);
}
