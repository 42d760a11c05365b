import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageWithCode, type Recipient } from "./message";
import { EXPIRY, ONE_TIME_CODE, SERVICE_DOMAIN, variable } from "./variable";

/** A code as second factor or for signing in. */
export const verifyemailotp = messageType({
  slug: "verifyemailotp",
  purpose: "codes",
  channel: "mail",
  opensBy: "code",
  codeIsTyped: true,
  withoutButton: true,
  variables: [
    ONE_TIME_CODE,
    SERVICE_DOMAIN,
    EXPIRY,
    variable(
      "URL",
      "An address to sign in at. People enter the code itself on the page that asked for it.",
      "https://id.acme.test/account",
      {
        valueKind: "host",
        aliases: ["VerifyURL"],
      },
    ),
    variable("Origin", "The base address of this service.", "https://id.acme.test", { valueKind: "host" }),
  ],
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "VerifyEmailOTP" },
});

/** Creates the message of a sign-in (login/factors/table.ts), only to a verified address. */
export function emailCode(ctx: Context, user: Recipient, code: MailedCode): Message[] {
  return user.isEmailVerified ? messageWithCode(ctx, verifyemailotp, user, code) : [];
}
