/**
 * Drafts: if the policy requires a second person, a saved text has no effect until someone else approves it
 * (decide.ts). The operator's file needs no approval (bootstrap/texts.ts). Rule TEXT-12.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { Language } from "../../directory/policy/languages";
import { readPolicyIn, readPolicyLevels } from "../../directory/policy/policies";
import { resolvePolicy } from "../../directory/policy/resolve-policy";
import { type ChangeContext, type Details, detailsOfNothing, recordIn, toDetails } from "../../events/record";
import { isMessageType, type MessageType } from "../../message-types/table";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import {
  deleteTextDraft,
  listTextDrafts,
  readTextDraft,
  replaceTextDraft,
  type TextDraftRow,
} from "../../storage/text/drafts";
import { isSameText, readHead, readOwnText, textChangesOf, textSubjectOf } from "../level/level-text";
import { type LevelText, type OwnText, textOwner } from "../text-owner";

export interface TextSaved {
  /** Details of the text in force, which a draft does not change. */
  details: Details;
  /** Undefined: the text is in force now. */
  draft?: { id: string };
}

/** Returns whether changes of the owner's texts need a second person. @param ownerId an organization or the instance */
export async function needsApproval(tx: Transaction, ownerId: string): Promise<boolean> {
  return (await readPolicyIn(tx, "texts", ownerId)).requireTextApproval;
}

/**
 * Returns what a person has drafted in a language, by message (undefined: the page texts). Returns undefined if changes
 * need no approval, so that an earlier draft never becomes part of one.
 * @param author.isProposal whether all changes of this person need approval
 */
export async function findOwnDrafts(
  ctx: Context,
  organizationId: string | undefined,
  language: Language,
  { userId, isProposal }: { userId: string; isProposal: boolean },
): Promise<ReadonlyMap<MessageType | undefined, OwnText> | undefined> {
  const { ownerId } = await textOwner(ctx, organizationId);
  const [{ instance, organization }, drafts] = await Promise.all([
    readPolicyLevels(ctx, "texts", organizationId),
    listTextDrafts(ctx.db, ownerId),
  ]);
  if (!isProposal && !resolvePolicy("texts", [instance, organization]).requireTextApproval) return undefined;
  const own = drafts.filter((draft) => draft.language === language && draft.authorId === userId);
  return new Map(own.map(({ type, fields }) => [isMessageType(type) ? type : undefined, fields]));
}

/** Stores a draft in place of the author's own one, or of a rejected one. The caller has locked the text. */
export async function keepDraft(ctx: ChangeContext, text: LevelText, wanted: OwnText): Promise<TextSaved | ApiError> {
  const key = { ...text, type: text.type ?? "" };
  const [own, head, waiting] = [
    await readOwnText(ctx.tx, text),
    await readHead(ctx.tx, text),
    await readTextDraft(ctx.tx, key),
  ];
  // A draft has exactly one author, who must not approve it.
  if (waiting && waiting.rejectedBy === null && waiting.authorId !== ctx.origin.actor) {
    return failedPrecondition(
      "text_draft.of_somebody_else",
      "Someone else's change of this text is waiting for approval. Approve or reject it first.",
    );
  }
  const details = head ? toDetails(head) : await detailsOfNothing(ctx.tx, text.ownerId);
  if (isSameText(own, wanted)) {
    if (waiting?.authorId === ctx.origin.actor) await withdrawIn(ctx, text, waiting);
    return { details };
  }
  const sequence = head?.sequence ?? 0;
  if (
    waiting?.authorId === ctx.origin.actor &&
    waiting.rejectedBy === null &&
    waiting.sequence === sequence &&
    isSameText(waiting.fields, wanted)
  ) {
    return { details, draft: { id: waiting.id } };
  }
  const id = newId();
  await recordIn(ctx, {
    type: "text_draft.saved",
    ...textSubjectOf(text),
    async state(_, at) {
      const of = { ...key, id, fields: wanted, base: own, sequence, authorId: ctx.origin.actor };
      await replaceTextDraft(ctx.tx, { ...of, createdAt: at, changedAt: at });
      return { isNew: !waiting, payload: textChangesOf(text, own, wanted) };
    },
  });
  return { details, draft: { id } };
}

/** Removes a draft at the request of its author. */
export async function withdrawIn(
  ctx: ChangeContext,
  text: LevelText,
  { id, authorId: userId }: Pick<TextDraftRow, "id" | "authorId">,
): Promise<void> {
  await recordIn(ctx, {
    type: "text_draft.withdrawn",
    ...textSubjectOf(text),
    async state() {
      await deleteTextDraft(ctx.tx, id);
      return { payload: { userId } };
    },
  });
}
