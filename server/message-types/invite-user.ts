import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient } from "./message";
import { CODE, variable } from "./variable";

interface Invitation {
  applicationName: string;
}

/** "Your invitation to …". */
export const inviteUser = messageType({
  slug: "invite_user",
  purpose: "welcome",
  isFirstOfPurpose: true,
  channel: "mail",
  opensBy: "code",
  variables: [CODE, variable("ApplicationName", "What the person is invited to.", "Acme Portal", { isName: true })],
  given: ["LastEmail"],
  procedures: { name: "InviteUser", isCustomText: true },
  values: ({ applicationName }: Partial<Invitation>) => ({ ApplicationName: applicationName }),
});

/**
 * Creates the message to a user invited by an administrator (directory/user/invite.ts); the code confirms the address.
 */
export function invitation(ctx: Context, user: Recipient, code: MailedCode & Invitation): Message[] {
  return messageWithCode(ctx, inviteUser, user, code, { applicationName: code.applicationName });
}
