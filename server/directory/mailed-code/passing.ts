/** How a code gets to the person whom it is for. */
import type { Context } from "../../context";
import type { MailedCode } from "../../message-types/message";
import { linkFrom } from "./link-template";

/**
 * By mail, with a link to our own page or to the address that a template names (link-template.ts, which has checked it),
 * or by the caller of the API, who is given the code.
 */
export type Passing = { by: "mail"; urlTemplate?: string } | { by: "caller" };

/** The same for a code that goes to a phone, where a text message has no link. */
export type PassingToPhone = BySms | { by: "caller" };
export interface BySms {
  by: "sms";
}

/** Stored with a code. */
export interface PassedOn {
  /**
   * Somebody besides the person has had the code in hands: the caller, or the page that the link leads to. Then it proves
   * nothing to other organizations about the person's mailbox (user/email-trust.ts).
   */
  passedOn?: boolean;
}

/** What is mailed; nothing if the caller passes the code on. */
export function passOn(
  ctx: Context,
  user: { id: string; organizationId: string },
  mail: MailedCode,
  passing: Passing,
): { toMail: MailedCode | undefined; passedOn: boolean } {
  if (passing.by === "caller") return { toMail: undefined, passedOn: true };
  if (passing.urlTemplate === undefined) return { toMail: mail, passedOn: false };
  const values = { code: mail.code, userId: user.id, organizationId: user.organizationId };
  const { url, isOurs } = linkFrom(ctx, passing.urlTemplate, values);
  return { toMail: { ...mail, url }, passedOn: !isOurs };
}
