/**
 * Signing in with login name and password. A wrong password and an unknown user look the same and take the same time
 * (ASVS 6.3.8): the password is always verified, against a decoy where there is no user, and attempts are counted alike
 * (lockout.ts). Once the name is known, the policies of the person's own organization decide, not the app's. Whether a password was right is revealed only while attempts are left, so parallel guesses learn no
 * more than sequential ones.
 */
import type { Context } from "../context";
import { verifyPassword } from "../crypto/password-hash";
import { findPolicy } from "../directory/policy/policies";
import { LONGEST_PASSWORD } from "../directory/user/password-policy";
import { findUserForSignIn } from "../directory/user/user";
import { countFailedSignIn } from "../metrics/instruments";
import { requiredOrganization } from "../oidc/admission";
import { type SignInError, type SignInFlow, scopeOf, sealFlow } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import type { Turn } from "../work/work-queue";
import { type Attempt, LONGEST_LOGIN_NAME } from "./attempt";
import { completeSignIn, type SignedIn } from "./complete-sign-in";
import { applicationOf, pagePolicyOwner } from "./continue-flow";
import { upgradeHash } from "./hash-upgrade";
import { passwordCounters } from "./lockout";
import { meantName } from "./meant-name";
import { countFailures, forgive, limits, tally } from "./throttle";

export interface SignInAttempt extends Attempt {
  loginName: string;
  password: string;
  /** Its place in the queue of sign-ins. */
  turn?: Turn;
}

export type SignInOutcome =
  /** Show the page again, which says why or asks for the password. */
  | { kind: "again"; flow: string; error?: SignInError }
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
    return { kind: "again", flow: sealFlow(ctx, { ...carried, error, retryAt }), error };
  };
  if (loginName === "" || attempt.password === "") {
    const page = await findPolicy(ctx, "login", await pagePolicyOwner(ctx, flow, application));
    const nameOnly = page.identifierFirst && knownLoginName(flow) === "";
    if (loginName === "") {
      return again(attempt.password === "" && !nameOnly ? "missing-login-name-and-password" : "missing-login-name");
    }
    // The page asked only for the name; the password is next, whether or not the name exists.
    return nameOnly ? { kind: "again", flow: sealFlow(ctx, withoutError(carried)) } : again("missing-password");
  }

  const plausible = loginName.length <= LONGEST_LOGIN_NAME && attempt.password.length <= LONGEST_PASSWORD;
  const organizationId = await requiredOrganization(ctx, scopeOf(flow));
  // If no organization fits any more, no user does; the authorization endpoint reports it to the app.
  if (isError(organizationId)) return again("credentials");
  const user = plausible ? await findUserForSignIn(ctx, loginName, { organizationId }) : undefined;
  const meant = await meantName(ctx, loginName, organizationId);

  const counters = await passwordCounters(ctx, meant, user, attempt.userAgent);
  const before = await tally(ctx, counters);
  if (before.blockedUntil !== undefined) return again("throttled", before.blockedUntil);
  const { allowUsernamePassword } = await findPolicy(ctx, "login", user ? user.organizationId : meant.organizationId);
  const matches = await verifyPassword(plausible ? attempt.password : "", user?.passwordHash, {
    organizationId: user?.organizationId,
    turn: attempt.turn,
  });
  if (!user || !matches || !user.mayAuthenticate || !allowUsernamePassword) {
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

  await upgradeHash(ctx, user, attempt.password);
  const { userAgent, requestId } = attempt;
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr: ["pwd"], userAgent, requestId })) };
}

/** The flow without the result of the last attempt. */
export function withoutError(flow: SignInFlow): SignInFlow {
  return { ...flow, error: undefined, retryAt: undefined, passkeyChallenge: undefined };
}

/** The login name so far: as typed, else the application's hint; empty if there is neither. */
export function knownLoginName({ loginName, request }: SignInFlow): string {
  return (loginName ?? request?.loginHint ?? "").trim();
}
