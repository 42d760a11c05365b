// The fields of messages, in the order in which a mail shows them.
import type { MessageType } from "../../../server/message-types/table";
import type { MessageField } from "../../../server/texts/message-text";

export type { MessageField, MessageType };

/** The fields in the order in which readers see them, in the inbox and then in the mail. */
export const MAIL_ORDER = [
  "subject",
  "preHeader",
  "title",
  "greeting",
  "text",
  "buttonText",
  "footerText",
] as const satisfies readonly MessageField[];

export interface MessageFields {
  isShortMessage: boolean;
  fields: readonly { name: MessageField; limit: number }[];
}

/**
 * Returns the fields to show, in mail order. Phones only show the text, so other fields of text messages appear only if
 * they are set.
 */
export function shownFields(
  { isShortMessage, fields }: MessageFields,
  values: Readonly<Partial<Record<MessageField, string>>>,
): { name: MessageField; limit: number }[] {
  return MAIL_ORDER.flatMap((name) => fields.filter((field) => field.name === name)).filter(
    ({ name }) => !isShortMessage || name === "text" || values[name],
  );
}
