/**
 * Signing in with login name and password. A wrong password and an unknown user look the same and cost the same
 * (ASVS 6.3.8): the password is always verified, against a decoy where there is no user, and tries are counted by what
 * was typed. Whether a password was right is told only while tries are left, so a burst of parallel guesses learns no
 * more than the same guesses one by one.
 */
import type { Context } from "../context";
import { verifyPassword } from "../crypto/password-hash";
import { comparableLoginName } from "../directory/names";
import { findPolicy } from "../directory/policy/policies";
import { findUserForSignIn, type SignInUser } from "../directory/user/user";
import { countFailedSignIn } from "../metrics/instruments";
import { requiredOrganization } from "../oidc/admission";
import { type SignInError, type SignInFlow, scopeOf, sealFlow } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import { type UserAgent, userAgentDigest } from "../sessions/user-agent";
import { wasSignedInOn } from "../storage/sessions";
import { completeSignIn, type SignedIn } from "./complete-sign-in";
import { applicationOf, organizationOf } from "./continue-flow";
import { type Counter, counter, countFailures, forgive, limits, lockoutLimit, networkOf, tally } from "./throttle";

/** Longer input is not a login name or password of anybody; it is refused without work. */
const LONGEST_LOGIN_NAME = 320;
const LONGEST_PASSWORD = 1000;

export interface SignInAttempt {
  loginName: string;
  password: string;
  userAgent: UserAgent;
  requestId: string | undefined;
}

export type SignInOutcome =
  /** Back to the page, which says why or asks for the password; nothing was changed. */
  | { kind: "again"; flow: string }
  /** The app the flow was for is gone; there is nowhere to go on to. */
  | { kind: "client-gone" }
  /** The session is there, or its second factor is next. */
  | ({ kind: "signed-in" } & SignedIn);

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
    // The page asked for the name alone; the password is next, whoever it is.
    return nameOnly ? { kind: "again", flow: sealFlow(ctx, withoutError(carried)) } : again("missing-password");
  }

  const plausible = loginName.length <= LONGEST_LOGIN_NAME && attempt.password.length <= LONGEST_PASSWORD;
  const organizationId = await requiredOrganization(ctx, scopeOf(flow));
  // Where no organization fits any more, nobody does; the authorization endpoint says so to the app.
  if (isError(organizationId)) return again("credentials");
  const user = plausible ? await findUserForSignIn(ctx, loginName, { organizationId }) : undefined;

  const { maxPasswordAttempts } = await findPolicy(ctx, "lockout", policyOwner);
  const counters = await countersFor(ctx, loginName, attempt.userAgent, user, maxPasswordAttempts);
  const before = await tally(ctx, counters);
  if (before.blockedUntil !== undefined) return again("throttled", before.blockedUntil);
  const accepted = await acceptsPasswords(ctx, [policyOwner, user?.organizationId ?? policyOwner]);
  const matches = await verifyPassword(plausible ? attempt.password : "", user?.passwordHash);
  if (!user || !matches || !user.mayAuthenticate || !accepted) {
    const blockedUntil = await countFailures(ctx, counters);
    return blockedUntil === undefined ? again("credentials") : again("throttled", blockedUntil);
  }
  const after = await tally(ctx, counters);
  if (after.blockedUntil !== undefined) return again("throttled", after.blockedUntil);
  // NIST SP 800-63B §3.2.2 speaks of consecutive failures. What one network tried with other names stays counted.
  await forgive(
    ctx,
    after.counted.filter(({ limit }) => limit.name !== limits.passwordsFrom.name),
  );

  const { userAgent, requestId } = attempt;
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr: ["pwd"], userAgent, requestId })) };
}

/** Whether each of the organizations, the one a sign-in is about and the person's own, lets people use a password. */
async function acceptsPasswords(ctx: Context, organizationIds: readonly (string | undefined)[]): Promise<boolean> {
  const policies = await Promise.all(organizationIds.map((id) => findPolicy(ctx, "login", id)));
  return policies.every(({ allowUsernamePassword }) => allowUsernamePassword);
}

/** The flow without what was wrong with the last try. */
export function withoutError(flow: SignInFlow): SignInFlow {
  return { ...flow, error: undefined, retryAt: undefined, passkeyChallenge: undefined };
}

/** Who is signing in, as far as the flow says: typed before, else as the application hinted; empty while nobody is. */
export function knownLoginName({ loginName, request }: SignInFlow): string {
  return (loginName ?? request?.loginHint ?? "").trim();
}

/**
 * What a wrong password counts against. A browser the person was signed in on before has a counter of its own and
 * takes no notice of what strangers elsewhere did to the account's: nobody is locked out of his own device.
 */
async function countersFor(
  ctx: Context,
  loginName: string,
  userAgent: UserAgent,
  user: SignInUser | undefined,
  maxPasswordAttempts: number,
): Promise<Counter[]> {
  const name = comparableLoginName(loginName.slice(0, LONGEST_LOGIN_NAME));
  const network = networkOf(userAgent.address);
  const browser = userAgentDigest(userAgent);
  if (user && browser !== undefined && (await wasSignedInOn(ctx.db, browser, user.id))) {
    return [counter(limits.passwordFrom, name, browser), counter(limits.passwordsFrom, network)];
  }
  return [
    counter(limits.passwordFrom, name, network),
    counter(lockoutLimit(maxPasswordAttempts), name),
    counter(limits.passwordsFrom, network),
  ];
}

/** The counters that keep an account from signing in by password, under every name it has; a reset clears them. */
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
