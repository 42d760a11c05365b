/** The code that verifies a phone number: sent to it, or passed on by the API caller. */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomCode, randomSecret } from "../../crypto/random";
import { shownCode } from "../../crypto/typed-code";
import { type Origin, recordIn } from "../../events/record";
import { phoneVerification } from "../../message-types/verifyphone";
import type { Transaction } from "../../storage/database";
import { insertOneTimeToken, voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import { readCodeLifetime } from "../effective-lifetimes";
import type { PhoneCodeDelivery } from "./delivery";
import { codeMacOf } from "./mailed-code";

export const PHONE_PURPOSE = "phone_verification";

/** The data stored with the code. */
export interface PhonePayload {
  /** The number to verify; if the user has another one since, the code is void. */
  phone: string;
  /** Whether the number replaces the user's current one once it is verified. */
  isChange?: boolean;
}

/**
 * Makes the code within the caller's transaction, sends it if requested, and voids older ones.
 * @returns the code as people type it, for the caller to pass on; undefined if it was sent
 */
export async function makePhoneCode(
  ctx: Context,
  tx: Transaction,
  user: { id: string; organizationId: string },
  { phone, delivery, isChange }: { phone: string; delivery: PhoneCodeDelivery; isChange?: boolean },
  origin: Origin,
): Promise<string | undefined> {
  const code = randomCode();
  const shown = shownCode(code);
  const lifetime = await readCodeLifetime(ctx, tx, "verifyPhone");
  const challenge = digest(randomSecret());
  const payload: PhonePayload = { phone, isChange };
  await recordIn(ctx, tx, {
    type: "user.phone.verification_requested",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      await voidOneTimeTokens(ctx.db, tx, PHONE_PURPOSE, now, user.id);
      await insertOneTimeToken(tx, {
        digest: challenge,
        purpose: PHONE_PURPOSE,
        subjectId: user.id,
        payload: { ...payload, codeMac: codeMacOf(ctx, challenge, code) },
        createdAt: now,
        expiresAt: now + lifetime,
      });
      const { id, organizationId } = user;
      const message = phoneVerification(ctx, { id, organizationId, phone }, { code: shown, expiresAt: now + lifetime });
      return { payload: { phone }, messages: delivery.by === "sms" ? [message] : [] };
    },
  });
  return delivery.by === "caller" ? shown : undefined;
}
