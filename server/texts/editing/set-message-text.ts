/**
 * Sets the text of an organization or of the instance for one message and language. All fields of that level are
 * replaced: omitted ones fall back. The text is checked first, so that no broken message is sent. Rule TEXT-3.
 */
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { checkMessageText } from "../check-message-text";
import type { TextSaved } from "../drafts/keep-draft";
import { setFields } from "../level/level-text";
import type { MessageTextFields } from "../message-text";
import type { TextWarning } from "../text-issue";
import { findTarget, type TextTarget } from "../text-owner";
import { checkRights, resetLevelText, saveText } from "./save-text";

export interface SetMessageText extends TextTarget {
  fields: MessageTextFields;
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

export interface MessageTextSet extends TextSaved {
  /** Warnings about the saved text. */
  warnings: readonly TextWarning[];
}

export async function setMessageText(ctx: OriginContext, request: SetMessageText): Promise<MessageTextSet | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key } = target;
  const { fields } = request;
  // Before the content, so that a caller who may not write it learns nothing about it.
  const refusal = await checkRights(ctx, ctx.origin.actor, key);
  if (refusal) return refusal;
  const checked = await checkMessageText(ctx, target, key, fields);
  if (isApiError(checked)) return checked;
  const saved = await saveText(ctx, key, setFields(fields), { ifMatch: request.ifMatch });
  return isApiError(saved) ? saved : { ...saved, warnings: checked.warnings };
}

/** Removes the text, so that the inherited one applies. Returns 404 if it does not exist. */
export async function resetMessageText(
  ctx: OriginContext,
  request: TextTarget & { ifMatch?: string },
): Promise<TextSaved | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const refusal = await checkRights(ctx, ctx.origin.actor, target.key);
  return refusal ?? resetLevelText(ctx, target.key, { ifMatch: request.ifMatch });
}
