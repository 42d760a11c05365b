/** The inherited text, which applies to every field that a level leaves empty. */
import type { Context } from "../context";
import { baseOf } from "../directory/policy/languages";
import { builtInText, type MessageText } from "./built-in";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";

import { readResolvedText } from "./resolve";
import type { LevelMessageText, TextOwner } from "./text-owner";

/**
 * Returns the text that a level's empty fields fall back to: the built-in text or, for an organization, the instance's
 * merged over it.
 */
export async function inheritedText(
  ctx: Context,
  { organizationId }: TextOwner,
  { type, language }: LevelMessageText,
): Promise<MessageText> {
  if (organizationId === undefined) return builtInText(type, await baseOf(ctx, language));
  const inForce = await readResolvedText(ctx, { type, language });
  return Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, inForce[field].text])) as MessageText;
}

type Fields = Partial<Record<MessageField, string | null>>;

/** Merges the given fields over the inherited text; omitted and empty fields are inherited. */
export function overInherited(fields: Fields, inherited: MessageText): MessageText {
  const merged = MESSAGE_FIELDS.map((field): [MessageField, string] => [field, fields[field] || inherited[field]]);
  return Object.fromEntries(merged) as Record<MessageField, string>;
}
