/**
 * Requests a new password. The response is the same for all names (ASVS 6.3.8, OWASP Forgot Password): the mail goes to
 * the verified address of the user with that login name, if there is one, and the page does not reveal it.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { challengeOfNothing } from "../directory/mailed-code/open";
import { mailResetCode, type StoredReset } from "../directory/mailed-code/reset-code";
import { comparableLoginName } from "../directory/names";
import { findUserForSignIn, type SignInUser } from "../directory/user/user";
import { asSystem } from "../events/record";
import type { Occasion } from "../message-types/message";
import { type MailedFlow, readSignInFlow, type SignInFlow, sealFlow, withoutError, withoutTraces } from "../oidc/flow";
import { counter, countFailures, limits, networkOf } from "../throttle";
import { type Attempt, MAX_LOGIN_NAME_LENGTH } from "./attempt";
import { applicationOf, nameScopeOf } from "./continue-flow";
import { type AskedIn, mailedIn, recognizableToken } from "./requesting-browser";
import { inSteadyTime } from "./steady-time";

/** The time before another mail may be requested, in milliseconds. */
export const RESEND_AFTER = 30_000;

export type ForgotPasswordOutcome =
  | { kind: "missing" }
  /** Too many requests from one network, for any users. */
  | { kind: "too-many" }
  /** The browser is identified by this token from now on. */
  | { kind: "sent"; flow: string; userAgentToken: string };

export interface ForgotPasswordAttempt extends Attempt {
  loginName: string;
}

/** Mails a reset code, if the user exists; the result does not reveal it. */
export async function forgotPassword(
  ctx: Context,
  flow: SignInFlow,
  { loginName, userAgent, requestId }: ForgotPasswordAttempt,
): Promise<ForgotPasswordOutcome> {
  const typed = loginName.trim().slice(0, MAX_LOGIN_NAME_LENGTH);
  if (typed === "") return { kind: "missing" };
  const now = ctx.clock();
  const userAgentToken = recognizableToken(userAgent);
  const last = flow.mailed?.to === typed ? flow.mailed : undefined;
  if (last && now - last.sentAt < RESEND_AFTER) {
    const waiting = { ...flow, mailed: { ...last, note: "too-soon" } } as const;
    return { kind: "sent", flow: sealFlow(ctx, waiting), userAgentToken };
  }
  if ((await countFailures(ctx, [counter(limits.mailsFrom, networkOf(userAgent.address))])) !== undefined) {
    return { kind: "too-many" };
  }
  const askedIn = { flow, browser: digest(userAgentToken) };
  const sent = await inSteadyTime(ctx, async (): Promise<Omit<MailedFlow, "browser">> => {
    const application = await applicationOf(ctx, flow);
    const scope = application === "gone" ? undefined : await nameScopeOf(ctx, flow, application);
    const user = scope && (await findUserForSignIn(ctx, typed, scope));
    // A user may be found by several names: mails to their address are counted, for any typed name.
    const names = [typed, ...(user?.email ? [user.email] : [])].map(comparableLoginName);
    const counters = [...new Set(names)].map((name) => counter(limits.mailsTo, name));
    const tooMany = await countFailures(ctx, counters);
    if (tooMany !== undefined) {
      // The code of the last mail remains valid.
      return { challenge: challengeOfNothing(), to: typed, sentAt: now, ...last, note: "too-many" };
    }
    const challenge = user && (await sendResetCode(ctx, user, askedIn, { requestId }));
    return { challenge: challenge ?? challengeOfNothing(), to: typed, sentAt: now, note: last && "again" };
  });
  const mailed = mailedIn(userAgentToken, sent);
  const carried = { ...withoutError(flow), loginName: typed, mailed };
  return { kind: "sent", flow: sealFlow(ctx, carried), userAgentToken };
}

/** The data stored with a reset code. */
export type ResetPayload = AskedIn & StoredReset;

/**
 * Mails a code and a link to a user who may sign in, and invalidates older ones.
 * @returns the challenge, or undefined if the user has no verified address
 */
export async function sendResetCode(
  ctx: Context,
  user: SignInUser,
  { flow, browser }: AskedIn,
  { requestId }: { requestId: string | undefined },
  occasion: Occasion = {},
): Promise<string | undefined> {
  const requested = { flow: withoutTraces(readSignInFlow(flow)), browser };
  return mailResetCode(asSystem(ctx, { requestId }), user, requested, occasion);
}
