/**
 * Rows of second factors: authenticator apps, mailed codes, recovery codes. One conditional statement consumes a code:
 * of two concurrent attempts with the same code only one succeeds (attack: replay, RFC 6238 §5.2).
 */
import { type Expression, expressionBuilder, type Selectable } from "kysely";
import type { FactorKind } from "../../protocol/second-factor";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readCount, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables, truth } from "../statement";

type StoredFactor = Selectable<Tables["SecondFactor"]> & { kind: FactorKind };

export type FactorRow = Omit<StoredFactor, "userId" | "lastStep">;

const factors = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("SecondFactor")
    .select(["id", "kind", "name", "sealedSecret", "createdAt", "usedAt"])
    .where("userId", "=", $("userId"))
    .orderBy("createdAt")
    .orderBy("id")
    .$narrowType<{ kind: FactorKind }>(),
);

/** Returns the factors of a user, oldest first. */
export function listFactors(db: Database, userId: string): Promise<FactorRow[]> {
  return db.all(factors({ userId }));
}

/** Consumes a time step. Returns false if a code of this or a later step was accepted before. */
export async function takeTimeStep(db: Database, id: string, timeStep: number, now: number): Promise<boolean> {
  const update = tables
    .updateTable("SecondFactor")
    .set({ lastStep: timeStep, usedAt: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("lastStep", "is", null), eb("lastStep", "<", timeStep)]));
  return (await db.run(bind(update))) === 1;
}

export type NewFactor = Omit<StoredFactor, "createdAt" | "usedAt">;

export async function insertFactor(tx: Transaction, factor: NewFactor, now: number): Promise<void> {
  await write(tx, bind(tables.insertInto("SecondFactor").values({ ...factor, createdAt: now, usedAt: null })));
}

/**
 * Counts the factors of a user.
 * @param kind undefined: of any kind
 */
export function countFactors(tx: Transaction, userId: string, kind?: FactorKind): Promise<number> {
  const all = tables.selectFrom("SecondFactor").where("userId", "=", userId);
  return readCount(tx, kind === undefined ? all : all.where("kind", "=", kind));
}

/**
 * Deletes a factor.
 * @returns its kind; undefined if the user has no such factor
 */
export async function deleteFactor(tx: Transaction, userId: string, id: string): Promise<FactorKind | undefined> {
  const own = tables.selectFrom("SecondFactor").select("kind").where("id", "=", id).where("userId", "=", userId);
  const row = await readOne(tx, bind(own.$narrowType<{ kind: FactorKind }>()));
  if (row) await writeOne(tx, bind(tables.deleteFrom("SecondFactor").where("id", "=", id)));
  return row?.kind;
}

/** Returns the factors that were added at or after a time, epoch milliseconds. */
export function listFactorsSince(tx: Transaction, userId: string, at: number): Promise<{ id: string }[]> {
  const since = tables
    .selectFrom("SecondFactor")
    .select("id")
    .where("userId", "=", userId)
    .where("createdAt", ">=", at);
  return readAll(tx, bind(since));
}

/** Returns the passkeys that were added at or after a time. */
export function listPasskeysSince(
  tx: Transaction,
  userId: string,
  at: number,
): Promise<{ id: string; name: string }[]> {
  const own = tables.selectFrom("Passkey").select(["id", "name"]).where("userId", "=", userId);
  return readAll(tx, bind(own.where("createdAt", ">=", at)));
}

/** Deletes the codes that were created at or after a time. */
export async function deleteRecoveryCodesSince(tx: Transaction, userId: string, at: number): Promise<void> {
  await write(tx, bind(tables.deleteFrom("RecoveryCode").where("userId", "=", userId).where("createdAt", ">=", at)));
}

export type RecoveryCodeRow = Pick<Selectable<Tables["RecoveryCode"]>, "id" | "digest">;

const unusedCodes = (userId: string) =>
  tables.selectFrom("RecoveryCode").where("userId", "=", userId).where("consumedAt", "is", null);

/** The unused codes of a person. */
export function listRecoveryCodes(db: Database, userId: string): Promise<RecoveryCodeRow[]> {
  return db.all(bind(unusedCodes(userId).select(["id", "digest"])));
}

/** Replaces all codes of a person. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  codes: readonly RecoveryCodeRow[],
  now: number,
): Promise<void> {
  await write(tx, bind(tables.deleteFrom("RecoveryCode").where("userId", "=", userId)));
  const rows = codes.map((code) => ({ ...code, userId, createdAt: now, consumedAt: null }));
  if (rows.length > 0) await write(tx, bind(tables.insertInto("RecoveryCode").values(rows)));
}

export function countRecoveryCodes(tx: Transaction, userId: string): Promise<number> {
  return readCount(tx, unusedCodes(userId));
}

/** Consumes a code. Returns true for at most one caller. */
export async function consumeRecoveryCode(tx: Transaction, id: string, now: number): Promise<boolean> {
  const update = tables.updateTable("RecoveryCode").set({ consumedAt: now });
  return (await write(tx, bind(update.where("id", "=", id).where("consumedAt", "is", null)))) === 1;
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

const summary = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("User as u")
    .select(["u.mfaSkippedAt as skippedAt", "u.noPasskeyOfferSince"])
    .select((eb) => hasSecondFactor(eb.ref("u.id")))
    .where("u.id", "=", $("userId")),
);

export async function findFactorSummary(db: Database, userId: string): Promise<FactorSummary> {
  return (await db.one(summary({ userId }))) ?? { hasSecondFactor: false, skippedAt: null, noPasskeyOfferSince: null };
}

/** The condition that the user has an authenticator app, codes that are sent, or a passkey. */
const ownsSecondFactor = (userId: Expression<string>) => {
  const eb = expressionBuilder<Tables>();
  return eb.or([
    eb.exists(tables.selectFrom("SecondFactor as f").select("f.id").where("f.userId", "=", userId)),
    eb.exists(tables.selectFrom("Passkey as p").select("p.id").where("p.userId", "=", userId)),
  ]);
};

/** The column that says whether the user has an authenticator app, codes that are sent or a passkey. */
export const hasSecondFactor = (userId: Expression<string>) => truth(ownsSecondFactor(userId)).as("hasSecondFactor");

/**
 * Records that the user declined to set up a second factor for now.
 * @param forever no passkey is offered again
 */
export async function writeSkipped(tx: Transaction, userId: string, now: number, forever = false): Promise<void> {
  const data = { mfaSkippedAt: now, ...(forever && { noPasskeyOfferSince: now }) };
  await writeOne(tx, bind(tables.updateTable("User").set(data).where("id", "=", userId)));
}
