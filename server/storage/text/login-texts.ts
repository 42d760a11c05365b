/** Rows of customized texts of the pages: one for each level (instance or organization) and language. */
import type { Database, Transaction } from "../database";
import type { AggregateRow } from "../event/event";
import { readJson } from "../json-column";
import { lockNames } from "../named-locks";

export interface LoginTextKey {
  /** Organization id or instance id. */
  ownerId: string;
  language: string;
}

/** Returns the id of the aggregate that counts the changes of the words of one level and language. */
export const loginTextId = ({ ownerId, language }: LoginTextKey): string => `${ownerId}/${language}`;

/** Plain text by group and key: `{"signIn.title": "Welcome"}`. */
export type StoredWords = Readonly<Record<string, string>>;

export async function readLoginText(tx: Transaction, key: LoginTextKey): Promise<StoredWords | undefined> {
  return (await readLoginTextRow(tx, key))?.words;
}

export interface LoginTextRow {
  words: StoredWords;
  /** The built-in text that each customized text replaced, as far as it is known. */
  replaced: StoredWords;
  /** The user answerable for texts that need a privilege (answerable.ts); null if unknown. */
  changedBy: string | null;
}

export async function readLoginTextRow(tx: Transaction, key: LoginTextKey): Promise<LoginTextRow | undefined> {
  const row = await tx.loginText.findUnique({ where: { ownerId_language: key } });
  if (!row) return undefined;
  const { words, replaced, changedBy } = row;
  return { words: words as StoredWords, replaced: (replaced ?? {}) as StoredWords, changedBy };
}

/** Inserts or replaces the row. */
export async function writeLoginText(
  tx: Transaction,
  key: LoginTextKey,
  { words, replaced, changedBy }: LoginTextRow,
  now: number,
): Promise<void> {
  const at = new Date(now);
  await tx.loginText.upsert({
    where: { ownerId_language: key },
    create: { ...key, words, replaced, changedBy, createdAt: at, changedAt: at },
    update: { words, replaced, changedBy, changedAt: at },
  });
}

export async function deleteLoginText(tx: Transaction, key: LoginTextKey): Promise<void> {
  await tx.loginText.deleteMany({ where: key });
}

/**
 * Makes other writers of the same texts wait until this transaction ends, so that what one of them has read is still
 * true when it writes.
 */
export function lockLoginText(db: Database, tx: Transaction, { ownerId, language }: LoginTextKey): Promise<void> {
  return lockNames(db, tx, [`login_text/${ownerId}/${language}`]);
}

/**
 * Returns the stored texts and the head of their events, from one statement; undefined if nothing was ever recorded.
 */
export async function findLoginText(
  db: Database,
  key: LoginTextKey,
  aggregateId: string,
): Promise<(AggregateRow & { words: StoredWords; replaced: StoredWords }) | undefined> {
  const row = await db.one<AggregateRow & { words: unknown; replaced: unknown }>(
    `SELECT a."sequence", a."resourceOwner", a."createdAt", a."changedAt", t."words", t."replaced"
       FROM "Aggregate" a LEFT JOIN "LoginText" t ON t."ownerId" = $2 AND t."language" = $3
      WHERE a."type" = 'login_text' AND a."id" = $1`,
    [aggregateId, key.ownerId, key.language],
  );
  if (!row) return undefined;
  const [words, replaced] = [row.words, row.replaced].map((column) => readJson<StoredWords | null>(column) ?? {});
  return { ...row, words: words ?? {}, replaced: replaced ?? {} };
}

export type LoginTextLevel = "organization" | "instance";

/** Returns the committed texts of the organization and the instance, with two index lookups in one statement. */
export async function listLoginTexts(
  db: Database,
  { language, organizationId }: { language: string; organizationId: string | null },
): Promise<Partial<Record<LoginTextLevel, Pick<LoginTextRow, "words" | "changedBy">>>> {
  const rows = await db.all<{ level: LoginTextLevel; words: unknown; changedBy: string | null }>(
    `SELECT CASE WHEN t."ownerId" = $1 THEN 'organization' ELSE 'instance' END AS "level", t."words", t."changedBy"
       FROM "LoginText" t WHERE t."ownerId" IN ((SELECT "id" FROM "Instance"), $1) AND t."language" = $2`,
    [organizationId, language],
  );
  return Object.fromEntries(
    rows.map(({ level, words, changedBy }) => [level, { words: readJson<StoredWords>(words), changedBy }]),
  );
}

/** Returns the customized texts of one level, by language. */
export async function listOwnLoginTexts(
  db: Database,
  ownerId: string,
): Promise<{ language: string; words: StoredWords }[]> {
  const rows = await db.all<{ language: string; words: unknown }>(
    `SELECT "language", "words" FROM "LoginText" WHERE "ownerId" = $1 ORDER BY "language"`,
    [ownerId],
  );
  return rows.map(({ language, words }) => ({ language, words: readJson<StoredWords>(words) }));
}
