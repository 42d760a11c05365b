/**
 * Limits the mails and text messages to one address or number, so that no inbox is flooded. Text messages cost money,
 * so they are also counted per user (attack: an account that requests codes to premium-rate numbers) and per
 * organization (attack: many such accounts). Texts for a second factor are not counted per number, so that another user
 * who sets the same number cannot lock them out, and half of an organization's texts are reserved for them.
 */
import type { Context } from "../../context";
import { type ApiError, resourceExhausted } from "../../protocol/api-error";
import { type Counter, counter, countFailures, type Limit, limits, tally } from "../../throttle";
import { comparableLoginName } from "../names";

/** Counts a mail to an address. Returns an error if there were too many. */
export async function countMailTo(ctx: Context, email: string): Promise<ApiError | undefined> {
  const blockedUntil = await countFailures(ctx, [counter(limits.mailsTo, comparableLoginName(email))]);
  return blockedUntil === undefined ? undefined : tooManyTo();
}

/** Checks the limit without counting, for mails that are not sent yet. */
export async function checkMailTo(ctx: Context, email: string): Promise<ApiError | undefined> {
  const { blockedUntil } = await tally(ctx, [counter(limits.mailsTo, comparableLoginName(email))]);
  return blockedUntil === undefined ? undefined : tooManyTo();
}

const tooManyTo = () =>
  resourceExhausted("mail.too_many", "Too many emails were sent to this address. Try again in an hour.");

/**
 * Counts mails by which an organization invites people, across all its users. Returns an error if there were too many
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
 * Returns an organization's counter, which is a new one in each clock hour. A single counter would only reset after a
 * pause, which an organization with steady traffic never makes.
 */
const inThisHour = (ctx: Context, limit: Limit, organizationId: string) =>
  counter(limit, organizationId, String(Math.floor(ctx.clock() / HOUR)));

/**
 * Returns the counters of a text message to a number that is being set.
 * @param place.userId undefined if no user has the number yet
 */
export function textCounters(
  ctx: Context,
  phone: string,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
): Counter[] {
  // The user comes first and the number last, so that a user who is blocked does not count against another's number.
  const ofPerson = userId === undefined ? [] : [counter(limits.textsOf, userId)];
  return [
    ...ofPerson,
    inThisHour(ctx, limits.numbersIn, organizationId),
    inThisHour(ctx, limits.textsIn, organizationId),
    counter(limits.textsTo, organizationId, phone),
  ];
}

/** Returns the counters of a text message to the verified number of a second factor. */
export function factorTextCounters(
  ctx: Context,
  { id, organizationId }: { id: string; organizationId: string },
): Counter[] {
  const ofPerson = [counter(limits.textsTo, "second-factor", id), counter(limits.textsOf, id)];
  return [...ofPerson, inThisHour(ctx, limits.textsIn, organizationId)];
}

/**
 * Counts a text message to a number. Returns an error if there were too many.
 * @param place.userId undefined if no user has the number yet
 */
export async function countTextTo(
  ctx: Context,
  phone: string,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
): Promise<ApiError | undefined> {
  if ((await countFailures(ctx, textCounters(ctx, phone, { organizationId, userId }))) === undefined) return undefined;
  return resourceExhausted("sms.too_many", "Too many text messages were sent. Try again later.");
}
