/** Rows of the search index of users. */
import { nextTurn } from "../../concurrency/pauses";
import type { Database, Transaction } from "../database";
import { readAll, write, writeOne } from "../in-transaction";
import { bind, tables } from "../statement";
import type { UserRow } from "./user";

export interface WordsOf {
  userId: string;
  organizationId: string;
  words: readonly string[];
}

/** Rows per statement, of three values each. */
const CHUNK = 300;

export async function replaceUserWords(tx: Transaction, users: readonly WordsOf[]): Promise<void> {
  for (let start = 0; start < users.length; start += CHUNK) {
    const ids = users.slice(start, start + CHUNK).map(({ userId }) => userId);
    await write(tx, bind(tables.deleteFrom("UserWord").where("userId", "in", ids)));
  }
  await insertUserWords(tx, users);
}

/** Adds words of users who have none yet. */
export async function insertUserWords(tx: Transaction, users: readonly WordsOf[]): Promise<void> {
  const rows = users.flatMap(({ userId, organizationId, words }) =>
    words.map((word) => ({ userId, organizationId, word })),
  );
  for (let start = 0; start < rows.length; start += CHUNK) {
    await nextTurn();
    await write(tx, bind(tables.insertInto("UserWord").values(rows.slice(start, start + CHUNK))));
  }
}

const withoutKey = tables.selectFrom("User").where("displayNameKey", "is", null);

/** Returns users without comparable names, from before the columns existed. */
export function readUsersWithoutKey(tx: Transaction, limit: number): Promise<UserRow[]> {
  return readAll(tx, bind(withoutKey.selectAll().limit(limit).$castTo<UserRow>()));
}

/** Returns whether there are users without comparable names. */
export async function anyUserWithoutKey(db: Database): Promise<boolean> {
  return (await db.one(bind(withoutKey.select("id").limit(1)))) !== undefined;
}

export async function writeDisplayNameKey(tx: Transaction, id: string, displayNameKey: string): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("User").set({ displayNameKey }).where("id", "=", id)));
}
