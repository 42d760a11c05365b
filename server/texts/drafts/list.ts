/** The changes of texts that wait for approval or were rejected, as listed for those who decide about them. */
import type { Context } from "../../context";
import { type Language, languagesOf } from "../../directory/policy/languages";
import type { MessageType } from "../../message-types/table";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { readNames } from "../../storage/event/list";
import { listTextDrafts, type TextDraftRow } from "../../storage/text/drafts";
import { findOwnText } from "../level/level-text";
import { type OwnText, textOwner } from "../text-owner";
import { type DraftTarget, draftNotFound, findDraftRow, textOfDraft } from "./decide";

interface Person {
  id: string;
  /** Undefined if the user no longer exists or belongs to another organization. */
  name?: string;
}

export interface DraftSummary {
  id: string;
  /** Undefined: the page texts. */
  type: MessageType | undefined;
  language: Language;
  author: Person;
  /** ISO 8601. */
  creationDate: string;
  /** Undefined while the draft is waiting. */
  rejection?: { by: Person; comment: string; date: string };
}

export interface ShownDraft extends DraftSummary {
  /** The level's own text after approval; empty: it is reset. */
  fields: OwnText;
  /** The level's own text when the draft was written, and now. */
  base: OwnText;
  baseSequence: string;
  own: OwnText;
  sequence: string;
  /** Whether the text has changed since. */
  isOvertaken: boolean;
}

/** Lists drafts, oldest first. @param organizationId undefined: drafts of the instance's texts */
export async function listDrafts(ctx: Context, organizationId: string | undefined): Promise<DraftSummary[]> {
  const { ownerId } = await textOwner(ctx, organizationId);
  const rows = await listTextDrafts(ctx.db, ownerId);
  return summaries(ctx, rows, organizationId);
}

export async function findDraft(ctx: Context, target: DraftTarget): Promise<ShownDraft | ApiError> {
  const found = await findDraftRow(ctx, target);
  if (isApiError(found)) return found;
  const { seen, text } = found;
  const [summary] = await summaries(ctx, [seen], target.organizationId);
  if (!summary) return draftNotFound();
  const { own, details } = await findOwnText(ctx, text);
  const { fields, base } = seen;
  const { sequence } = details;
  const baseSequence = String(seen.sequence);
  return { ...summary, fields, base, baseSequence, own, sequence, isOvertaken: sequence !== baseSequence };
}

async function summaries(
  ctx: Context,
  rows: readonly TextDraftRow[],
  within: string | undefined,
): Promise<DraftSummary[]> {
  const ids = rows.flatMap(({ authorId, rejectedBy }) => (rejectedBy === null ? [authorId] : [authorId, rejectedBy]));
  const languages = await languagesOf(ctx);
  const known = await readNames(ctx.db, "user", [...new Set(ids)]);
  const person = (id: string): Person => {
    const found = known.get(id);
    return { id, ...(found && (within === undefined || found.organizationId === within) && { name: found.name }) };
  };
  return rows.flatMap((row): DraftSummary[] => {
    const text = textOfDraft(row, languages);
    if (!text) return [];
    const { id, authorId, rejectedBy, comment, createdAt, changedAt } = row;
    const rejection =
      rejectedBy === null
        ? undefined
        : { by: person(rejectedBy), comment: comment ?? "", date: new Date(changedAt).toISOString() };
    return [
      {
        id,
        type: text.type,
        language: text.language,
        author: person(authorId),
        creationDate: new Date(createdAt).toISOString(),
        rejection,
      },
    ];
  });
}
