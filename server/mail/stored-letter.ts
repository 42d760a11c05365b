/** Stored letters are sealed, as they may contain a code that gives access to an account. */
import type { Context } from "../context";
import type { OutgoingSms } from "./sms-transport";
import type { OutgoingMail } from "./transport";

interface Stored {
  /** Whether it was rendered for the organization's own provider. */
  isOrganizations?: boolean;
}

export type StoredEmail = OutgoingMail & Stored;
export type StoredSms = OutgoingSms & Stored;
/** A mail has no channel: those that were stored before there were others have none. */
export type StoredLetter = (StoredEmail & { channel?: undefined }) | StoredSms;

export function sealLetter(ctx: Context, letter: StoredLetter): string {
  return ctx.secrets.seal("mail", JSON.stringify(letter));
}

/** Undefined if it was sealed with a key that is no longer configured. */
export function openLetter(ctx: Context, sealed: string): StoredLetter | undefined {
  const opened = ctx.secrets.open("mail", sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as StoredLetter);
}
