/**
 * Removes the text of an organization or of the instance for one message and language, so that the level beneath
 * applies. If there is none, the answer is 404. Rule TEXT-2.
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import type { Details, Origin } from "../events/record";
import { type ApiError, isApiError, notFound } from "../protocol/api-error";
import { removeOverride } from "./override";
import { checkSequence } from "./sequence";
import { findTarget, type TextTarget } from "./text-owner";

export interface ResetMessageText extends TextTarget {
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

export async function resetMessageText(
  ctx: Context,
  request: ResetMessageText,
  origin: Origin,
): Promise<{ details: Details } | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key } = target;
  const details = await changeDirectory(ctx, async (tx) => {
    const refusal = await checkSequence(ctx, tx, key, request.ifMatch);
    return refusal ?? (await removeOverride(ctx, tx, key, origin));
  });
  if (details === undefined) {
    return notFound("message_text.not_found", "There is no text of its own here that could be reset.");
  }
  return isApiError(details) ? details : { details };
}
