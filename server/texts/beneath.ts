/** What shows through where a level says nothing: the text its fields fall back to. */
import type { Context } from "../context";
import { builtInText, type MessageText } from "./built-in";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";
import type { OverrideKey } from "./override";
import { readMessageText } from "./resolve";
import type { TextOwner } from "./text-owner";

/** What applies where the level says nothing: the built-in text, and over it, for an organization, the instance's. */
export async function textBeneath(
  ctx: Context,
  { organizationId }: TextOwner,
  { type, language }: OverrideKey,
): Promise<MessageText> {
  if (organizationId === undefined) return builtInText(type, language);
  const inForce = await readMessageText(ctx.db, { type, language });
  return Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, inForce[field].text])) as MessageText;
}

type Fields = Partial<Record<MessageField, string | null>>;

/** The text a level would have: its fields, and for each that is left out or empty what is beneath. */
export function overBeneath(fields: Fields, beneath: MessageText): MessageText {
  const merged = MESSAGE_FIELDS.map((field): [MessageField, string] => [field, fields[field] || beneath[field]]);
  return Object.fromEntries(merged) as Record<MessageField, string>;
}
