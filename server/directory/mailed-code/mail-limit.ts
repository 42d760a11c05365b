/**
 * How many mails and text messages may be caused to one address or number: nobody's inbox is flooded. Text messages cost
 * money, so they are counted by the person, too (attack: an account that has codes sent to numbers that earn by each),
 * and by the organization (attack: many accounts that do).
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

const HOUR = 3_600_000;

/**
 * An organization's counter begins anew with each hour of the clock: counters forget only after a pause, which an
 * organization with steady traffic never makes.
 */
const ofOrganization = (ctx: Context, organizationId: string) =>
  counter(limits.textsIn, organizationId, String(Math.floor(ctx.clock() / HOUR)));

/**
 * Counts a text message to a number; the refusal if there were too many.
 * @param place.userId undefined: nobody's yet
 */
export async function countTextTo(
  ctx: Context,
  phone: string,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
): Promise<ApiError | undefined> {
  // The person first and the number last, so that whoever was stopped uses up nobody else's number.
  const ofPerson = userId === undefined ? [] : [counter(limits.textsOf, userId)];
  const counters = [...ofPerson, ofOrganization(ctx, organizationId), counter(limits.textsTo, phone)];
  if ((await countFailures(ctx, counters)) === undefined) return undefined;
  return resourceExhausted("sms.too_many", "Enough text messages were sent for now. Try again later.");
}
