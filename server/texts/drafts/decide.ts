/**
 * Decisions about a draft: another person approves it, and it is saved by the same rules as every text, or rejects it
 * with a comment; its author may withdraw it. Authors cannot approve their own drafts. Machines cannot approve any, as
 * they may act for the author (attack: one person with two identities). The approval applies to the version that was
 * seen, over the text that was seen: each version has its own id, and a text that has changed in the meantime causes an
 * error. Rule TEXT-12.
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { baseOf, type Language, languagesOf } from "../../directory/policy/languages";
import { type ChangeContext, type Details, type OriginContext, recordIn } from "../../events/record";
import { isMessageType } from "../../message-types/table";
import { type ApiError, aborted, isApiError, notFound, permissionDenied } from "../../protocol/api-error";
import {
  deleteTextDraft,
  findTextDraft,
  readTextDraftById,
  rejectTextDraft,
  type TextDraftRow,
} from "../../storage/text/drafts";
import { readUser } from "../../storage/user/user";
import { checkMessageText } from "../check-message-text";
import { parseIfMatch } from "../if-match";
import { lockLevelText, readHead, readOwnText, replaceOwnText, textSubjectOf } from "../level/level-text";
import { ownHosts } from "../own-hosts";
import { checkPageTexts } from "../pages/level-page-texts";
import { type LevelText, textOwner } from "../text-owner";
import { withdrawIn } from "./keep-draft";
import { checkPublishing, type PowerCheck, rightsOverText } from "./power";

export interface DraftTarget {
  /** Undefined for the instance's texts. */
  organizationId: string | undefined;
  id: string;
}

/** Characters. */
export const MAX_COMMENT = 1000;

export const draftNotFound = () =>
  notFound(
    "text_draft.not_found",
    "This change no longer exists: it was edited, decided or withdrawn. Load the list again.",
  );

/** Finds a draft of the level, and the text that it changes. */
export async function findDraftRow(
  ctx: Context,
  { organizationId, id }: DraftTarget,
): Promise<{ seen: TextDraftRow; text: LevelText } | ApiError> {
  const { ownerId } = await textOwner(ctx, organizationId);
  const seen = await findTextDraft(ctx.db, ownerId, id);
  const text = seen && textOfDraft(seen, await languagesOf(ctx));
  return seen && text ? { seen, text } : draftNotFound();
}

/**
 * Makes a draft the text that is sent or shown.
 * @param target `ifMatch`: the sequence of the text that the approver has seen; by default the one that the author saw
 */
export async function approveDraft(
  ctx: OriginContext,
  target: DraftTarget & { ifMatch?: string },
): Promise<{ details: Details } | ApiError> {
  const found = await findDraftRow(ctx, target);
  if (isApiError(found)) return found;
  const { seen, text } = found;
  const refusal = await checkText(ctx, target, text, seen);
  if (refusal) return refusal;
  const checkPower = await checkPublishing(ctx, ctx.origin.actor, text);
  if (isApiError(checkPower)) return checkPower;
  const details = await changeDirectory(ctx, async (ctx): Promise<Details | ApiError> => {
    const draft = await readForDecision(ctx, { text, id: seen.id, checkPower });
    if (isApiError(draft)) return draft;
    const refused = checkSeen((await readHead(ctx.tx, text))?.sequence ?? 0, draft, target.ifMatch);
    if (refused) return refused;
    await recordIn(ctx, {
      type: "text_draft.approved",
      ...textSubjectOf(text),
      async state() {
        await deleteTextDraft(ctx.tx, draft.id);
        return { payload: { userId: draft.authorId } };
      },
    });
    return replaceOwnText(ctx, text, draft.fields, { author: draft.authorId });
  });
  return isApiError(details) ? details : { details };
}

/** Rejects a draft with a comment for its author, who can still edit it. */
export async function rejectDraft(
  ctx: OriginContext,
  target: DraftTarget & { comment: string },
): Promise<Record<never, never> | ApiError> {
  const found = await findDraftRow(ctx, target);
  if (isApiError(found)) return found;
  const { seen, text } = found;
  const checkPower = await checkPublishing(ctx, ctx.origin.actor, text);
  if (isApiError(checkPower)) return checkPower;
  const { comment } = target;
  const outcome = await changeDirectory(ctx, async (ctx) => {
    const draft = await readForDecision(ctx, { text, id: seen.id, checkPower });
    if (isApiError(draft)) return draft;
    return recordIn(ctx, {
      type: "text_draft.rejected",
      ...textSubjectOf(text),
      async state(_, now) {
        await rejectTextDraft(ctx.tx, draft.id, { rejectedBy: ctx.origin.actor, comment }, now);
        return { payload: { userId: draft.authorId, comment } };
      },
    });
  });
  return isApiError(outcome) ? outcome : {};
}

/**
 * Withdraws a draft. Only its author can; a rejected one may be removed by others, too, as the author may no longer
 * exist.
 */
export async function withdrawDraft(
  ctx: OriginContext,
  { organizationId, id }: DraftTarget,
): Promise<Record<never, never> | ApiError> {
  const { ownerId } = await textOwner(ctx, organizationId);
  const languages = await languagesOf(ctx);
  const target = await findDraftRow(ctx, { organizationId, id });
  if (isApiError(target)) return target;
  const rights = await rightsOverText(ctx, ctx.origin.actor, target.text);
  // Authors withdraw their own drafts, also after they have lost the language.
  if (isApiError(rights) && target.seen.authorId !== ctx.origin.actor) return rights;
  const outcome = await changeDirectory(ctx, async (ctx): Promise<ApiError | undefined> => {
    const found = await readTextDraftById(ctx.tx, ownerId, id);
    const text = found && textOfDraft(found, languages);
    if (!text) return draftNotFound();
    await lockLevelText(ctx, text);
    const draft = await readTextDraftById(ctx.tx, ownerId, id); // it may have been decided while this transaction waited
    if (!draft) return draftNotFound();
    if (draft.authorId !== ctx.origin.actor && draft.rejectedBy === null) {
      return permissionDenied("text_draft.not_author", "Only its author can withdraw a change. Reject it instead.");
    }
    await withdrawIn(ctx, text, draft);
    return undefined;
  });
  return outcome ?? {};
}

/** Returns undefined if the text no longer exists. @param languages the existing languages */
export function textOfDraft(
  { ownerId, type, language: tag }: TextDraftRow,
  languages: readonly Language[],
): LevelText | undefined {
  const language = languages.find((one) => one === tag);
  if (!language) return undefined;
  if (type === "") return { ownerId, type: undefined, language };
  return isMessageType(type) ? { ownerId, type, language } : undefined;
}

/** Checks the draft again: since it was written, a domain may have been lost or an inherited text may have changed. */
async function checkText(
  ctx: Context,
  { organizationId }: DraftTarget,
  { type, ...of }: LevelText,
  { fields }: TextDraftRow,
): Promise<ApiError | undefined> {
  if (type === undefined)
    return checkPageTexts(await baseOf(ctx, of.language), fields, await ownHosts(ctx, organizationId));
  const owner = await textOwner(ctx, organizationId);
  const checked = await checkMessageText(ctx, owner, { ...of, type }, fields);
  return isApiError(checked) ? checked : undefined;
}

/** Reads the draft for a decision. Approving it requires the same permissions as writing the text. */
async function readForDecision(
  ctx: ChangeContext,
  { text, id, checkPower }: { text: LevelText; id: string; checkPower: PowerCheck },
): Promise<TextDraftRow | ApiError> {
  await lockLevelText(ctx, text);
  const draft = await readTextDraftById(ctx.tx, text.ownerId, id);
  if (!draft || draft.rejectedBy !== null) return draftNotFound();
  if (draft.authorId === ctx.origin.actor) {
    return permissionDenied(
      "text_draft.own",
      "You cannot decide about your own change. Ask someone else who can edit texts.",
    );
  }
  if ((await readUser(ctx.tx, ctx.origin.actor))?.kind !== "human") {
    return permissionDenied("text_draft.machine", "A machine can't approve a change. Ask a user who can edit texts.");
  }
  return checkPower(await readOwnText(ctx.tx, text), draft.fields) ?? draft;
}

/**
 * The text must not have changed since it was seen (RFC 9110 §13.1.1): by the approver if named, else by the author.
 */
function checkSeen(now: number, { sequence }: TextDraftRow, ifMatch: string | undefined): ApiError | undefined {
  const named = ifMatch === undefined ? [String(sequence)] : parseIfMatch(ifMatch, false);
  if (isApiError(named)) return named;
  if (named.includes(String(now))) return undefined;
  const reason = "The text has changed since this change of it was written: look at both, then decide.";
  return aborted("text_draft.overtaken", reason, { status: 412 });
}
