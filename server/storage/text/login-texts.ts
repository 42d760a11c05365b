/** Rows of customized texts of the pages: one for each level (instance or organization) and language. */
import type { Database, Transaction } from "../database";
import type { AggregateRow } from "../event/event";
import { readOne, write } from "../in-transaction";
import { lockNames } from "../named-locks";
import { bind, type Params, statement, tables } from "../statement";

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

export async function readLoginTextRow(
  tx: Transaction,
  { ownerId, language }: LoginTextKey,
): Promise<LoginTextRow | undefined> {
  const one = tables
    .selectFrom("LoginText")
    .select(["words", "replaced", "changedBy"])
    .where((eb) => eb.and({ ownerId, language }))
    .$narrowType<{ words: StoredWords; replaced: StoredWords | null }>();
  const row = await readOne(tx, bind(one));
  return row && { ...row, replaced: row.replaced ?? {} };
}

/** Inserts or replaces the row. */
export async function writeLoginText(
  tx: Transaction,
  { ownerId, language }: LoginTextKey,
  { words, replaced, changedBy }: LoginTextRow,
  now: number,
): Promise<void> {
  const changes = { words, replaced, changedBy, changedAt: now };
  const upsert = tables
    .insertInto("LoginText")
    .values({ ownerId, language, ...changes, createdAt: now })
    .onConflict((conflict) => conflict.columns(["ownerId", "language"]).doUpdateSet(changes));
  await write(tx, bind(upsert));
}

export async function deleteLoginText(tx: Transaction, { ownerId, language }: LoginTextKey): Promise<void> {
  await write(tx, bind(tables.deleteFrom("LoginText").where((eb) => eb.and({ ownerId, language }))));
}

/**
 * Makes other writers of the same texts wait until this transaction ends, so that what one of them has read is still
 * true when it writes.
 */
export function lockLoginText(db: Database, tx: Transaction, { ownerId, language }: LoginTextKey): Promise<void> {
  return lockNames(db, tx, [`login_text/${ownerId}/${language}`]);
}

const withHead = statement(($: Params<LoginTextKey & { aggregateId: string }>) =>
  tables
    .selectFrom("Aggregate as a")
    .leftJoin("LoginText as t", (join) => join.on("t.ownerId", "=", $("ownerId")).on("t.language", "=", $("language")))
    .select(["a.sequence", "a.resourceOwner", "a.createdAt", "a.changedAt", "t.words", "t.replaced"])
    .where("a.type", "=", "login_text")
    .where("a.id", "=", $("aggregateId"))
    .$narrowType<{ words: StoredWords | null; replaced: StoredWords | null }>(),
);

/**
 * Returns the stored texts and the head of their events, from one statement; undefined if nothing was ever recorded.
 */
export async function findLoginText(
  db: Database,
  { ownerId, language }: LoginTextKey,
  aggregateId: string,
): Promise<(AggregateRow & { words: StoredWords; replaced: StoredWords }) | undefined> {
  const row = await db.one(withHead({ ownerId, language, aggregateId }));
  return row && { ...row, words: row.words ?? {}, replaced: row.replaced ?? {} };
}

export type LoginTextLevel = "organization" | "instance";

const ofLevels = statement(($: Params<{ language: string; organizationId: string | null }>) =>
  tables
    .selectFrom("LoginText as t")
    .select(["t.words", "t.changedBy"])
    .select((eb) =>
      eb.case().when("t.ownerId", "=", $("organizationId")).then("organization").else("instance").end().as("level"),
    )
    .where("t.ownerId", "in", [tables.selectFrom("Instance").select("id"), $("organizationId")])
    .where("t.language", "=", $("language"))
    .$castTo<Pick<LoginTextRow, "words" | "changedBy"> & { level: LoginTextLevel }>(),
);

/** Returns the committed texts of the organization and the instance, with two index lookups in one statement. */
export async function listLoginTexts(
  db: Database,
  { language, organizationId }: { language: string; organizationId: string | null },
): Promise<Partial<Record<LoginTextLevel, Pick<LoginTextRow, "words" | "changedBy">>>> {
  const rows = await db.all(ofLevels({ language, organizationId }));
  return Object.fromEntries(rows.map(({ level, ...texts }) => [level, texts]));
}

/** Returns the customized texts of one level, by language. */
export function listOwnLoginTexts(db: Database, ownerId: string): Promise<{ language: string; words: StoredWords }[]> {
  const own = tables.selectFrom("LoginText").select(["language", "words"]).where("ownerId", "=", ownerId);
  return db.all(bind(own.orderBy("language").$narrowType<{ words: StoredWords }>()));
}
