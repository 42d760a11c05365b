// The messages as people look for them: by what they are for, and their fields in the order a mail shows them.
import type { MessageType } from "../../../server/texts/kinds";
import type { MessageField } from "../../../server/texts/message-text";

export type { MessageField, MessageType };

/** What messages are for, in the order of a person's time with the service. */
export const PURPOSES = [
  { purpose: "welcome", types: ["invite_user", "init", "passwordless_registration"] },
  { purpose: "confirm", types: ["verifyemail", "verifyphone"] },
  { purpose: "codes", types: ["verifyemailotp", "verifysmsotp"] },
  { purpose: "security", types: ["passwordreset", "password_change"] },
  { purpose: "changes", types: ["domainclaimed"] },
] as const satisfies readonly { purpose: string; types: readonly MessageType[] }[];

/** As the eye meets them in an inbox and then in the mail. */
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
 * The fields to show, in mail order. A phone shows the text alone: other fields of such a message appear only where
 * they say something, so that nothing is hidden.
 */
export function shownFields(
  { isShortMessage, fields }: MessageFields,
  values: Readonly<Partial<Record<MessageField, string>>>,
): { name: MessageField; limit: number }[] {
  return MAIL_ORDER.flatMap((name) => fields.filter((field) => field.name === name)).filter(
    ({ name }) => !isShortMessage || name === "text" || values[name],
  );
}
