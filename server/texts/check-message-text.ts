/** Checks a message text before it is saved, so that no broken message is sent. Rule TEXT-7. */
import type { Context } from "../context";
import { type ApiError, invalidArgument } from "../protocol/api-error";
import { inheritedText } from "./inherited";
import { lintMessageText } from "./lint";
import type { MessageTextFields } from "./message-text";

import { ownHosts } from "./own-hosts";
import type { TextError, TextWarning } from "./text-issue";
import type { LevelMessageText, TextOwner } from "./text-owner";

/** Returns the warnings, or an error if the text could not work. */
export async function checkMessageText(
  ctx: Context,
  owner: TextOwner,
  key: LevelMessageText,
  fields: MessageTextFields,
): Promise<{ warnings: readonly TextWarning[] } | ApiError> {
  const inherited = await inheritedText(ctx, owner, key);
  const own = await ownHosts(ctx, owner.organizationId);
  const { errors, warnings } = lintMessageText(key.type, fields, inherited, own);
  return errors.length > 0 ? textRefusal(errors) : { warnings };
}

export function textRefusal(errors: readonly TextError[]): ApiError {
  const [first] = errors;
  if (!first) throw new Error("a refusal without a reason");
  const { id, message, field, limit, position, suggestion } = first;
  return invalidArgument(id, `${field}: ${message}`, { field, limit, position, suggestion, problems: errors });
}
