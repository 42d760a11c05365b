/** Rows of text changes that wait for approval or were rejected: one for each level, message type and language. */
import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readOne, write, writeOne } from "../in-transaction";
import { bind, tables } from "../statement";

/** By the name of the field or word. */
export type DraftFields = Readonly<Record<string, string>>;
/** Times are epoch milliseconds. */
export type TextDraftRow = Omit<Selectable<Tables["TextDraft"]>, "fields" | "base"> & {
  fields: DraftFields;
  base: DraftFields;
};
export type TextDraftKey = Pick<TextDraftRow, "ownerId" | "type" | "language">;

const drafts = tables.selectFrom("TextDraft").selectAll().$narrowType<{ fields: DraftFields; base: DraftFields }>();
const own = (ownerId: string, id: string) => bind(drafts.where((eb) => eb.and({ ownerId, id })));

export function readTextDraft(
  tx: Transaction,
  { ownerId, type, language }: TextDraftKey,
): Promise<TextDraftRow | undefined> {
  return readOne(tx, bind(drafts.where((eb) => eb.and({ ownerId, type, language }))));
}

/** Returns a draft of this owner; undefined also if it belongs to another owner. */
export function readTextDraftById(tx: Transaction, ownerId: string, id: string): Promise<TextDraftRow | undefined> {
  return readOne(tx, own(ownerId, id));
}

/** Stores a draft and replaces an existing one of the same text. */
export async function replaceTextDraft(
  tx: Transaction,
  draft: Omit<TextDraftRow, "rejectedBy" | "comment">,
): Promise<void> {
  // Prisma accepts no number beyond 32 bits.
  const sequence = sql<number>`cast(${String(draft.sequence)} as bigint)`;
  const row = { ...draft, sequence, rejectedBy: null, comment: null };
  const upsert = tables
    .insertInto("TextDraft")
    .values(row)
    .onConflict((conflict) => conflict.columns(["ownerId", "type", "language"]).doUpdateSet(row));
  await write(tx, bind(upsert));
}

export async function rejectTextDraft(
  tx: Transaction,
  id: string,
  { rejectedBy, comment }: { rejectedBy: string; comment: string },
  now: number,
): Promise<void> {
  const rejection = tables.updateTable("TextDraft").set({ rejectedBy, comment, changedAt: now });
  await writeOne(tx, bind(rejection.where("id", "=", id)));
}

export async function deleteTextDraft(tx: Transaction, id: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("TextDraft").where("id", "=", id)));
}

export function findTextDraft(db: Database, ownerId: string, id: string): Promise<TextDraftRow | undefined> {
  return db.one(own(ownerId, id));
}

/** Returns all drafts of one level, oldest first. */
export function listTextDrafts(db: Database, ownerId: string): Promise<TextDraftRow[]> {
  return db.all(bind(drafts.where("ownerId", "=", ownerId).orderBy("createdAt").orderBy("id")));
}
