/**
 * The search index of users and machines: the words of their names and addresses, without accents and in lower case, so
 * that both databases can find the beginning of a word with an index.
 */

import { mapInSlices } from "../../concurrency/pauses";
import type { Context } from "../../context";
import type { Transaction } from "../../storage/database";
import type { UserRow } from "../../storage/user/user";
import {
  anyUserWithoutKey,
  insertUserWords,
  readUsersWithoutKey,
  replaceUserWords,
  type WordsOf,
  writeDisplayNameKey,
} from "../../storage/user/words";
import { comparable } from "../names";

type Named = Pick<UserRow, "userName"> &
  Partial<Pick<UserRow, "firstName" | "lastName" | "nickName" | "displayName" | "email" | "phone" | "name">>;

/** The number of characters of a word that are indexed and compared. */
const MAX_TERM_LENGTH = 40;
const MAX_TERMS = 40;

/** Returns the words of a text as they are indexed and searched: letters and digits, without accents, in lower case. */
export function searchWordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  // Deduplicated after shortening, because two long words may begin alike.
  return [...new Set(words.map((word) => [...word].slice(0, MAX_TERM_LENGTH).join("")))];
}

function wordsOfUser(user: Named): string[] {
  const { userName, firstName, lastName, nickName, displayName, email, phone, name } = user;
  const texts = [userName, firstName, lastName, nickName, displayName, email, phone, name].filter((text) => text);
  return searchWordsOf(texts.join(" ")).slice(0, MAX_TERMS);
}

/** Returns the name that lists show, in the form in which they sort. */
export function displayNameKey({ displayName, name, userName }: Named): string {
  return comparable(displayName ?? name ?? userName);
}

const wordRow = (user: Named & Pick<UserRow, "id" | "organizationId">): WordsOf => ({
  userId: user.id,
  organizationId: user.organizationId,
  words: wordsOfUser(user),
});

type Searchable = Named & Pick<UserRow, "id" | "organizationId">;

/** Adds new users to the index. */
export async function addWords(tx: Transaction, ...users: readonly Searchable[]): Promise<void> {
  await insertUserWords(tx, await mapInSlices(users, wordRow));
}

/** Updates the index after users were renamed. */
export function changeWords(tx: Transaction, users: readonly Searchable[]): Promise<void> {
  return replaceUserWords(tx, users.map(wordRow));
}

/** Users per transaction. */
const BATCH = 500;

/** Indexes users that were stored before the index existed; several processes may do so concurrently. */
export async function ensureWords(ctx: Context): Promise<void> {
  let made = 0;
  while (await anyUserWithoutKey(ctx.db)) {
    made += await ctx.db.transaction(async (tx) => {
      const users = await readUsersWithoutKey(tx, BATCH);
      for (const user of users) await writeDisplayNameKey(tx, user.id, displayNameKey(user));
      await changeWords(tx, users);
      return users.length;
    });
    ctx.log.info({ users: made }, "users made findable");
  }
}
