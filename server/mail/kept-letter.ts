/** Letters as rows keep them: sealed, since one may hold a code that gives its reader an account. */
import type { Context } from "../context";
import type { OutgoingMail } from "./transport";

export function sealLetter(ctx: Context, mail: OutgoingMail): string {
  return ctx.secrets.seal("mail", JSON.stringify(mail));
}

/** Undefined where it was sealed with a key that is no longer known. */
export function openLetter(ctx: Context, sealed: string): OutgoingMail | undefined {
  const opened = ctx.secrets.open("mail", sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as OutgoingMail);
}
