/**
 * Removes the text of an organization or of the instance for one message and language, so that the inherited text
 * applies. Returns 404 if it has no text. Rule TEXT-2.
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import { needsApproval, saveText, type TextSaved } from "../drafts/save";
import { hasOverride, removeOverride } from "../override";
import { checkSequence } from "../sequence";
import { findTarget, type TextTarget } from "../text-owner";

export interface ResetMessageText extends TextTarget {
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

export async function resetMessageText(
  ctx: Context,
  request: ResetMessageText,
  origin: Origin,
): Promise<TextSaved | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key } = target;
  return changeDirectory(ctx, async (tx): Promise<TextSaved | ApiError> => {
    const refusal = await checkSequence(ctx, tx, key, request.ifMatch);
    if (refusal) return refusal;
    if (await needsApproval(tx, key.ownerId)) {
      return (await hasOverride(tx, key)) ? saveText(ctx, tx, key, {}, origin) : nothingToReset();
    }
    const details = await removeOverride(ctx, tx, key, origin);
    return details ? { details } : nothingToReset();
  });
}

const nothingToReset = () => notFound("message_text.not_found", "There is no custom text here to reset.");
