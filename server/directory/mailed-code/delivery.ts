/** The ways in which a code is delivered to its user, and the check whether the API caller may request one of them. */
import type { Context } from "../../context";
import type { OriginContext } from "../../events/record";
import type { MailedCode } from "../../message-types/message";
import type { ApiError } from "../../protocol/api-error";
import { checkTemplate, linkFrom } from "./link-template";
import { countMailTo, countTextTo } from "./mail-limit";

/**
 * By mail, with a link to our own page or to the URL of a template that link-template.ts has checked; by text message,
 * which has no link; or through the API caller, who receives the code.
 */
export type CodeDelivery = { by: "mail"; urlTemplate?: string } | { by: "sms" } | { by: "caller" };

/** Stored with a code. */
export interface PassedOn {
  /**
   * Whether someone other than the user has had the code: the API caller, or the page that the link leads to. In that
   * case it does not prove to other organizations that the user owns the mailbox (user/email-trust.ts).
   */
  passedOn?: boolean;
}

/**
 * Returns the message to send; none if the caller passes the code on.
 * @param codeId names the code in a link
 */
export function mailFor(
  ctx: Context,
  user: { id: string; organizationId: string },
  mail: MailedCode,
  delivery: CodeDelivery,
  codeId?: string,
): { toMail: MailedCode | undefined; passedOn: boolean } {
  if (delivery.by === "caller") return { toMail: undefined, passedOn: true };
  if (delivery.by === "sms" || delivery.urlTemplate === undefined) return { toMail: mail, passedOn: false };
  const values = { code: mail.code, codeId, userId: user.id, organizationId: user.organizationId };
  const { url, isOurs } = linkFrom(ctx, delivery.urlTemplate, values);
  return { toMail: { ...mail, url }, passedOn: !isOurs };
}

/** A code for an address or number; undefined if no code is to be made. */
interface CodeTo {
  to: string;
  delivery: CodeDelivery | undefined;
}

/**
 * Returns an error if a code cannot be sent, or not with the given link; counts the messages that are about to be sent.
 * Called before anything is changed.
 * @param place.userId undefined for a user who is only being added
 */
export async function checkDelivery(
  ctx: OriginContext,
  place: { organizationId: string; userId: string | undefined },
  ...codes: (CodeTo | undefined)[]
): Promise<ApiError | undefined> {
  for (const code of codes) {
    const refusal = code && (await checkOne(ctx, place, ctx.origin.actor, code));
    if (refusal) return refusal;
  }
  return undefined;
}

async function checkOne(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
  changedBy: string,
  { to, delivery }: CodeTo,
): Promise<ApiError | undefined> {
  if (delivery?.by === "sms") return countTextTo(ctx, to, { organizationId, userId });
  if (delivery?.by !== "mail") return undefined;
  const { urlTemplate } = delivery;
  const setting = { organizationId, changedBy };
  const refusal =
    urlTemplate === undefined ? undefined : await checkTemplate(ctx, urlTemplate, setting, { userId, email: to });
  return refusal ?? countMailTo(ctx, to);
}
