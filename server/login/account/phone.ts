/**
 * A user's own phone number: verifying or replacing it. As with the email address, nothing changes until the code that
 * was sent to the number has been entered in a session of the account's owner.
 */
import type { Context } from "../../context";
import { phone as numberRule } from "../../directory/fields";
import { textCounters } from "../../directory/mailed-code/mail-limit";
import { makePhoneCode, PHONE_PURPOSE, type PhonePayload } from "../../directory/mailed-code/phone-code";
import { verifyPhoneByCode } from "../../directory/user/contact/prove-phone";
import type { SignInUser } from "../../directory/user/user";
import type { Cause } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { findValidTokenOf, voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import { counter, countFailures, limits, networkOf } from "../../throttle";
import { type Attempt, ownOrigin } from "../attempt";
import { RESEND_AFTER } from "../forgot-password";
import type { FreshOwner } from "./owner";

/** A number that is waiting for its code. */
export interface PendingNumber {
  phone: string;
  /** Epoch milliseconds. */
  sentAt: number;
}

/** Returns the number to which a code was sent that is still valid. */
export async function findPendingNumber(ctx: Context, user: SignInUser): Promise<PendingNumber | undefined> {
  const row = await findValidTokenOf<PhonePayload>(ctx.db, PHONE_PURPOSE, user.id, ctx.clock());
  if (!row || (row.payload.phone !== user.phone && !row.payload.isChange)) return undefined;
  return { phone: row.payload.phone, sentAt: row.createdAt };
}

/**
 * Parses a number as people write it into E.164; undefined if it is invalid.
 * `00` is how most countries dial `+` (ITU-T E.164 Annex A); without either, the country is unknown.
 */
export function readNumber(typed: string): string | undefined {
  const plain = typed
    .slice(0, 100)
    .normalize("NFKC")
    .replace(/[\s()./\p{Pd}\p{Cf}]/gu, "")
    .replace(/^00/, "+");
  return numberRule.safeParse(plain).data;
}

export type SendNumberOutcome = "sent" | "invalid" | "too-soon" | "too-many";

/** Sends a code to the typed number; earlier codes become invalid. */
export async function sendNumberCode(
  ctx: Context,
  { user }: FreshOwner,
  typed: string,
  { userAgent, requestId }: Attempt,
): Promise<SendNumberOutcome> {
  const phone = readNumber(typed);
  if (phone === undefined) return "invalid";
  const pending = await findPendingNumber(ctx, user);
  if (pending?.phone === phone && ctx.clock() - pending.sentAt < RESEND_AFTER) return "too-soon";
  const counters = [
    counter(limits.mailsFrom, networkOf(userAgent.address)),
    ...textCounters(ctx, phone, { organizationId: user.organizationId, userId: user.id }),
  ];
  if ((await countFailures(ctx, counters)) !== undefined) return "too-many";
  const wanted = { phone, delivery: { by: "sms" }, isChange: true } as const;
  await ctx.db.transaction((tx) => makePhoneCode(ctx, tx, user, wanted, ownOrigin(user, { userAgent, requestId })));
  return "sent";
}

export type ConfirmNumberOutcome = "confirmed" | "missing" | "wrong" | "blocked" | "dead";

/** Stores the number by the code that was sent to it. */
export async function confirmNumber(
  ctx: Context,
  { user }: FreshOwner,
  code: string,
  cause: Cause,
): Promise<ConfirmNumberOutcome> {
  if (code.trim() === "") return "missing";
  const ref = { organizationId: user.organizationId, userId: user.id };
  const refusal = await verifyPhoneByCode(ctx, ref, code, { actor: user.id, ...cause });
  if (!isApiError(refusal)) return "confirmed";
  switch (refusal.id) {
    case "user.code_wrong":
      return "wrong";
    case "user.too_many_codes":
      return "blocked";
    default:
      return "dead";
  }
}

/** Discards a number that is waiting for its code. */
export async function dropPendingNumber(ctx: Context, { user }: FreshOwner): Promise<void> {
  await ctx.db.transaction((tx) => voidOneTimeTokens(ctx.db, tx, PHONE_PURPOSE, ctx.clock(), user.id));
}
