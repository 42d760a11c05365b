/** The precondition (If-Match) that prevents writers from overwriting another user's change. */
import type { Context } from "../context";
import { type ApiError, aborted, invalidArgument } from "../protocol/api-error";
import type { Transaction } from "../storage/database";
import { readAggregate } from "../storage/event/event";
import { lockMessageText } from "../storage/text/message-texts";
import { hasOverride, type OverrideKey, overrideId } from "./override";

/**
 * Checks that the text is still the one that the writer has seen (RFC 9110 §13.1.1): it must have one of the given
 * sequences or, for `*`, exist; else 412, which has no gRPC code. Must be called inside the writing transaction.
 */
export async function checkSequence(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  ifMatch: string | undefined,
): Promise<ApiError | undefined> {
  if (ifMatch === undefined) return undefined;
  const named = ifMatch.split(",").map((tag) => tag.trim().replace(/^"(.*)"$/, "$1"));
  if (!named.every((tag) => /^(\d{1,19}|\*)$/.test(tag))) {
    return invalidArgument("request.if_match", "Send the sequence of the details in If-Match, or *.", {
      field: "If-Match",
    });
  }
  await lockMessageText(ctx.db, tx, key);
  const sequence = (await readAggregate(tx, "message_text", overrideId(key)))?.sequence ?? 0;
  if (named.includes(String(sequence)) || (named.includes("*") && (await hasOverride(tx, key)))) return undefined;
  const reason = "The text has changed meanwhile: read it again, then decide.";
  return aborted("message_text.sequence_mismatch", reason, { status: 412 });
}
