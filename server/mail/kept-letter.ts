/** Stored letters are sealed, as they may contain a code that gives access to an account. */
import type { Context } from "../context";
import type { OutgoingMail } from "./transport";

export function sealLetter(ctx: Context, mail: OutgoingMail): string {
  return ctx.secrets.seal("mail", JSON.stringify(mail));
}

/** Undefined if it was sealed with a key that is no longer configured. */
export function openLetter(ctx: Context, sealed: string): OutgoingMail | undefined {
  const opened = ctx.secrets.open("mail", sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as OutgoingMail);
}
