/** Rows of the search index of users. */
import { nextTurn } from "../../concurrency/pauses";
import type { Database, Transaction } from "../database";
import { Prisma, type User } from "../generated/sqlite/client";

export interface WordsOf {
  userId: string;
  organizationId: string;
  words: readonly string[];
}

/** Rows per statement, of three values each. */
const CHUNK = 300;

/** Replaces the words of these users. */
export async function replaceUserWords(tx: Transaction, users: readonly WordsOf[]): Promise<void> {
  for (let start = 0; start < users.length; start += CHUNK) {
    const ids = users.slice(start, start + CHUNK).map(({ userId }) => userId);
    await tx.userWord.deleteMany({ where: { userId: { in: ids } } });
  }
  await insertUserWords(tx, users);
}

/** Adds words of users who have none yet. */
export async function insertUserWords(tx: Transaction, users: readonly WordsOf[]): Promise<void> {
  const rows = users.flatMap(({ userId, organizationId, words }) =>
    words.map((word) => [userId, organizationId, word]),
  );
  for (let start = 0; start < rows.length; start += CHUNK) {
    await nextTurn();
    const values = rows.slice(start, start + CHUNK).map((row) => Prisma.sql`(${Prisma.join(row)})`);
    await tx.$executeRaw`INSERT INTO "UserWord" ("userId", "organizationId", "word") VALUES ${Prisma.join(values)}`;
  }
}

/** Returns users without comparable names, from before the columns existed. */
export function readUsersWithoutKey(tx: Transaction, limit: number): Promise<User[]> {
  return tx.user.findMany({ where: { displayNameKey: null }, take: limit });
}

/** Returns whether there are users without comparable names. */
export async function anyUserWithoutKey(db: Database): Promise<boolean> {
  return (await db.one(`SELECT 1 AS "found" FROM "User" WHERE "displayNameKey" IS NULL LIMIT 1`, [])) !== undefined;
}

export async function writeDisplayNameKey(tx: Transaction, id: string, displayNameKey: string): Promise<void> {
  await tx.user.update({ where: { id }, data: { displayNameKey } });
}
