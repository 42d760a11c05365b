/**
 * How many mails and text messages may be caused to one address or number: nobody's inbox is flooded. Text messages cost
 * money, so they are counted by the person, too (attack: an account that has codes sent to numbers that earn by each).
 */
import type { Context } from "../../context";
import { type ApiError, resourceExhausted } from "../../protocol/api-error";
import { counter, countFailures, limits } from "../../throttle";
import { comparableLoginName } from "../names";

/** Counts a mail to an address; the refusal if there were too many. */
export async function countMailTo(ctx: Context, email: string): Promise<ApiError | undefined> {
  const blockedUntil = await countFailures(ctx, [counter(limits.mailsTo, comparableLoginName(email))]);
  if (blockedUntil === undefined) return undefined;
  return resourceExhausted("mail.too_many", "That address was sent enough mails for now. Try again in an hour.");
}

/** Counts a text message to a number; the refusal if there were too many. @param userId undefined: nobody's yet */
export async function countTextTo(
  ctx: Context,
  phone: string,
  userId: string | undefined,
): Promise<ApiError | undefined> {
  // First, so that whoever was stopped uses up nobody else's number.
  const ofPerson = userId === undefined ? [] : [counter(limits.textsOf, userId)];
  const blockedUntil = await countFailures(ctx, [...ofPerson, counter(limits.textsTo, phone)]);
  if (blockedUntil === undefined) return undefined;
  return resourceExhausted("sms.too_many", "That number was sent enough text messages for now. Try again later.");
}
