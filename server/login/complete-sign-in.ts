/**
 * The steps after a proven factor: the next factor, or the session. Every sign-in method ends here, and nothing is
 * stored before the last factor.
 */
import { isIP } from "node:net";
import type { Context } from "../context";
import { keepTokensOfSignIn } from "../directory/identity-provider/tokens";
import { findPolicy } from "../directory/policy/policies";
import type { FactorOwner } from "../directory/user/recovery-codes";
import { noteOffer } from "../directory/user/second-factor";
import { type SignInFlow, sealFlow, withoutProgress } from "../oidc/flow";
import { makePending, pendingOf } from "../oidc/pending-sign-in";
import { isMultiFactor, wishedFactors } from "../protocol/authentication-context";
import { isPermittedWay } from "../protocol/second-factor";
import { isFactorForced } from "../sessions/required-action";
import { authenticate } from "../sessions/session";
import { newUserAgentToken, userAgentDigest } from "../sessions/user-agent";
import { findFactorSummary } from "../storage/factor/second-factors";
import { type ProviderSignIn, storeProviderSignIn } from "../storage/identity-provider/provider-sessions";
import type { Attempt } from "./attempt";
import { continueFlow, type FlowOutcome } from "./continue-flow";
import { linkProven } from "./foreign-identity";
import { clientIdOfFlow, noteInFlow } from "./note-attempt";
import { isBrowser } from "./requesting-browser";

export interface ProvenFactors extends Attempt {
  user: FactorOwner;
  /** The RFC 8176 values. */
  amr: readonly string[];
  /** Whether the browser has reported that its device can store a passkey. */
  canKeepPasskey?: boolean;
  /** Said in the sign-in attempt, for administrators. */
  detail?: string;
  /** The sign-in at an identity provider that has proven the user in this step. */
  providerSession?: ProviderSignIn;
}

export interface SignedIn {
  /** The new value of the browser's cookie. */
  userAgentToken: string;
  outcome: FlowOutcome;
}

/** Continues with the second factor, with setting one up, or with the flow's destination. */
export async function completeSignIn(ctx: Context, flow: SignInFlow, proven: ProvenFactors): Promise<SignedIn> {
  const { userAgent, user, amr } = proven;
  const screen = await missingFactor(ctx, flow, proven);
  if (screen === undefined) {
    const started = await startSession(ctx, flow, proven);
    const { userAgentToken } = started;
    const outcome = await continueFlow(ctx, { ...userAgent, token: userAgentToken }, started.flow);
    return { userAgentToken, outcome };
  }
  const known = userAgentDigest(userAgent) === undefined ? undefined : userAgent.token;
  const userAgentToken = known ?? newUserAgentToken();
  const providerSession = await storeProviderSignIn(ctx.db, providerSessionOf(ctx, flow, proven));
  const pending = makePending(ctx, { userId: user.id, amr: [...amr], providerSession }, userAgentToken);
  const outcome = { kind: "screen", screen, flow: sealFlow(ctx, { ...withoutProgress(flow), pending }) } as const;
  return { userAgentToken, outcome };
}

async function missingFactor(
  ctx: Context,
  flow: SignInFlow,
  { user, amr, canKeepPasskey = false }: ProvenFactors,
): Promise<"second-factor" | "set-up-factor" | "offer-passkey" | undefined> {
  if (isMultiFactor(amr.join(" "))) return undefined;
  const { hasSecondFactor, skippedAt, noPasskeyOfferSince } = await findFactorSummary(ctx.db, user.id);
  if (hasSecondFactor) return "second-factor";
  const policy = await findPolicy(ctx, "login", user.organizationId);
  if (await isFactorForced(ctx, { ...user, amr: amr.join(" ") })) return "set-up-factor";
  const suggestsFactor = policy.mfaInitSkipLifetime > 0;
  const interval = suggestsFactor ? policy.mfaInitSkipLifetime : policy.passkeyOfferInterval;
  if (interval === 0 || (skippedAt !== null && ctx.clock() - skippedAt < interval * 1000)) return undefined;
  if (suggestsFactor) return "set-up-factor";
  const isWelcome = noPasskeyOfferSince === null && isPermittedWay(policy.secondFactors, "passkey");
  if (!canKeepPasskey || !isWelcome || !isAtLeisure(ctx, flow)) return undefined;
  await noteOffer(ctx, user);
  return "offer-passkey";
}

/**
 * Whether a passkey may be offered: not to a user who only reauthenticates during another task, or who is on the way to
 * an account page, where passkeys can be added anyway. Browsers store no passkeys for an IP address (WebAuthn Level 3
 * §5.1.3: the relying party is a domain).
 */
function isAtLeisure({ config }: Context, { request }: SignInFlow): boolean {
  const { hostname } = new URL(config.baseUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  if (isAddress || request === undefined) return false;
  return wishedFactors(request.acrValues, request.claimsRequest) === "any" && !request.prompt.includes("login");
}

/**
 * Stores the session; the browser gets a new token (session fixation, ASVS 7.2.4).
 * @returns the flow, continued by the session
 */
export async function startSession(
  ctx: Context,
  flow: SignInFlow,
  proven: ProvenFactors,
): Promise<{ userAgentToken: string; flow: SignInFlow }> {
  const { user, amr, userAgent, requestId, detail } = proven;
  const cause = { requestId, clientId: clientIdOfFlow(flow) };
  if (flow.foreign) await linkProven(ctx, flow, user, { userAgent, requestId });
  const signIn = providerSessionOf(ctx, flow, proven);
  const begun = { id: flow.sessionId, providerSignIn: signIn };
  const { sessionId, userAgentToken } = await authenticate(ctx, userAgent, user, amr, cause, begun);
  if (typeof signIn === "string") await keepTokensOfSignIn(ctx, signIn, user.id);
  else if (signIn?.sealedTokens) await keepTokensOfSignIn(ctx, signIn.id, user.id);
  noteInFlow(ctx, flow, { reason: "signed_in", person: user, userAgent, detail });
  return { userAgentToken, flow: { ...withoutProgress(flow), foreign: undefined, authenticatedSessionId: sessionId } };
}

/** Returns the sign-in at a provider by which the session begins, also if other factors were proven since. */
function providerSessionOf(
  ctx: Context,
  flow: SignInFlow,
  { providerSession, user, userAgent }: ProvenFactors,
): ProviderSignIn | undefined {
  const pending = pendingOf(ctx, flow, userAgent);
  if (providerSession !== undefined) return providerSession;
  if (pending?.userId === user.id) return pending.providerSession;
  return isBrowser(flow.foreign?.browser, userAgent) ? flow.foreign?.providerSession : undefined;
}
