/** Codes sent to the verified phone number as second factor. */
import { factorTextCounters } from "../../directory/mailed-code/mail-limit";
import { textCode } from "../../message-types/verifysmsotp";
import { counter, limits, networkOf } from "../../throttle";
import { sentCodeFactor } from "./sent-code";

export const textedFactor = sentCodeFactor({
  kind: "sms",
  amr: ["otp", "sms"],
  // A text message may be read on a locked screen.
  tries: limits.textedCode,
  lifetime: "otpSms",
  addressOf: ({ phone, isPhoneVerified }) => (isPhoneVerified && phone !== null ? phone : undefined),
  // Networks may replace the sender's number.
  senderOf: async () => undefined,
  countersOf: (ctx, user, { address }) => [
    counter(limits.mailsFrom, networkOf(address)),
    ...factorTextCounters(ctx, user),
  ],
  messagesOf: textCode,
});
