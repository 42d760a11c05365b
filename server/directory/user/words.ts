/**
 * What the search box finds people and machines by: the words of their names and addresses, without accents and in one
 * case, so that the beginning of a word is an index away on both databases.
 */
import type { Context } from "../../context";
import type { Transaction } from "../../storage/database";
import {
  anyUserWithoutKey,
  insertUserWords,
  readUsersWithoutKey,
  replaceUserWords,
  type WordsOf,
  writeDisplayNameKey,
} from "../../storage/user-words";
import type { UserRow } from "../../storage/users";
import { comparable } from "../names";

type Named = Pick<UserRow, "userName"> &
  Partial<Pick<UserRow, "firstName" | "lastName" | "nickName" | "displayName" | "email" | "phone" | "name">>;

/** Characters; whoever types more than that of a word means the same. */
const LONGEST_WORD = 40;
const MOST_WORDS = 40;

/** The words of a text as they are kept and looked for: letters and digits, without accents, in lower case. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  // Each once, after they are cut: two long ones may begin alike.
  return [...new Set(words.map((word) => [...word].slice(0, LONGEST_WORD).join("")))];
}

function wordsOfUser(user: Named): string[] {
  const { userName, firstName, lastName, nickName, displayName, email, phone, name } = user;
  const texts = [userName, firstName, lastName, nickName, displayName, email, phone, name].filter((text) => text);
  return wordsOf(texts.join(" ")).slice(0, MOST_WORDS);
}

/** What lists show of somebody, and sort by. */
export function displayNameKey({ displayName, name, userName }: Named): string {
  return comparable(displayName ?? name ?? userName);
}

const wordRow = (user: Named & Pick<UserRow, "id" | "organizationId">): WordsOf => ({
  userId: user.id,
  organizationId: user.organizationId,
  words: wordsOfUser(user),
});

type Searchable = Named & Pick<UserRow, "id" | "organizationId">;

/** Makes new users findable. */
export function addWords(tx: Transaction, ...users: readonly Searchable[]): Promise<void> {
  return insertUserWords(tx, users.map(wordRow));
}

/** Makes users findable by what they are called now. */
export function changeWords(tx: Transaction, users: readonly Searchable[]): Promise<void> {
  return replaceUserWords(tx, users.map(wordRow));
}

/** Users a transaction makes findable at once. */
const BATCH = 500;

/** Makes those findable who were there before they could be searched for; several processes may do it at once. */
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
