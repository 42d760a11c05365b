/** The code by which a person proves that a phone number is theirs; the caller of the API passes it on. */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomCode, randomSecret } from "../../crypto/random";
import { shownCode } from "../../crypto/typed-code";
import { type Origin, recordIn } from "../../events/record";
import { failedPrecondition } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { insertOneTimeToken, voidOneTimeTokens } from "../../storage/one-time-tokens";
import { codeMacOf } from "./mailed-code";

export const PHONE_PURPOSE = "phone_verification";
/** Milliseconds for which the code works. */
const CONFIRM_WITHIN = 3_600_000;

/** What is stored with the code. */
export interface PhonePayload {
  /** The number that it verifies; if the person has another one since, the code is void. */
  phone: string;
}

/** Makes the code within the caller's transaction and voids older ones. @returns the code as people type it */
export async function makePhoneCode(
  ctx: Context,
  tx: Transaction,
  user: { id: string; organizationId: string },
  phone: string,
  origin: Origin,
): Promise<string> {
  const code = randomCode();
  const challenge = digest(randomSecret());
  const payload: PhonePayload = { phone };
  await recordIn(ctx, tx, {
    type: "user.phone.verification_requested",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      await voidOneTimeTokens(tx, PHONE_PURPOSE, now, user.id);
      await insertOneTimeToken(tx, {
        digest: challenge,
        purpose: PHONE_PURPOSE,
        subjectId: user.id,
        payload: { ...payload, codeMac: codeMacOf(ctx, challenge, code) },
        createdAt: now,
        expiresAt: now + CONFIRM_WITHIN,
      });
      return { payload: { phone } };
    },
  });
  return shownCode(code);
}

/** Codes cannot be sent to phones yet. */
export const noMessageProvider = () =>
  failedPrecondition("sms.no_provider", "No provider for text messages is set up: ask for the code with returnCode.");
