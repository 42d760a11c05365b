/**
 * Signing in with login name and password. A wrong password and an unknown user look the same and take the same time
 * (ASVS 6.3.8): the password is always verified, against a decoy where there is no user, and attempts are counted by
 * what was typed. Whether a password was right is revealed only while attempts are left, so parallel guesses learn no
 * more than sequential ones.
 */
import type { Context } from "../context";
import { verifyPassword } from "../crypto/password-hash";
import { comparableLoginName } from "../directory/names";
import { findPolicy } from "../directory/policy/policies";
import { LONGEST_PASSWORD } from "../directory/user/password-policy";
import { findPeopleForSignIn, MOST_MEANT, type SignInUser } from "../directory/user/user";
import { countFailedSignIn } from "../metrics/instruments";
import { type SignInError, type SignInFlow, sealFlow } from "../oidc/flow";
import { type UserAgent, userAgentDigest } from "../sessions/user-agent";
import { wasSignedInOn } from "../storage/sessions";
import { type Attempt, LONGEST_LOGIN_NAME } from "./attempt";
import { completeSignIn, type SignedIn } from "./complete-sign-in";
import { applicationOf, namePlaceOf, organizationOf } from "./continue-flow";
import { type Counter, counter, countFailures, forgive, limits, lockoutLimit, networkOf, tally } from "./throttle";

export interface SignInAttempt extends Attempt {
  loginName: string;
  password: string;
}

export type SignInOutcome =
  /** Show the page again, which says why or asks for the password. */
  | { kind: "again"; flow: string }
  /** The app the flow was for is gone; there is nowhere to continue. */
  | { kind: "client-gone" }
  /** The session has begun, or its second factor is next. */
  | ({ kind: "signed-in" } & SignedIn);

/** Checks login name and password and continues the sign-in. */
export async function signIn(ctx: Context, flow: SignInFlow, attempt: SignInAttempt): Promise<SignInOutcome> {
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return { kind: "client-gone" };
  const loginName = attempt.loginName.trim();
  const carried = { ...flow, loginName: loginName.slice(0, LONGEST_LOGIN_NAME) };
  const again = (error: SignInError, retryAt?: number): SignInOutcome => {
    countFailedSignIn(error === "throttled" ? "throttled" : "refused", "password");
    return { kind: "again", flow: sealFlow(ctx, { ...carried, error, retryAt }) };
  };
  const policyOwner = await organizationOf(ctx, flow, application);
  if (loginName === "" || attempt.password === "") {
    const nameOnly = (await findPolicy(ctx, "login", policyOwner)).identifierFirst && knownLoginName(flow) === "";
    if (loginName === "") {
      return again(attempt.password === "" && !nameOnly ? "missing-login-name-and-password" : "missing-login-name");
    }
    // The page asked only for the name; the password is next, whether or not the name exists.
    return nameOnly ? { kind: "again", flow: sealFlow(ctx, withoutError(carried)) } : again("missing-password");
  }

  const plausible = loginName.length <= LONGEST_LOGIN_NAME && attempt.password.length <= LONGEST_PASSWORD;
  const place = await namePlaceOf(ctx, flow, application);
  // If no organization fits any more, no user does; the authorization endpoint reports it to the app.
  if (!place) return again("credentials");
  const people = plausible ? await findPeopleForSignIn(ctx, loginName, place) : [];

  const { maxPasswordAttempts } = await findPolicy(ctx, "lockout", policyOwner);
  const counters = await countersFor(ctx, loginName, attempt.userAgent, people, maxPasswordAttempts);
  const before = await tally(ctx, counters);
  if (before.blockedUntil !== undefined) return again("throttled", before.blockedUntil);
  const user = await findPasswordOwner(plausible ? attempt.password : "", people);
  const accepted = await acceptsPasswords(ctx, [policyOwner, user?.organizationId ?? policyOwner]);
  if (!user?.mayAuthenticate || !accepted) {
    const blockedUntil = await countFailures(ctx, counters);
    return blockedUntil === undefined ? again("credentials") : again("throttled", blockedUntil);
  }
  const after = await tally(ctx, counters);
  if (after.blockedUntil !== undefined) return again("throttled", after.blockedUntil);
  // NIST SP 800-63B §3.2.2 counts consecutive failures, so success resets them; but not a network's attempts with other
  // names.
  await forgive(
    ctx,
    after.counted.filter(({ limit }) => limit.name !== limits.passwordsFrom.name),
  );

  const { userAgent, requestId } = attempt;
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr: ["pwd"], userAgent, requestId })) };
}

/**
 * Whose password it is among the people a name can mean, the first in their order. Every refused attempt computes as
 * many hashes as there can be people, so that the time does not tell how many there are.
 */
async function findPasswordOwner(password: string, people: readonly SignInUser[]): Promise<SignInUser | undefined> {
  for (let index = 0; index < MOST_MEANT; index++) {
    const person = people[index];
    if ((await verifyPassword(password, person?.passwordHash)) && person) return person;
  }
  return undefined;
}

/** Whether all of these organizations (the sign-in's and the person's own) allow passwords. */
async function acceptsPasswords(ctx: Context, organizationIds: readonly (string | undefined)[]): Promise<boolean> {
  const policies = await Promise.all(organizationIds.map((id) => findPolicy(ctx, "login", id)));
  return policies.every(({ allowUsernamePassword }) => allowUsernamePassword);
}

/** The flow without the result of the last attempt. */
export function withoutError(flow: SignInFlow): SignInFlow {
  return { ...flow, error: undefined, retryAt: undefined, passkeyChallenge: undefined };
}

/** The login name so far: as typed, else the application's hint; empty if there is neither. */
export function knownLoginName({ loginName, request }: SignInFlow): string {
  return (loginName ?? request?.loginHint ?? "").trim();
}

/**
 * The counters of a wrong password. A browser the person has signed in on before has its own, unaffected by attempts
 * elsewhere, so that strangers cannot lock people out of their own devices.
 */
async function countersFor(
  ctx: Context,
  loginName: string,
  userAgent: UserAgent,
  people: readonly SignInUser[],
  maxPasswordAttempts: number,
): Promise<Counter[]> {
  const name = comparableLoginName(loginName.slice(0, LONGEST_LOGIN_NAME));
  const network = networkOf(userAgent.address);
  const browser = userAgentDigest(userAgent);
  // Everybody whom the name can mean, or one of them could lend their browser for guessing another's password.
  const known = browser === undefined ? [] : people.map(({ id }) => wasSignedInOn(ctx.db, browser, id));
  if (browser !== undefined && known.length > 0 && (await Promise.all(known)).every((wasHere) => wasHere)) {
    return [counter(limits.passwordFrom, name, browser), counter(limits.passwordsFrom, network)];
  }
  return [
    counter(limits.passwordFrom, name, network),
    counter(lockoutLimit(maxPasswordAttempts), name),
    counter(limits.passwordsFrom, network),
  ];
}

/** The counters that can block an account's password, under each of its names; a password reset clears them. */
export function lockoutCounters(
  user: Pick<SignInUser, "userName" | "loginName" | "email">,
  userAgent: UserAgent,
): Counter[] {
  const names = [user.userName, user.loginName, user.email].filter((name) => name !== null).map(comparableLoginName);
  const network = networkOf(userAgent.address);
  return [...new Set(names)].flatMap((name) => [
    counter(limits.password, name),
    counter(limits.passwordFrom, name, network),
  ]);
}
