import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient } from "./message";
import { CODE, variable } from "./variable";

interface Invitation {
  applicationName: string;
  inviterName?: string;
}

/** "Your invitation to …". */
export const inviteUser = messageType({
  slug: "invite_user",
  purpose: "welcome",
  isFirstOfPurpose: true,
  channel: "mail",
  opensBy: "code",
  variables: [
    CODE,
    variable("ApplicationName", "What the person is invited to.", "Acme Portal", { isName: true }),
    variable("InviterName", "Who invited the user: a name, or the organization if a program did.", "Grace Hopper", {
      isName: true,
    }),
  ],
  given: ["LastEmail"],
  procedures: { name: "InviteUser", isCustomText: true },
  values: ({ applicationName, inviterName = applicationName }: Partial<Invitation>) => ({
    ApplicationName: applicationName,
    InviterName: inviterName,
  }),
});

/**
 * Creates the message to a user invited by an administrator (directory/user/invite.ts); the code confirms the address.
 */
export function invitation(ctx: Context, user: Recipient, code: MailedCode & Invitation): Message[] {
  const { applicationName, inviterName } = code;
  return messageWithCode(ctx, inviteUser, user, code, { applicationName, inviterName });
}
