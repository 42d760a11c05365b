/**
 * Counts wrong passwords against the user they are for, however the name is written: a user name, the login name or a
 * verified email address in any case mean the same user (attack: extra guesses for each spelling). The limit comes from
 * the user's organization, never the app's, so that one tenant cannot change another's lockout threshold. A name that
 * matches no user is counted as the login name it would be, by the policy of the organization it would belong to, so
 * that no response reveals whether the user exists.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { builtIn } from "../directory/policy/built-in";
import { findPolicy, type PolicySettings } from "../directory/policy/policies";
import { subjectOf } from "../directory/user/reset-wrong-passwords";
import type { SignInUser } from "../directory/user/user";
import { type UserAgent, userAgentDigest } from "../sessions/user-agent";
import { wasSignedInOn } from "../storage/session/session";
import { type Counter, counter, countFailures, limits, networkOf, resetCounters, type Tally, tally } from "../throttle";
import type { Identified, ResolvedName } from "./identify";

/** A user that the typed name can mean, or none, and the wrong guesses before this attempt. */
export interface Candidate {
  person: SignInUser | undefined;
  counters: Counter[];
  before: Tally;
}

/**
 * Returns the users that the name can mean. Each is counted and blocked separately, so that wrong passwords for one do
 * not lock out another with the same name.
 */
export function listCandidates(ctx: Context, { users, name }: Identified, userAgent: UserAgent): Promise<Candidate[]> {
  const possible = users.length > 0 ? users : [undefined];
  return Promise.all(
    possible.map(async (person) => {
      const counters = await passwordCounters(ctx, name, person, userAgent);
      return { person, counters, before: await tally(ctx, counters) };
    }),
  );
}

/**
 * Counts a wrong password against all of them.
 * @returns when the next attempt is allowed, in epoch milliseconds; undefined if it is now
 */
export function countWrongPassword(ctx: Context, candidates: readonly Candidate[]): Promise<number | undefined> {
  const counters = new Map(candidates.flatMap(({ counters }) => counters).map((one) => [one.id, one]));
  return countFailures(ctx, [...counters.values()]);
}

/**
 * Resets the wrong passwords after a correct one, unless others have blocked the user while it was verified. NIST SP
 * 800-63B §3.2.2 counts consecutive failures; but a network's attempts with other names remain counted.
 */
export async function countCorrectPassword(ctx: Context, { counters }: Candidate): Promise<Tally> {
  const after = await tally(ctx, counters);
  if (after.blockedUntil !== undefined) return after;
  const own = after.counted.filter(({ limit }) => limit.name !== limits.passwordsFrom.name);
  await resetCounters(ctx, own);
  return after;
}

/**
 * Returns the counters of a wrong password. A browser in which the user has signed in before has its own, unaffected by
 * attempts elsewhere, so that strangers cannot lock users out of their own devices.
 */
async function passwordCounters(
  ctx: Context,
  name: ResolvedName,
  person: SignInUser | undefined,
  userAgent: UserAgent,
): Promise<Counter[]> {
  const whom = person ? subjectOf(person.id) : digest(JSON.stringify(["nobody", name.loginName]));
  const browser = userAgentDigest(userAgent);
  if (person && browser !== undefined && (await wasSignedInOn(ctx.db, browser, person.id))) {
    const ofNetwork = counter(limits.passwordsFrom, networkOf(userAgent.address));
    return [{ ...counter(limits.passwordFrom, whom, browser), subject: whom }, ofNetwork];
  }
  return guessCounters(ctx, whom, person ? person.organizationId : name.organizationId, userAgent);
}

/**
 * Returns the counters of a wrong password against anyone, also against an account in a directory elsewhere.
 * @param whom a digest, or the subject of a user
 * @param organizationId the organization whose lockout policy applies
 */
export async function guessCounters(
  ctx: Context,
  whom: string,
  organizationId: string | undefined,
  { address }: UserAgent,
): Promise<Counter[]> {
  const blockAt = await freeAttempts(ctx, "maxPasswordAttempts", organizationId);
  const against = (one: Counter): Counter => ({ ...one, subject: whom });
  return [
    against(counter(limits.passwordFrom, whom, networkOf(address))),
    against(counter({ ...limits.password, blockAt }, whom)),
    counter(limits.passwordsFrom, networkOf(address)),
  ];
}

/**
 * Returns the limit. The instance's limit is the maximum that an organization may allow; without an organization, it
 * applies directly. A level that says 0 sets none.
 */
export async function freeAttempts(
  ctx: Context,
  name: keyof PolicySettings<"lockout">,
  organizationId: string | undefined,
): Promise<number> {
  const policies = await Promise.all([undefined, organizationId].map((id) => findPolicy(ctx, "lockout", id)));
  return Math.min(...policies.map((policy) => policy[name] || builtIn.lockout[name]));
}
