/**
 * Sets the text of an organization or of the instance for one message and language. All fields of that level are
 * replaced: omitted ones fall back. The text is checked first, so that no broken message is sent. Rule TEXT-3.
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { checkMessageText } from "../check-message-text";
import { saveText, type TextSaved } from "../drafts/save";
import { parseFields } from "../parse-fields";
import { checkSequence } from "../sequence";
import type { TextWarning } from "../text-issue";
import { findTarget, type TextTarget } from "../text-owner";

export interface SetMessageText extends TextTarget {
  /** The parsed JSON; undefined without a body. */
  body: unknown;
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

export interface MessageTextSet extends TextSaved {
  /** Warnings about the saved text. */
  warnings: readonly TextWarning[];
}

export async function setMessageText(
  ctx: Context,
  request: SetMessageText,
  origin: Origin,
): Promise<MessageTextSet | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key } = target;
  const fields = parseFields(key.type, request.body);
  if (isApiError(fields)) return fields;
  const checked = await checkMessageText(ctx, target, key, fields);
  if (isApiError(checked)) return checked;
  const saved = await changeDirectory(ctx, async (tx) => {
    const refusal = await checkSequence(ctx, tx, key, request.ifMatch);
    return refusal ?? saveText(ctx, tx, key, fields, origin);
  });
  return isApiError(saved) ? saved : { ...saved, warnings: checked.warnings };
}
