/**
 * Rows of second factors: authenticator apps, mailed codes, recovery codes. One conditional statement consumes a code:
 * of two concurrent attempts with the same code only one succeeds (attack: replay, RFC 6238 §5.2).
 */
import type { FactorKind } from "../../protocol/second-factor";
import type { Database, Transaction } from "../database";
import type { RecoveryCode, SecondFactor } from "../generated/sqlite/client";

/** Times are epoch milliseconds. */
export interface FactorRow {
  id: string;
  kind: FactorKind;
  name: string | null;
  sealedSecret: string | null;
  createdAt: number;
  usedAt: number | null;
}

/** Returns the factors of a user, oldest first. */
export function listFactors(db: Database, userId: string): Promise<FactorRow[]> {
  return db.all<FactorRow>(
    `SELECT "id", "kind", "name", "sealedSecret", "createdAt", "usedAt" FROM "SecondFactor"
      WHERE "userId" = $1 ORDER BY "createdAt", "id"`,
    [userId],
  );
}

/** Consumes a time step. Returns false if a code of this or a later step was accepted before. */
export async function takeTimeStep(db: Database, id: string, timeStep: number, now: number): Promise<boolean> {
  const changed = await db.run(
    `UPDATE "SecondFactor" SET "lastStep" = $1, "usedAt" = $2
      WHERE "id" = $3 AND ("lastStep" IS NULL OR "lastStep" < $1)`,
    [timeStep, new Date(now), id],
  );
  return changed === 1;
}

export type NewFactor = Omit<SecondFactor, "kind" | "createdAt" | "usedAt"> & { kind: FactorKind };

export async function insertFactor(tx: Transaction, factor: NewFactor, now: number): Promise<void> {
  await tx.secondFactor.create({ data: { ...factor, createdAt: new Date(now), usedAt: null } });
}

/**
 * Counts the factors of a user.
 * @param kind undefined: of any kind
 */
export function countFactors(tx: Transaction, userId: string, kind?: FactorKind): Promise<number> {
  return tx.secondFactor.count({ where: { userId, kind } });
}

/**
 * Deletes a factor.
 * @returns its kind; undefined if the user has no such factor
 */
export async function deleteFactor(tx: Transaction, userId: string, id: string): Promise<FactorKind | undefined> {
  const row = await tx.secondFactor.findFirst({ where: { id, userId } });
  if (!row) return undefined;
  await tx.secondFactor.delete({ where: { id } });
  return row.kind as FactorKind; // insertFactor writes no other kind
}

/** Returns the factors that were added at or after a time, epoch milliseconds. */
export function listFactorsSince(tx: Transaction, userId: string, at: number): Promise<{ id: string }[]> {
  return tx.secondFactor.findMany({ where: { userId, createdAt: { gte: new Date(at) } }, select: { id: true } });
}

/** Returns the passkeys that were added at or after a time. */
export function listPasskeysSince(
  tx: Transaction,
  userId: string,
  at: number,
): Promise<{ id: string; name: string }[]> {
  const select = { id: true, name: true };
  return tx.passkey.findMany({ where: { userId, createdAt: { gte: new Date(at) } }, select });
}

/** Deletes the codes that were created at or after a time. */
export async function deleteRecoveryCodesSince(tx: Transaction, userId: string, at: number): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId, createdAt: { gte: new Date(at) } } });
}

export type RecoveryCodeRow = Pick<RecoveryCode, "id" | "digest">;

/** The unused codes of a person. */
export function listRecoveryCodes(db: Database, userId: string): Promise<RecoveryCodeRow[]> {
  return db.all<RecoveryCodeRow>(
    `SELECT "id", "digest" FROM "RecoveryCode" WHERE "userId" = $1 AND "consumedAt" IS NULL`,
    [userId],
  );
}

/** Replaces all codes of a person. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  codes: readonly RecoveryCodeRow[],
  now: number,
): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ ...code, userId, createdAt: new Date(now), consumedAt: null })),
  });
}

export function countRecoveryCodes(tx: Transaction, userId: string): Promise<number> {
  return tx.recoveryCode.count({ where: { userId, consumedAt: null } });
}

/** Consumes a code. Returns true for at most one caller. */
export async function consumeRecoveryCode(tx: Transaction, id: string, now: number): Promise<boolean> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { id, consumedAt: null },
    data: { consumedAt: new Date(now) },
  });
  return count === 1;
}

/**
 * The data that a sign-in needs: whether the user has a second factor, and when the user last declined to set one up.
 */
export interface FactorSummary {
  hasSecondFactor: boolean;
  /** Epoch milliseconds. */
  skippedAt: number | null;
  noPasskeyOfferSince: number | null;
}

export async function findFactorSummary(db: Database, userId: string): Promise<FactorSummary> {
  const row = await db.one<Omit<FactorSummary, "hasSecondFactor"> & { hasSecondFactor: number }>(
    `SELECT ${hasSecondFactor(`u."id"`)}, u."mfaSkippedAt" AS "skippedAt", u."noPasskeyOfferSince"
       FROM "User" u WHERE u."id" = $1`,
    [userId],
  );
  const { skippedAt = null, noPasskeyOfferSince = null } = row ?? {};
  return { hasSecondFactor: row?.hasSecondFactor === 1, skippedAt, noPasskeyOfferSince };
}

/** SQL: the user has an authenticator app, codes that are sent, or a passkey. */
export const ownsSecondFactor = (userId: string): string =>
  `(EXISTS (SELECT 1 FROM "SecondFactor" f WHERE f."userId" = ${userId})
             OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${userId}))`;

/** Returns a SELECT column: 1 if the user has an authenticator app, codes that are sent or a passkey, otherwise 0. */
export function hasSecondFactor(userId: string): string {
  return `CASE WHEN ${ownsSecondFactor(userId)} THEN 1 ELSE 0 END AS "hasSecondFactor"`;
}

/**
 * Records that the user declined to set up a second factor for now.
 * @param forever no passkey is offered again
 */
export async function writeSkipped(tx: Transaction, userId: string, now: number, forever = false): Promise<void> {
  const at = new Date(now);
  const data = { mfaSkippedAt: at, ...(forever && { noPasskeyOfferSince: at }) };
  await tx.user.update({ where: { id: userId }, data });
}
