/** All second factors. */

import { matchTotp } from "../../crypto/one-time-password";
import { factorTextCounters } from "../../directory/mailed-code/mail-limit";
import { findSender } from "../../directory/provider/sender";
import { useRecoveryCode } from "../../directory/user/recovery-codes";
import { emailCode } from "../../message-types/verifyemailotp";
import { textCode } from "../../message-types/verifysmsotp";
import { listFactors, listRecoveryCodes, takeTimeStep } from "../../storage/factor/second-factors";
import { counter, limits, networkOf } from "../../throttle";
import { ownOrigin } from "../attempt";
import type { CodeChannel, CodeCheck, CodeFactor, Factor, SignatureFactor } from "./factor";
import { sentCodeFactor } from "./sent-code";

/** An authenticator app (RFC 6238); set-up-factor.ts adds one. */
const appFactor: CodeFactor = {
  challenge: "code",
  way: "totp",
  isReady: (_, { kinds }) => kinds.has("totp"),
  setUpPage: "app",
  check: checkCode,
  amr: ["otp"],
  tries: limits.factor,
};

/** Checks a code of any of the user's apps, at most one time step early or late. */
async function checkCode(...[ctx, { user }, { code }]: Parameters<CodeCheck>): Promise<boolean> {
  const now = ctx.clock();
  for (const { id, sealedSecret } of await listFactors(ctx.db, user.id)) {
    const secret = sealedSecret === null ? undefined : ctx.secrets.open("second-factor", sealedSecret);
    const timeStep = secret === undefined ? undefined : matchTotp(secret, code, now);
    // RFC 6238 §5.2: "MUST NOT accept the second attempt of the OTP after the successful validation".
    if (timeStep !== undefined && (await takeTimeStep(ctx.db, id, timeStep, now))) return true;
  }
  return false;
}

/** Codes mailed to the verified address, without a link. */
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

/** A passkey; passkey.ts checks its signatures. */
const passkeyFactor: SignatureFactor = {
  challenge: "signature",
  way: "passkey",
  isReady: (_, { hasPasskeys }) => hasPasskeys,
  setUpPage: "passkey",
};

/** Recovery codes, for the loss of the device. They are created with the first factor. */
const recoveryFactor: CodeFactor = {
  challenge: "code",
  way: "recovery",
  isReady: async (ctx, { user }) => (await listRecoveryCodes(ctx.db, user.id)).length > 0,
  check: (ctx, { user }, attempt) => useRecoveryCode({ ...ctx, origin: ownOrigin(user, attempt) }, user, attempt.code),
  amr: ["otp"],
  tries: limits.factor,
};

/** Codes sent to the verified phone number. */
const textedFactor = sentCodeFactor({
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

/** The factors in the order in which they are offered in a sign-in. */
export const FACTORS: readonly Factor[] = [passkeyFactor, appFactor, mailedFactor, textedFactor, recoveryFactor];

/** The factors in the order in which they are offered for setup: first those that phishing pages cannot steal. */
export const FACTORS_TO_SET_UP: readonly Factor[] = [passkeyFactor, appFactor, mailedFactor, textedFactor];

/** The channels of the factors whose codes are sent. */
export const CHANNELS: readonly CodeChannel[] = FACTORS.flatMap(
  (factor) => (factor.challenge === "code" && factor.channel) || [],
);

/** Returns the factor of a typed code; undefined for any other value. */
export function findCodeFactor(way: string | undefined): CodeFactor | undefined {
  return FACTORS.filter((factor) => factor.challenge === "code").find((factor) => factor.way === way);
}

/** Returns the channel of this factor; undefined for one without and for any other value. */
export function findChannel(way: string | undefined): CodeChannel | undefined {
  return CHANNELS.find(({ kind }) => kind === way);
}
