/** Rows of text changes that wait for approval or were rejected: one for each level, message type and language. */
import type { Database, Transaction } from "../database";
import type { TextDraft } from "../generated/sqlite/client";
import { readJson } from "../json-column";

/** By the name of the field or word. */
export type DraftFields = Readonly<Record<string, string>>;
/** Times are epoch milliseconds. */
export type TextDraftRow = Omit<TextDraft, "fields" | "base" | "createdAt" | "changedAt"> & {
  fields: DraftFields;
  base: DraftFields;
  createdAt: number;
  changedAt: number;
};
export type TextDraftKey = Pick<TextDraftRow, "ownerId" | "type" | "language">;

export async function readTextDraft(tx: Transaction, key: TextDraftKey): Promise<TextDraftRow | undefined> {
  const row = await tx.textDraft.findUnique({ where: { ownerId_type_language: key } });
  return row ? ofTransaction(row) : undefined;
}

/** Returns a draft of this owner; undefined also if it belongs to another owner. */
export async function readTextDraftById(tx: Transaction, ownerId: string, id: string) {
  const row = await tx.textDraft.findUnique({ where: { id, ownerId } });
  return row ? ofTransaction(row) : undefined;
}

/** Stores a draft and replaces an existing one of the same text. */
export async function replaceTextDraft(
  tx: Transaction,
  { createdAt, changedAt, sequence, ...draft }: Omit<TextDraftRow, "rejectedBy" | "comment">,
): Promise<void> {
  const { ownerId, type, language } = draft;
  const data = {
    ...draft,
    rejectedBy: null,
    comment: null,
    createdAt: new Date(createdAt),
    changedAt: new Date(changedAt),
  };
  await tx.textDraft.upsert({
    where: { ownerId_type_language: { ownerId, type, language } },
    create: { ...data, sequence: 0 },
    update: data,
  });
  // Prisma accepts no number beyond 32 bits.
  await tx.$executeRaw`UPDATE "TextDraft" SET "sequence" = CAST(${String(sequence)} AS BIGINT) WHERE "id" = ${draft.id}`;
}

export async function rejectTextDraft(
  tx: Transaction,
  id: string,
  { rejectedBy, comment }: { rejectedBy: string; comment: string },
  now: number,
): Promise<void> {
  await tx.textDraft.update({ where: { id }, data: { rejectedBy, comment, changedAt: new Date(now) } });
}

export async function deleteTextDraft(tx: Transaction, id: string): Promise<void> {
  await tx.textDraft.deleteMany({ where: { id } });
}

const COLUMNS = `"id", "ownerId", "type", "language", "fields", "base", "sequence", "authorId", "rejectedBy", "comment",
       "createdAt", "changedAt"`;
type Row = Omit<TextDraftRow, "fields" | "base"> & { fields: unknown; base: unknown };
const ofStatement = ({ fields, base, ...row }: Row): TextDraftRow => ({
  ...row,
  fields: readJson(fields),
  base: readJson(base),
});

export async function findTextDraft(db: Database, ownerId: string, id: string): Promise<TextDraftRow | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM "TextDraft" WHERE "id" = $1 AND "ownerId" = $2`, [id, ownerId]);
  return row && ofStatement(row);
}

/** Returns all drafts of one level, oldest first. */
export async function listTextDrafts(db: Database, ownerId: string): Promise<TextDraftRow[]> {
  const rows = await db.all<Row>(`SELECT ${COLUMNS} FROM "TextDraft" WHERE "ownerId" = $1 ORDER BY "createdAt", "id"`, [
    ownerId,
  ]);
  return rows.map(ofStatement);
}

const ofTransaction = ({ fields, base, createdAt, changedAt, ...row }: TextDraft): TextDraftRow => ({
  ...row,
  fields: fields as DraftFields,
  base: base as DraftFields,
  createdAt: createdAt.getTime(),
  changedAt: changedAt.getTime(),
});
