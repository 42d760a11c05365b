/** Rows of the keys that sign tokens. The caller seals the private part; this module never has it in the clear. */
import type { Database, Transaction } from "../database";

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

/** Returns all keys that need not be removed yet at `now`, oldest first. */
export function listSigningKeyRows(db: Database, now: number): Promise<SigningKeyRow[]> {
  return db.all<SigningKeyRow>(
    `SELECT "id", "algorithm", "publicJwk", "sealedPrivate", "createdAt", "activeFrom", "removeAt"
       FROM "SigningKey" WHERE "removeAt" IS NULL OR "removeAt" > $1 ORDER BY "createdAt", "id"`,
    [new Date(now)],
  );
}

function toInsert(row: SigningKeyRow) {
  return {
    ...row,
    createdAt: new Date(row.createdAt),
    activeFrom: row.activeFrom === null ? null : new Date(row.activeFrom),
    removeAt: row.removeAt === null ? null : new Date(row.removeAt),
  };
}

/** Stores the first keys of an algorithm. Returns false if another process was first. */
export function insertFirstSigningKeys(
  db: Database,
  instanceId: string,
  keys: readonly SigningKeyRow[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // This update locks the instance row, so that two processes starting at once create only one set of keys.
    await tx.instance.update({ where: { id: instanceId }, data: { id: instanceId } });
    const algorithm = keys[0]?.algorithm ?? "";
    if ((await tx.signingKey.count({ where: { algorithm } })) > 0) return false;
    await tx.signingKey.createMany({ data: keys.map(toInsert) });
    return true;
  });
}

/** Returns the keys of an algorithm that need not be removed yet, oldest first. */
export async function readSigningKeys(tx: Transaction, algorithm: string, now: number): Promise<SigningKeyRow[]> {
  const stays = [{ removeAt: null }, { removeAt: { gt: new Date(now) } }];
  const rows = await tx.signingKey.findMany({
    where: { algorithm, OR: stays },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.getTime(),
    activeFrom: row.activeFrom?.getTime() ?? null,
    removeAt: row.removeAt?.getTime() ?? null,
  }));
}

export async function insertSigningKey(tx: Transaction, row: SigningKeyRow): Promise<void> {
  await tx.signingKey.create({ data: toInsert(row) });
}

export async function deleteSigningKey(tx: Transaction, id: string): Promise<void> {
  await tx.signingKey.delete({ where: { id } });
}

/** Activates a key from this time on, epoch milliseconds. */
export async function startSigningKey(tx: Transaction, id: string, at: number): Promise<void> {
  await tx.signingKey.update({ where: { id }, data: { activeFrom: new Date(at), removeAt: null } });
}

export function countWaitingKeys(tx: Transaction, algorithm: string): Promise<number> {
  return tx.signingKey.count({ where: { algorithm, activeFrom: null } });
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
