/** Rows of custom texts: one per level (instance or organization), message type and language. */
import type { Database, Transaction } from "../database";
import type { AggregateRow } from "../event/event";
import type { MessageText } from "../generated/sqlite/client";
import { readJson } from "../json-column";
import { lockNames } from "../named-locks";

export type MessageTextRow = MessageText;
export type MessageTextKey = Pick<MessageTextRow, "ownerId" | "type" | "language">;
export type MessageTextColumns = Omit<
  MessageTextRow,
  keyof MessageTextKey | "changedBy" | "replaced" | "createdAt" | "changedAt"
>;
/** The built-in text that each customized field replaced. */
export type ReplacedTexts = Readonly<Record<string, string>>;

export async function readMessageText(tx: Transaction, key: MessageTextKey): Promise<MessageTextRow | undefined> {
  return (await tx.messageText.findUnique({ where: { ownerId_type_language: key } })) ?? undefined;
}

/**
 * Inserts the row, or updates the given fields.
 * @param fields `changedBy`: the user answerable for the text
 */
export async function writeMessageText(
  tx: Transaction,
  key: MessageTextKey,
  fields: Partial<MessageTextColumns> & Pick<MessageTextRow, "changedBy"> & { replaced: ReplacedTexts },
  now: number,
): Promise<void> {
  const at = new Date(now);
  await tx.messageText.upsert({
    where: { ownerId_type_language: key },
    create: { ...key, ...fields, createdAt: at, changedAt: at },
    update: { ...fields, changedAt: at },
  });
}

/** Replaces the stored built-in texts, and leaves the custom text unchanged. */
export async function writeReplacedTexts(tx: Transaction, key: MessageTextKey, replaced: ReplacedTexts): Promise<void> {
  await tx.messageText.update({ where: { ownerId_type_language: key }, data: { replaced } });
}

/** Returns the replaced built-in texts of one level. They are unknown for texts from before they were stored. */
export async function findReplacedTexts(db: Database, key: MessageTextKey): Promise<ReplacedTexts> {
  const row = await db.one<{ replaced: unknown }>(
    `SELECT "replaced" FROM "MessageText" WHERE "ownerId" = $1 AND "type" = $2 AND "language" = $3`,
    [key.ownerId, key.type, key.language],
  );
  return readJson<ReplacedTexts | null>(row?.replaced ?? null) ?? {};
}

/** Returns the replaced built-in texts of all texts of one level. */
export async function listReplacedTexts(
  db: Database,
  ownerId: string,
): Promise<{ type: string; language: string; replaced: ReplacedTexts }[]> {
  const rows = await db.all<{ type: string; language: string; replaced: unknown }>(
    `SELECT "type", "language", "replaced" FROM "MessageText" WHERE "ownerId" = $1 AND "replaced" IS NOT NULL`,
    [ownerId],
  );
  return rows.map(({ replaced, ...of }) => ({ ...of, replaced: readJson<ReplacedTexts>(replaced) }));
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
  return (await tx.messageText.deleteMany({ where: key })).count === 1;
}

/** The stored fields, and the head of the text's events if there are any. Times are epoch milliseconds. */
export type MessageTextHistory = MessageTextColumns & AggregateRow;

/** Returns text and history from one statement, so that they are consistent; undefined if nothing was ever recorded. */
export function findMessageText(
  db: Database,
  key: MessageTextKey,
  aggregateId: string,
): Promise<MessageTextHistory | undefined> {
  return db.one<MessageTextHistory>(
    `SELECT a."sequence", a."resourceOwner", a."createdAt", a."changedAt",
            m."title", m."preHeader", m."subject", m."greeting", m."text", m."buttonText", m."footerText"
       FROM "Aggregate" a LEFT JOIN "MessageText" m
         ON m."ownerId" = $2 AND m."type" = $3 AND m."language" = $4
      WHERE a."type" = 'message_text' AND a."id" = $1`,
    [aggregateId, key.ownerId, key.type, key.language],
  );
}

export type MessageTextLevel = "organization" | "instance";
/** The fields of one level, and the user answerable for them. */
export type LevelFields = MessageTextColumns & Pick<MessageTextRow, "changedBy">;
export type TextLevels = Partial<Record<MessageTextLevel, LevelFields>>;
type LevelRow = LevelFields & { level: MessageTextLevel };

/** The level of a text. `$1` is the organization, or null. */
const LEVEL = `CASE WHEN m."ownerId" = $1 THEN 'organization' ELSE 'instance' END AS "level"`;
// A subquery instead of a join, because PostgreSQL might read the texts of all organizations for a join.
const OF_BOTH_LEVELS = `m."ownerId" IN ((SELECT "id" FROM "Instance"), $1)`;

/** The committed texts of the organization and the instance, with two index lookups in one statement. */
export async function listMessageTexts(
  db: Database,
  key: { type: string; language: string; organizationId: string | null },
): Promise<TextLevels> {
  const rows = await db.all<LevelRow>(
    `SELECT ${LEVEL}, m."title", m."preHeader", m."subject", m."greeting", m."text", m."buttonText", m."footerText",
            m."changedBy"
       FROM "MessageText" m WHERE ${OF_BOTH_LEVELS} AND m."type" = $2 AND m."language" = $3`,
    [key.organizationId, key.type, key.language],
  );
  return Object.fromEntries(rows.map(({ level, ...fields }) => [level, fields]));
}

const FIELDS = ["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"] as const;

export type CustomizationRow = { level: MessageTextLevel; type: string; language: string } & Record<
  (typeof FIELDS)[number],
  /** 1 if the level has a custom text for the field. */
  0 | 1
>;

/** Which fields the instance and, if given, the organization have customized, without the texts. */
export function listCustomizations(db: Database, organizationId: string | null): Promise<CustomizationRow[]> {
  const columns = FIELDS.map((field) => `CASE WHEN m."${field}" <> '' THEN 1 ELSE 0 END AS "${field}"`);
  return db.all<CustomizationRow>(
    `SELECT ${LEVEL}, m."type", m."language", ${columns.join(", ")} FROM "MessageText" m WHERE ${OF_BOTH_LEVELS}`,
    [organizationId],
  );
}

/** All custom texts of one level. */
export function listOwnTexts(
  db: Database,
  ownerId: string,
): Promise<Pick<MessageTextRow, "type" | "language" | keyof MessageTextColumns>[]> {
  return db.all(
    `SELECT "type", "language", ${FIELDS.map((field) => `"${field}"`).join(", ")}
       FROM "MessageText" WHERE "ownerId" = $1 ORDER BY "type", "language"`,
    [ownerId],
  );
}
