/** Stored mails are sealed, as they may contain a code that gives access to an account. */
import type { Context } from "../context";
import type { OutgoingMail } from "./transport";

export interface StoredEmail extends OutgoingMail {
  /** Whether it was rendered for the organization's own mail server. */
  isOrganizations?: boolean;
}

export function sealEmail(ctx: Context, mail: StoredEmail): string {
  return ctx.secrets.seal("mail", JSON.stringify(mail));
}

/** Undefined if it was sealed with a key that is no longer configured. */
export function openEmail(ctx: Context, sealed: string): StoredEmail | undefined {
  const opened = ctx.secrets.open("mail", sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as StoredEmail);
}
