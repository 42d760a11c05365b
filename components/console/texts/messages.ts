// The messages, grouped by purpose, and their fields in the order in which a mail shows them.
import type { MessageType } from "../../../server/texts/kinds";
import type { MessageField } from "../../../server/texts/message-text";

export type { MessageField, MessageType };

/** The purposes of messages, in the order in which a person usually meets them. */
export const PURPOSES = [
  { purpose: "welcome", types: ["invite_user", "init", "passwordless_registration"] },
  { purpose: "confirm", types: ["verifyemail", "verifyphone"] },
  { purpose: "codes", types: ["verifyemailotp", "verifysmsotp"] },
  { purpose: "security", types: ["passwordreset", "password_change"] },
  { purpose: "changes", types: ["domainclaimed"] },
] as const satisfies readonly { purpose: string; types: readonly MessageType[] }[];

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
