import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient } from "./message";

/** The link with which a passkey is added. */
export const passwordlessRegistration = messageType({
  slug: "passwordless_registration",
  purpose: "welcome",
  channel: "mail",
  opensBy: "button",
  variables: [],
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordlessRegistration", isCustomText: true },
});

/** Creates the message to a user whom an administrator sends the link (directory/mailed-code/passkey-link.ts). */
export function passkeyInvitation(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return messageWithCode(ctx, passwordlessRegistration, user, code);
}
