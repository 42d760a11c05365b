/** What one level (instance or organization) says in a message: its own row, beside the built-in texts, never in them. */
import type { Context } from "../context";
import { difference } from "../events/difference";
import { type Origin, recordIn } from "../events/record";
import type { Transaction } from "../storage/database";
import { readMessageText, writeMessageText } from "../storage/message-texts";
import type { MessageType } from "./kinds";
import type { Language } from "./languages";
import { MESSAGE_FIELDS, type MessageTextFields } from "./message-text";

export interface OverrideKey {
  /** Organization id or instance id. */
  ownerId: string;
  type: MessageType;
  language: Language;
}

/** The aggregate that counts the changes of one text. */
export function overrideId({ ownerId, type, language }: OverrideKey): string {
  return `${ownerId}/${type}/${language}`;
}

/**
 * Writes the given fields where they differ; a field left out stays as it is, an empty one falls back.
 * @returns whether anything changed
 */
export async function changeOverride(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  given: MessageTextFields,
  origin: Origin,
): Promise<"added" | "changed" | "unchanged"> {
  const stored = await readMessageText(tx, key);
  const wanted = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, given[field] === "" ? null : given[field]]));
  const changes = difference<Partial<Record<string, string | null>>>(stored ?? {}, wanted);
  if (!changes) return "unchanged";
  await recordIn(ctx, tx, {
    type: "message_text.set",
    aggregateId: overrideId(key),
    resourceOwner: key.ownerId,
    origin,
    async state(_, now) {
      await writeMessageText(tx, key, changes.data, now);
      return { payload: changes.payload };
    },
  });
  return stored ? "changed" : "added";
}
