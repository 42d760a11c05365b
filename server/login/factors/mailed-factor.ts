/** Codes mailed to the verified address as second factor, without a link. */
import { findSender } from "../../directory/provider/sender";
import { emailCode } from "../../message-types/verifyemailotp";
import { counter, limits, networkOf } from "../../throttle";
import { sentCodeFactor } from "./sent-code";

export const mailedFactor = sentCodeFactor({
  kind: "email",
  amr: ["otp"],
  tries: limits.factor,
  lifetime: "otpEmail",
  addressOf: ({ email, isEmailVerified }) => (isEmailVerified && email !== null ? email : undefined),
  senderOf: (ctx, { organizationId }) => findSender(ctx, organizationId),
  countersOf: (_, user, { address }) => [
    counter(limits.mailsTo, "second-factor", user.id),
    counter(limits.mailsFrom, networkOf(address)),
  ],
  messagesOf: emailCode,
});
