import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient, type TextRecipient, textMessageWithCode } from "./message";
import { CODE } from "./variable";

/** "Set a new password". */
export const passwordreset = messageType({
  slug: "passwordreset",
  purpose: "security",
  channel: "mail",
  opensBy: "code",
  codeIsTyped: true,
  variables: [CODE],
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordReset" },
});

/**
 * Creates the message requested by the user or an administrator (directory/mailed-code/reset-code.ts); only to a
 * verified address, as anyone who reads the mail can take over the account.
 */
export function passwordReset(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return user.isEmailVerified ? messageWithCode(ctx, passwordreset, user, code) : [];
}

/** Creates the text message to a verified number: the text, and the URL of the page instead of the button. */
export function passwordResetBySms(ctx: Context, user: TextRecipient, code: MailedCode): Message[] {
  const { id, organizationId, phone } = user;
  if (phone === null || !user.isPhoneVerified) return [];
  const message = textMessageWithCode(ctx, passwordreset, { id, organizationId, phone }, code);
  return [{ ...message, payload: { ...message.payload, toPhone: true } }];
}
