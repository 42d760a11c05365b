import type { Context } from "../context";
import type { Message } from "../events/record";
import { messageType } from "./definition";
import { type MailedCode, type TextRecipient, textMessageWithCode } from "./message";
import { EXPIRY, ONE_TIME_CODE, SERVICE_DOMAIN } from "./variable";

/** A code as second factor, sent to a phone. */
export const verifysmsotp = messageType({
  slug: "verifysmsotp",
  purpose: "codes",
  channel: "sms",
  hasTextOnly: true,
  opensBy: "code",
  variables: [ONE_TIME_CODE, SERVICE_DOMAIN, EXPIRY],
  given: ["LastPhone", "VerifiedPhone"],
  procedures: { name: "VerifySMSOTP" },
});

/** Creates the message of a sign-in (login/factors/table.ts), only to a verified number. */
export function textCode(
  ctx: Context,
  { id, organizationId, phone, isPhoneVerified }: TextRecipient,
  code: MailedCode,
): Message[] {
  return phone !== null && isPhoneVerified
    ? [textMessageWithCode(ctx, verifysmsotp, { id, organizationId, phone }, code)]
    : [];
}
