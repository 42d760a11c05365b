// The fields of messages, in the order in which a mail shows them.
import type { MessageType } from "../../../server/message-types/table";
import type { MessageField } from "../../../server/texts/message-text";

export type { MessageField, MessageType };

/** The order in which readers see the fields, in the inbox and then in the mail. */
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
 * The fields to show, in mail order. Phones show the text alone, so other fields of such messages only appear if they
 * are set.
 */
export function shownFields(
  { isShortMessage, fields }: MessageFields,
  values: Readonly<Partial<Record<MessageField, string>>>,
): { name: MessageField; limit: number }[] {
  return MAIL_ORDER.flatMap((name) => fields.filter((field) => field.name === name)).filter(
    ({ name }) => !isShortMessage || name === "text" || values[name],
  );
}
