/**
 * The message to a user whose address someone submitted in the form for a new account: the account exists already. It
 * leads to signing in. If the address is verified, the service adds the code and the link that set a new password,
 * which no text can omit or change.
 */
import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, messageTo, messageWithCode, type Recipient } from "./message";

/** Queued messages contain these members, so their names must never change. */
interface ExistingAccount {
  /** The address that was submitted, which signs in. */
  loginName: string;
}

export const accountExists = messageType<"account_exists", ExistingAccount>({
  slug: "account_exists",
  purpose: "welcome",
  channel: "mail",
  opensBy: "button",
  offersReset: true,
  variables: [],
  given: ["LastEmail"],
  loginHint: ({ loginName }) => loginName,
});

/**
 * Creates the message (login/registration/create-account.ts).
 * @param reset the code that sets a new password; only for a verified address
 */
export function accountExistsAlready(ctx: Context, user: Recipient, loginName: string, reset?: MailedCode): Message[] {
  return reset && user.isEmailVerified
    ? messageWithCode(ctx, accountExists, user, reset, { loginName })
    : messageTo(accountExists, user, { loginName, withoutReset: true });
}

/**
 * Creates the message to an address that is not verified: its button leads to signing in and verifying it. It offers
 * no new password, as the mailbox may be another person's than the account.
 */
export function accountExistsUnverified(ctx: Context, user: Recipient, loginName: string, code: MailedCode): Message[] {
  return messageWithCode(ctx, accountExists, user, code, { loginName, withoutReset: true });
}
