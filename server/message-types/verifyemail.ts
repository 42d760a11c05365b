import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient, type Registrant } from "./message";
import { CODE } from "./variable";

/** "Confirm your email address". */
export const verifyemail = messageType({
  slug: "verifyemail",
  purpose: "confirm",
  channel: "mail",
  opensBy: "code",
  codeIsTyped: true,
  variables: [CODE],
  given: ["LastEmail"],
  procedures: { name: "VerifyEmail" },
});

/** Creates the message to the address to be confirmed (directory/mailed-code/contact-code.ts). */
export function emailVerification(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return messageWithCode(ctx, verifyemail, user, code);
}

/** Creates the message to a user who creates an account with the address (login/create-account.ts). */
export function registrationCode(
  ctx: Context,
  registrant: Registrant,
  organizationId: string,
  code: MailedCode,
): Message[] {
  const recipient = { id: undefined, organizationId, email: registrant.email };
  return messageWithCode(ctx, verifyemail, recipient, code, { registrant });
}
