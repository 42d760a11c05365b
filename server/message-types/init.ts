import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient } from "./message";
import { CODE } from "./variable";

/** "Activate your account". */
export const init = messageType({
  slug: "init",
  purpose: "welcome",
  channel: "mail",
  opensBy: "code",
  variables: [CODE],
  given: ["LastEmail"],
  procedures: { name: "Init" },
});

/**
 * Creates the message to a user added by an administrator (directory/mailed-code/first-link.ts); the code confirms the
 * address.
 */
export function initialCode(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return messageWithCode(ctx, init, user, code);
}
