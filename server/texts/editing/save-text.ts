/**
 * Saves and resets the text of one level in one transaction: lock, check, then replace or draft. Every change by a
 * caller (editor, API, imports) passes here, except the approval of a draft (drafts/decide.ts).
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import type { ChangeContext, Details, OriginContext } from "../../events/record";
import { type ApiError, aborted, isApiError, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { keepDraft, needsApproval, type TextSaved } from "../drafts/keep-draft";
import { checkPublishing, rightsOverText, type TextRights } from "../drafts/power";
import { parseIfMatch } from "../if-match";
import {
  aggregateOf,
  keepOwnText,
  lockLevelText,
  readHead,
  readOwnText,
  removeOwnText,
  replaceOwnText,
} from "../level/level-text";
import { type AnyTextTarget, findTarget, type LevelText, type OwnText } from "../text-owner";

export interface TextCondition {
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch: string | undefined;
}

/** Replaces the text, if its author may. The caller has checked its content. */
export async function saveText(
  ctx: OriginContext,
  text: LevelText,
  wanted: OwnText,
  { ifMatch }: TextCondition,
): Promise<TextSaved | ApiError> {
  const rights = await rightsOverText(ctx, ctx.origin.actor, text);
  if (isApiError(rights)) return rights;
  return changeDirectory(ctx, async (ctx) => {
    await lockLevelText(ctx, text);
    const refusal =
      rights.checkPower(await readOwnText(ctx.tx, text), wanted) ?? (await checkSequence(ctx.tx, text, ifMatch));
    return refusal ?? saveLocked(ctx, text, wanted, rights);
  });
}

/** Returns an error if the user may change the text in no way. A message takes the same power whatever is changed. */
export async function checkRights(ctx: Context, userId: string, text: LevelText): Promise<ApiError | undefined> {
  const rights = await rightsOverText(ctx, userId, text);
  if (isApiError(rights)) return rights;
  return text.type === undefined ? undefined : rights.checkPower({}, {});
}

/**
 * Replaces a text that this transaction has locked: at once or, if its author may only propose it or the policy
 * requires a second person, by a draft. Rules TEXT-12 and TEXT-15.
 */
export async function saveLocked(
  ctx: ChangeContext,
  text: LevelText,
  wanted: OwnText,
  { isProposal }: Pick<TextRights, "isProposal">,
): Promise<TextSaved | ApiError> {
  if (isProposal || (await needsApproval(ctx.tx, text.ownerId))) return keepDraft(ctx, text, wanted);
  return { details: await replaceOwnText(ctx, text, wanted) };
}

/** Removes the text, so that the inherited one applies; 404 if it does not exist. Rule TEXT-2. */
export async function resetLevelText(
  ctx: OriginContext,
  text: LevelText,
  { ifMatch }: TextCondition,
): Promise<TextSaved | ApiError> {
  const rights = await rightsOverText(ctx, ctx.origin.actor, text);
  if (isApiError(rights)) return rights;
  return changeDirectory(ctx, async (ctx): Promise<TextSaved | ApiError> => {
    await lockLevelText(ctx, text);
    const refusal = await checkSequence(ctx.tx, text, ifMatch);
    if (refusal) return refusal;
    const own = await readOwnText(ctx.tx, text);
    if (Object.keys(own).length === 0) return nothingToReset(text);
    const refused = rights.checkPower(own, {});
    if (refused) return refused;
    if (rights.isProposal || (await needsApproval(ctx.tx, text.ownerId))) return keepDraft(ctx, text, {});
    return { details: await removeOwnText(ctx, text, own) };
  });
}

/** Keeps the text of a level although the built-in one has changed since it was written. Rule TEXT-11. */
export async function keepText(ctx: OriginContext, target: AnyTextTarget): Promise<{ details: Details } | ApiError> {
  const found = await findTarget(ctx, target);
  if (isApiError(found)) return found;
  const refusal = await checkPublishing(ctx, ctx.origin.actor, found.key);
  if (isApiError(refusal)) return refusal;
  const details = await changeDirectory(ctx, async (ctx) => {
    await lockLevelText(ctx, found.key);
    return keepOwnText(ctx, found.key);
  });
  return { details };
}

/**
 * Checks that the text is still the one that the writer has seen (RFC 9110 §13.1.1): it must have one of the given
 * sequences or, for `*`, exist; else 412, which has no gRPC code.
 */
async function checkSequence(
  tx: Transaction,
  text: LevelText,
  ifMatch: string | undefined,
): Promise<ApiError | undefined> {
  const named = ifMatch === undefined ? undefined : parseIfMatch(ifMatch, true);
  if (named === undefined || isApiError(named)) return named;
  const sequence = (await readHead(tx, text))?.sequence ?? 0;
  if (named.includes(String(sequence))) return undefined;
  if (named.includes("*") && Object.keys(await readOwnText(tx, text)).length > 0) return undefined;
  const what =
    text.type === undefined ? "words have changed meanwhile: read them" : "text has changed meanwhile: read it";
  return aborted(`${aggregateOf(text)}.sequence_mismatch`, `The ${what} again, then decide.`, { status: 412 });
}

const nothingToReset = ({ type }: LevelText): ApiError =>
  type === undefined
    ? notFound("login_text.not_found", "There are no custom texts here to reset.")
    : notFound("message_text.not_found", "There is no custom text here to reset.");
