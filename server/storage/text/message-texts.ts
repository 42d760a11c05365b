/** Rows of custom texts: one per level (instance or organization), message type and language. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { AggregateRow } from "../event/event";
import type { Tables } from "../generated/tables";
import { readOne, write, writeOne } from "../in-transaction";
import { lockNames } from "../named-locks";
import { bind, columnsIn, type Params, statement, tables, truth } from "../statement";

export type MessageTextRow = Selectable<Tables["MessageText"]>;
export type MessageTextKey = Pick<MessageTextRow, "ownerId" | "type" | "language">;
export type MessageTextColumns = Omit<
  MessageTextRow,
  keyof MessageTextKey | "changedBy" | "replaced" | "createdAt" | "changedAt"
>;
/** The built-in text that each customized field replaced. */
export type ReplacedTexts = Readonly<Record<string, string>>;

const FIELDS = ["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"] as const;

const texts = tables.selectFrom("MessageText");

/** The condition for one text. */
const isText = ({ ownerId, type, language }: MessageTextKey) =>
  columnsIn<{ MessageText: "MessageText" }>().and({ ownerId, type, language });

export function readMessageText(tx: Transaction, key: MessageTextKey): Promise<MessageTextRow | undefined> {
  return readOne(tx, bind(texts.selectAll().where(isText(key))));
}

/**
 * Inserts the row, or updates the given fields.
 * @param fields `changedBy`: the user answerable for the text
 */
export async function writeMessageText(
  tx: Transaction,
  { ownerId, type, language }: MessageTextKey,
  fields: Partial<MessageTextColumns> & Pick<MessageTextRow, "changedBy"> & { replaced: ReplacedTexts },
  now: number,
): Promise<void> {
  const changes = { ...fields, changedAt: now };
  const upsert = tables
    .insertInto("MessageText")
    .values({ ownerId, type, language, ...changes, createdAt: now })
    .onConflict((conflict) => conflict.columns(["ownerId", "type", "language"]).doUpdateSet(changes));
  await write(tx, bind(upsert));
}

/** Replaces the stored built-in texts, and leaves the custom text unchanged. */
export async function writeReplacedTexts(tx: Transaction, key: MessageTextKey, replaced: ReplacedTexts): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("MessageText").set({ replaced }).where(isText(key))));
}

/** Returns the replaced built-in texts of one level. They are unknown for texts from before they were stored. */
export async function findReplacedTexts(db: Database, key: MessageTextKey): Promise<ReplacedTexts> {
  const one = texts.select("replaced").where(isText(key)).$narrowType<{ replaced: ReplacedTexts | null }>();
  return (await db.one(bind(one)))?.replaced ?? {};
}

/** Makes other writers of the same text wait until this transaction ends, so that two replacements do not mix. */
export function lockMessageText(
  db: Database,
  tx: Transaction,
  { ownerId, type, language }: MessageTextKey,
): Promise<void> {
  return lockNames(db, tx, [`message_text/${ownerId}/${type}/${language}`]);
}

/**
 * Deletes the row.
 * @returns whether it existed
 */
export async function deleteMessageText(tx: Transaction, key: MessageTextKey): Promise<boolean> {
  return (await write(tx, bind(tables.deleteFrom("MessageText").where(isText(key))))) === 1;
}

/** The stored fields, and the head of the text's events if there are any. Times are epoch milliseconds. */
export type MessageTextHistory = MessageTextColumns & AggregateRow;

const ofM = FIELDS.map((field) => `m.${field}` as const);

const withHead = statement(($: Params<MessageTextKey & { aggregateId: string }>) =>
  tables
    .selectFrom("Aggregate as a")
    .leftJoin("MessageText as m", (join) =>
      join.on("m.ownerId", "=", $("ownerId")).on("m.type", "=", $("type")).on("m.language", "=", $("language")),
    )
    .select(["a.sequence", "a.resourceOwner", "a.createdAt", "a.changedAt"])
    .select(ofM)
    .where("a.type", "=", "message_text")
    .where("a.id", "=", $("aggregateId")),
);

/** Returns text and history from one statement, so that they are consistent; undefined if nothing was ever recorded. */
export function findMessageText(
  db: Database,
  { ownerId, type, language }: MessageTextKey,
  aggregateId: string,
): Promise<MessageTextHistory | undefined> {
  return db.one(withHead({ ownerId, type, language, aggregateId }));
}

export type MessageTextLevel = "organization" | "instance";
/** The fields of one level, and the user answerable for them. */
export type LevelFields = MessageTextColumns & Pick<MessageTextRow, "changedBy">;
export type TextLevels = Partial<Record<MessageTextLevel, LevelFields>>;
type LevelRow = LevelFields & { level: MessageTextLevel };

/** Returns the texts `m` of both levels, with their level. The organization may be null. */
function textsOfLevels($: Params<{ organizationId: string | null }>) {
  // A subquery instead of a join, because PostgreSQL might read the texts of all organizations for a join.
  const instance = tables.selectFrom("Instance").select("id");
  return tables
    .selectFrom("MessageText as m")
    .select((eb) =>
      eb.case().when("m.ownerId", "=", $("organizationId")).then("organization").else("instance").end().as("level"),
    )
    .where("m.ownerId", "in", [instance, $("organizationId")]);
}

const ofLevels = statement(($: Params<{ organizationId: string | null; type: string; language: string }>) =>
  textsOfLevels($)
    .select(ofM)
    .select("m.changedBy")
    .where("m.type", "=", $("type"))
    .where("m.language", "=", $("language"))
    .$castTo<LevelRow>(),
);

/** The committed texts of the organization and the instance, with two index lookups in one statement. */
export async function listMessageTexts(
  db: Database,
  { organizationId, type, language }: { type: string; language: string; organizationId: string | null },
): Promise<TextLevels> {
  const rows = await db.all(ofLevels({ organizationId, type, language }));
  return Object.fromEntries(rows.map(({ level, ...fields }) => [level, fields]));
}

export type CustomizationRow = { level: MessageTextLevel; type: string; language: string } & Record<
  (typeof FIELDS)[number],
  /** Whether the level has a custom text for the field. */
  boolean
>;

const customizations = statement(($: Params<{ organizationId: string | null }>) =>
  textsOfLevels($)
    .select(["m.type", "m.language"])
    .select((eb) => FIELDS.map((field) => truth(eb(`m.${field}`, "<>", "")).as(field)))
    .$castTo<CustomizationRow>(),
);

/** Which fields the instance and, if given, the organization have customized, without the texts. */
export function listCustomizations(db: Database, organizationId: string | null): Promise<CustomizationRow[]> {
  return db.all(customizations({ organizationId }));
}

/** All custom texts of one level. */
export function listOwnTexts(
  db: Database,
  ownerId: string,
): Promise<Pick<MessageTextRow, "type" | "language" | keyof MessageTextColumns>[]> {
  const own = texts.select(["type", "language", ...FIELDS]).where("ownerId", "=", ownerId);
  return db.all(bind(own.orderBy("type").orderBy("language")));
}
