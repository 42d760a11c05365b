/**
 * How many mails and text messages may be caused to one address or number: nobody's inbox is flooded. Text messages cost
 * money, so they are counted by the person, too (attack: an account that has codes sent to numbers that earn by each),
 * and by the organization (attack: many accounts that do). Texts to a second factor count by the person alone, so that
 * nobody who sets the same number elsewhere keeps them out, and half of what an organization may send is theirs.
 */
import type { Context } from "../../context";
import { type ApiError, resourceExhausted } from "../../protocol/api-error";
import { type Counter, counter, countFailures, type Limit, limits, tally } from "../../throttle";
import { comparableLoginName } from "../names";

/** Counts a mail to an address; the refusal if there were too many. */
export async function countMailTo(ctx: Context, email: string): Promise<ApiError | undefined> {
  const blockedUntil = await countFailures(ctx, [counter(limits.mailsTo, comparableLoginName(email))]);
  return blockedUntil === undefined ? undefined : tooManyTo();
}

/** The same without counting: nothing is sent yet. */
export async function checkMailTo(ctx: Context, email: string): Promise<ApiError | undefined> {
  const { blockedUntil } = await tally(ctx, [counter(limits.mailsTo, comparableLoginName(email))]);
  return blockedUntil === undefined ? undefined : tooManyTo();
}

const tooManyTo = () =>
  resourceExhausted("mail.too_many", "Too many emails were sent to this address. Try again in an hour.");

/**
 * Counts mails by which an organization asks strangers in, whoever of it sends them; the refusal if there were too many
 * (attack: an organization that writes to addresses from a list, in the name of the service).
 */
export async function countInvitations(ctx: Context, organizationId: string, many = 1): Promise<ApiError | undefined> {
  for (let counted = 0; counted < many; counted++) {
    const blockedUntil = await countFailures(ctx, [inThisHour(ctx, limits.invitationsIn, organizationId)]);
    if (blockedUntil === undefined) continue;
    const sentence = "Your organization has sent enough invitations for now. Try again in an hour.";
    return resourceExhausted("invitation.too_many", sentence);
  }
  return undefined;
}

const HOUR = 3_600_000;

/**
 * An organization's counter begins anew with each hour of the clock: counters forget only after a pause, which an
 * organization with steady traffic never makes.
 */
const inThisHour = (ctx: Context, limit: Limit, organizationId: string) =>
  counter(limit, organizationId, String(Math.floor(ctx.clock() / HOUR)));

/** What a text message to a number that is being set counts for. @param place.userId undefined: nobody's yet */
export function textCounters(
  ctx: Context,
  phone: string,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
): Counter[] {
  // The person first and the number last, so that whoever was stopped uses up nobody else's number.
  const ofPerson = userId === undefined ? [] : [counter(limits.textsOf, userId)];
  return [
    ...ofPerson,
    inThisHour(ctx, limits.numbersIn, organizationId),
    inThisHour(ctx, limits.textsIn, organizationId),
    counter(limits.textsTo, organizationId, phone),
  ];
}

/** What a text message to the verified number of a second factor counts for. */
export function factorTextCounters(
  ctx: Context,
  { id, organizationId }: { id: string; organizationId: string },
): Counter[] {
  const ofPerson = [counter(limits.textsTo, "second-factor", id), counter(limits.textsOf, id)];
  return [...ofPerson, inThisHour(ctx, limits.textsIn, organizationId)];
}

/**
 * Counts a text message to a number; the refusal if there were too many.
 * @param place.userId undefined: nobody's yet
 */
export async function countTextTo(
  ctx: Context,
  phone: string,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
): Promise<ApiError | undefined> {
  if ((await countFailures(ctx, textCounters(ctx, phone, { organizationId, userId }))) === undefined) return undefined;
  return resourceExhausted("sms.too_many", "Too many text messages were sent. Try again later.");
}
