/**
 * Counts wrong passwords against the user they are for, however the name is written: a user name, the login name or a
 * verified email address in any case mean the same user (attack: extra guesses for each spelling). The limit comes from
 * the user's organization, never the app's, so that one tenant cannot change another's lockout threshold. A name that
 * matches no user is counted as the login name it would be, by the policy of the organization it would belong to, so
 * that no response reveals whether the user exists.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { findPolicy } from "../directory/policy/policies";
import { subjectOf } from "../directory/user/forgive-wrong-passwords";
import { type UserAgent, userAgentDigest } from "../sessions/user-agent";
import { wasSignedInOn } from "../storage/session/session";
import { type Counter, counter, limits, networkOf } from "../throttle";
import type { MeantName } from "./meant-name";

type Person = { id: string; organizationId: string };

/**
 * Returns the counters of a wrong password. A browser in which the user has signed in before has its own, unaffected by
 * attempts elsewhere, so that strangers cannot lock users out of their own devices.
 */
export async function passwordCounters(
  ctx: Context,
  meant: MeantName,
  person: Person | undefined,
  userAgent: UserAgent,
): Promise<Counter[]> {
  const whom = person ? subjectOf(person.id) : digest(JSON.stringify(["nobody", meant.loginName]));
  const ofNetwork = counter(limits.passwordsFrom, networkOf(userAgent.address));
  const against = (one: Counter): Counter => ({ ...one, subject: whom });
  const browser = userAgentDigest(userAgent);
  if (person && browser !== undefined && (await wasSignedInOn(ctx.db, browser, person.id))) {
    return [against(counter(limits.passwordFrom, whom, browser)), ofNetwork];
  }
  const blockAt = await freeAttempts(ctx, person ? person.organizationId : meant.organizationId);
  return [
    against(counter(limits.passwordFrom, whom, networkOf(userAgent.address))),
    against(counter({ ...limits.password, blockAt }, whom)),
    ofNetwork,
  ];
}

/**
 * Returns the limit. The instance's limit is the maximum that an organization may allow; without an organization, it
 * applies directly.
 */
async function freeAttempts(ctx: Context, organizationId: string | undefined): Promise<number> {
  const policies = await Promise.all([undefined, organizationId].map((id) => findPolicy(ctx, "lockout", id)));
  return Math.min(...policies.map(({ maxPasswordAttempts }) => maxPasswordAttempts));
}
