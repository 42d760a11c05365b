/** The ways in which a code is delivered to its user. */
import type { Context } from "../../context";
import type { MailedCode } from "../../message-types/message";
import { linkFrom } from "./link-template";

/**
 * By mail, with a link to our own page or to the URL of a template that link-template.ts has checked, or through the
 * API caller, who receives the code.
 */
export type CodeDelivery = { by: "mail"; urlTemplate?: string } | { by: "caller" };

/** The delivery of a code for a phone; a text message has no link. */
export type PhoneCodeDelivery = BySms | { by: "caller" };
export interface BySms {
  by: "sms";
}

/** Stored with a code. */
export interface PassedOn {
  /**
   * Whether someone other than the user has had the code: the API caller, or the page that the link leads to. In that
   * case it does not prove to other organizations that the user owns the mailbox (user/email-trust.ts).
   */
  passedOn?: boolean;
}

/** Returns the mail to send; none if the caller passes the code on. */
export function mailFor(
  ctx: Context,
  user: { id: string; organizationId: string },
  mail: MailedCode,
  delivery: CodeDelivery,
): { toMail: MailedCode | undefined; passedOn: boolean } {
  if (delivery.by === "caller") return { toMail: undefined, passedOn: true };
  if (delivery.urlTemplate === undefined) return { toMail: mail, passedOn: false };
  const values = { code: mail.code, userId: user.id, organizationId: user.organizationId };
  const { url, isOurs } = linkFrom(ctx, delivery.urlTemplate, values);
  return { toMail: { ...mail, url }, passedOn: !isOurs };
}
