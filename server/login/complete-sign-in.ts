/**
 * What follows a proven factor: the next factor, or the session. Every way of signing in ends here, and nothing is
 * stored before the last factor.
 */
import type { Context } from "../context";
import { findPolicy } from "../directory/policy/policies";
import type { FactorOwner } from "../directory/user/recovery-codes";
import { type SignInFlow, sealFlow, withoutSteps } from "../oidc/flow";
import { makePending } from "../oidc/pending-sign-in";
import { isMultiFactor } from "../protocol/authentication-context";
import { authenticate } from "../sessions/session";
import { newUserAgentToken, userAgentDigest } from "../sessions/user-agent";
import { findFactorSummary } from "../storage/second-factors";
import type { Attempt } from "./attempt";
import { continueFlow, type FlowOutcome } from "./continue-flow";
import { noteInFlow } from "./note-attempt";

export interface ProvenFactors extends Attempt {
  user: FactorOwner;
  /** RFC 8176 values. */
  amr: readonly string[];
}

export interface SignedIn {
  /** The new value of the browser's cookie. */
  userAgentToken: string;
  outcome: FlowOutcome;
}

/** Continues with the second factor, with setting one up, or with the flow's destination. */
export async function completeSignIn(ctx: Context, flow: SignInFlow, proven: ProvenFactors): Promise<SignedIn> {
  const screen = await missingFactor(ctx, proven.user, proven.amr);
  if (screen === undefined) return startSession(ctx, flow, proven);
  const { userAgent, user, amr } = proven;
  const known = userAgentDigest(userAgent) === undefined ? undefined : userAgent.token;
  const userAgentToken = known ?? newUserAgentToken();
  const pending = makePending(ctx, { userId: user.id, amr: [...amr] }, userAgentToken);
  const outcome = { kind: "screen", screen, flow: sealFlow(ctx, { ...withoutSteps(flow), pending }) } as const;
  return { userAgentToken, outcome };
}

async function missingFactor(
  ctx: Context,
  user: FactorOwner,
  amr: readonly string[],
): Promise<"second-factor" | "set-up-factor" | undefined> {
  if (isMultiFactor(amr.join(" "))) return undefined;
  const { hasSecondFactor, skippedAt } = await findFactorSummary(ctx.db, user.id);
  if (hasSecondFactor) return "second-factor";
  const { forceMfa, mfaInitSkipLifetime } = await findPolicy(ctx, "login", user.organizationId);
  if (forceMfa) return "set-up-factor";
  const skipped = skippedAt !== null && ctx.clock() - skippedAt < mfaInitSkipLifetime * 1000;
  return mfaInitSkipLifetime > 0 && !skipped ? "set-up-factor" : undefined;
}

async function startSession(ctx: Context, flow: SignInFlow, proven: ProvenFactors): Promise<SignedIn> {
  const { userAgentToken, flow: authenticated } = await writeSession(ctx, flow, proven);
  const userAgent = { ...proven.userAgent, token: userAgentToken };
  return { userAgentToken, outcome: await continueFlow(ctx, userAgent, authenticated) };
}

/**
 * Stores the session; the browser gets a new token (session fixation, ASVS 7.2.4).
 * @returns the continued flow, for a page that has something to show first
 */
export async function writeSession(
  ctx: Context,
  flow: SignInFlow,
  { user, amr, userAgent, requestId }: ProvenFactors,
): Promise<{ userAgentToken: string; flow: SignInFlow }> {
  const { sessionId, userAgentToken } = await authenticate(ctx, userAgent, user, amr, requestId);
  noteInFlow(ctx, flow, { reason: "signed_in", person: user, userAgent });
  return { userAgentToken, flow: { ...withoutSteps(flow), authenticatedSessionId: sessionId } };
}
