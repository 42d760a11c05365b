/**
 * Sets the text of an organization or of the instance for one message and language. All fields of that level are
 * replaced: those left out fall back. The text is checked before it is saved, so that no broken message is sent. Rule
 * TEXT-3.
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import type { Details, Origin } from "../events/record";
import { type ApiError, invalidArgument, isApiError } from "../protocol/api-error";
import { inheritedText } from "./inherited";
import { lintMessageText } from "./lint";
import { replaceOverride } from "./override";
import { ownHosts } from "./own-hosts";
import { parseFields } from "./parse-fields";
import { checkSequence } from "./sequence";
import type { TextError, TextWarning } from "./text-issue";
import { findTarget, type TextTarget } from "./text-owner";

export interface SetMessageText extends TextTarget {
  /** The parsed JSON; undefined if there is none. */
  body: unknown;
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

export interface MessageTextSet {
  details: Details;
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
  const { errors, warnings } = lintMessageText(
    key.type,
    fields,
    await inheritedText(ctx, target, key),
    await ownHosts(ctx, target.organizationId),
  );
  if (errors.length > 0) return refusalOf(errors);
  const details = await changeDirectory(ctx, async (tx) => {
    const refusal = await checkSequence(ctx, tx, key, request.ifMatch);
    return refusal ?? replaceOverride(ctx, tx, key, fields, origin);
  });
  return isApiError(details) ? details : { details, warnings };
}

/** One error that lists everything that is wrong with a text. */
export function refusalOf(errors: readonly TextError[]): ApiError {
  const [first] = errors;
  if (!first) throw new Error("a refusal without a reason");
  const { id, message, field, limit, position, suggestion } = first;
  return invalidArgument(id, `${field}: ${message}`, { field, limit, position, suggestion, problems: errors });
}
