import type { Context } from "../context";
import { messageType } from "./definition";
import { type MailedCode, textMessageWithCode } from "./message";
import { CODE } from "./variable";

/** "Confirm your phone number". */
export const verifyphone = messageType({
  slug: "verifyphone",
  purpose: "confirm",
  channel: "sms",
  opensBy: "code",
  codeIsTyped: true,
  variables: [CODE],
  given: ["LastPhone"],
  procedures: { name: "VerifyPhone" },
});

/** Creates the message with the code for a number, which the user may not have confirmed yet. */
export const phoneVerification = (
  ctx: Context,
  user: { id: string; organizationId: string; phone: string },
  code: Pick<MailedCode, "code" | "expiresAt">,
) => textMessageWithCode(ctx, verifyphone, user, code);
