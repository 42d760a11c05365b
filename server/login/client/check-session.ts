/**
 * Checks what users enter at a login client (rule LOGIN-1), by the use cases of our own pages: their limits, lockouts
 * and records of attempts apply, and a wrong password looks like an unknown user (ASVS 6.3.8). A request is refused as
 * a whole: a session that one of its checks started ends if a later check fails.
 */
import type { Context } from "../../context";
import { findStoredProvider, noIdentityProvider } from "../../directory/identity-provider/identity-provider";
import { noSuchUser } from "../../directory/not-found";
import { passwordUnavailable } from "../../directory/user/current-password";
import { findUser, findUserForSignIn } from "../../directory/user/user";
import { openFlow, type SignInFlow } from "../../oidc/flow";
import { makePending } from "../../oidc/pending-sign-in";
import { type ApiError, failedPrecondition, invalidArgument, isApiError } from "../../protocol/api-error";
import type { CodeWay } from "../../protocol/second-factor";
import { isFactorForced } from "../../sessions/required-action";
import { endSessions } from "../../sessions/session";
import type { Attempt } from "../attempt";
import { type SignedIn, startSession } from "../complete-sign-in";
import { confirmWithPasskey, signInWithPasskey } from "../factors/passkey";
import { checkSecondFactor } from "../factors/second-factor";
import { finishWithIdentity } from "../providers/finish";
import { consumeIntent } from "../providers/intent";
import { tooManyAttempts } from "../refused-password";
import { signIn } from "../sign-in";
import { browserOf, type CarriedSession, type CheckedFactor, findStoredSession, isWaiting } from "./carried-session";

export interface SessionChecks {
  user?: { userId?: string; loginName?: string };
  password?: { password: string };
  idpIntent?: { idpIntentId: string; idpIntentToken: string };
  webAuthN?: { credentialAssertionData: Readonly<Record<string, unknown>> };
  totp?: { code: string };
  otpSms?: { code: string };
  otpEmail?: { code: string };
  recoveryCode?: { code: string };
}

type Checked = Promise<CarriedSession | ApiError>;
/** The request of the login client. */
export type ClientRequest = Pick<Attempt, "requestId"> & { signal?: AbortSignal };

const CODES = { totp: "totp", otpSms: "sms", otpEmail: "email", recoveryCode: "recovery" } as const satisfies Partial<
  Record<CheckedFactor, CodeWay>
>;

/** Checks everything in the request, in the order of a sign-in. */
export async function checkSession(
  ctx: Context,
  carried: CarriedSession,
  checks: SessionChecks,
  request: ClientRequest,
): Checked {
  const before = await findStoredSession(ctx, carried);
  let now = carried;
  for (const check of stepsOf(checks)) {
    const next = await check(ctx, now, request);
    if (isApiError(next)) {
      const started = before ? undefined : await findStoredSession(ctx, now);
      if (started) await endSessions(ctx, [started], { requestId: request.requestId }, "all");
      return next;
    }
    now = next;
  }
  return now;
}

type Check = (ctx: Context, carried: CarriedSession, request: ClientRequest) => Checked;

function stepsOf({ user, password, idpIntent, webAuthN, ...codes }: SessionChecks): Check[] {
  const steps: (Check | undefined)[] = [
    user && ((ctx, carried) => nameUser(ctx, carried, user)),
    password && ((ctx, carried, request) => checkPassword(ctx, carried, password.password, request)),
    idpIntent && ((ctx, carried, request) => checkIntent(ctx, carried, idpIntent, request)),
    webAuthN && ((ctx, carried, request) => checkPasskey(ctx, carried, webAuthN.credentialAssertionData, request)),
    ...(Object.keys(CODES) as (keyof typeof CODES)[]).map((factor): Check | undefined => {
      const given = codes[factor];
      return given && ((ctx, carried, request) => checkCode(ctx, carried, { factor, code: given.code }, request));
    }),
  ];
  return steps.filter((step) => step !== undefined);
}

/** A name is only noted: whether a user has it stays unknown until a factor is proven. */
async function nameUser(
  ctx: Context,
  carried: CarriedSession,
  { userId, loginName }: { userId?: string; loginName?: string },
): Checked {
  if (carried.userId !== undefined || carried.flow.loginName !== undefined) {
    return failedPrecondition("session.has_user", "The session has a user. Create another session for another user.");
  }
  if (userId === undefined) return { ...carried, flow: { ...carried.flow, loginName } };
  const user = await findUser(ctx, userId);
  if (!user) return noSuchUser();
  return { ...carried, userId, flow: { ...carried.flow, loginName: user.loginName } };
}

async function checkPassword(ctx: Context, carried: CarriedSession, password: string, request: ClientRequest): Checked {
  const { flow, userId } = carried;
  const { loginName = "" } = flow;
  if (loginName === "") return noUserYet();
  const attempt = { loginName, password, userId, userAgent: browserOf(carried), ...request };
  const outcome = await signIn(ctx, flow, attempt);
  if (outcome.kind === "signed-in") return afterFactor(ctx, carried, outcome, "password", request);
  if (outcome.kind === "client-gone") throw new Error("a session of a login client belongs to no app");
  const retryAt = openFlow(ctx, "sign-in", outcome.flow)?.flow.retryAt;
  if (outcome.error === "throttled") return tooManyAttempts(ctx, retryAt);
  if (outcome.error === "busy") return tooManyAttempts(ctx, ctx.clock() + 1_000);
  if (outcome.error === "unavailable") return passwordUnavailable();
  const words = "The login name or the password is wrong, or the user may not sign in with a password.";
  return invalidArgument("session.credentials_wrong", words, { field: "checks.password.password" });
}

/** The check uses the intent up. Providers whose options say so connect or create the account, as on our pages. */
async function checkIntent(
  ctx: Context,
  carried: CarriedSession,
  { idpIntentId, idpIntentToken }: NonNullable<SessionChecks["idpIntent"]>,
  request: ClientRequest,
): Checked {
  const intent = await consumeIntent(ctx, idpIntentId, idpIntentToken);
  if (isApiError(intent)) return intent;
  const provider = await findStoredProvider(ctx, intent.identity.providerId);
  if (!provider?.isActive) return noIdentityProvider();
  const { loginName = "" } = carried.flow;
  const named = loginName === "" ? undefined : ((await findUserForSignIn(ctx, loginName, {}))?.id ?? "");
  const at = { flow: carried.flow, chosenLocale: undefined, provider, onlyUserId: carried.userId ?? named };
  const attempt = { userAgent: browserOf(carried), ...request };
  const outcome = await finishWithIdentity(ctx, at, intent.identity, attempt);
  if (outcome.kind === "signed-in") return afterFactor(ctx, carried, outcome, "intent", request);
  return failedPrecondition(
    "idp_intent.no_user",
    "The account at the provider belongs to no user, to another user than the session's, or to one who may not sign in by it.",
    { field: "checks.idpIntent" },
  );
}

async function checkPasskey(
  ctx: Context,
  carried: CarriedSession,
  data: Readonly<Record<string, unknown>>,
  request: ClientRequest,
): Checked {
  const flow = await awaitingFactor(ctx, carried);
  const attempt = { credential: JSON.stringify(data), userAgent: browserOf(carried), ...request };
  const outcome = flow.pending
    ? await confirmWithPasskey(ctx, flow, attempt)
    : await signInWithPasskey(ctx, flow, { ...attempt, userId: carried.userId });
  if (outcome.kind === "signed-in") return afterFactor(ctx, carried, outcome, "webAuthN", request);
  if (outcome.kind === "restart") return factorUnavailable();
  const words = "The passkey did not answer the last challenge of this session, or its user may not sign in.";
  return invalidArgument("session.code_wrong", words, { field: "checks.webAuthN.credentialAssertionData" });
}

async function checkCode(
  ctx: Context,
  carried: CarriedSession,
  { factor, code }: { factor: keyof typeof CODES; code: string },
  request: ClientRequest,
): Checked {
  const flow = await awaitingFactor(ctx, carried);
  const attempt = { way: CODES[factor], code, userAgent: browserOf(carried), ...request };
  const outcome = await checkSecondFactor(ctx, flow, attempt);
  if (outcome.kind === "signed-in") return afterFactor(ctx, carried, outcome, factor, request);
  if (outcome.kind === "restart") return factorUnavailable();
  if (outcome.reason === "blocked") return tooManyAttempts(ctx, undefined);
  return invalidArgument("session.code_wrong", "The code is wrong, or it has expired.", {
    field: `checks.${factor}.code`,
  });
}

/** Returns the flow as it waits for a second factor, which a stored session may get as well. */
export async function awaitingFactor(ctx: Context, carried: CarriedSession): Promise<SignInFlow> {
  if (isWaiting(ctx, carried)) return carried.flow;
  const stored = await findStoredSession(ctx, carried);
  const flow = { ...carried.flow, pending: undefined };
  if (!stored) return flow;
  const proven = { userId: stored.userId, amr: stored.amr.split(" ") };
  return { ...flow, pending: makePending(ctx, proven, carried.browser) };
}

/** Continues after a proven factor. A factor that the policy only suggests to set up does not delay the session. */
async function afterFactor(
  ctx: Context,
  carried: CarriedSession,
  { userAgentToken, outcome }: SignedIn,
  factor: CheckedFactor,
  { requestId }: ClientRequest,
): Checked {
  const factors = { ...carried.factors, [factor]: ctx.clock() };
  const proven: CarriedSession = { ...carried, browser: userAgentToken, factors };
  if (outcome.kind === "screen") {
    const flow = openFlow(ctx, "sign-in", outcome.flow)?.flow;
    const user = flow?.pending && (await findUser(ctx, flow.pending.userId));
    if (!flow?.pending || !user) throw new Error("a sign-in without an app waits for a factor only");
    const waiting = { ...proven, userId: user.id, flow };
    const { amr } = flow.pending;
    const isForced = await isFactorForced(ctx, { ...user, amr: amr.join(" ") });
    if (outcome.screen === "second-factor" || isForced) return waiting;
    const started = await startSession(ctx, flow, { user, amr, userAgent: browserOf(waiting), requestId });
    return { ...waiting, wasStored: true, browser: started.userAgentToken, flow: { ...flow, pending: undefined } };
  }
  const flow = { ...carried.flow, pending: undefined, passkeyChallenge: undefined };
  const stored = await findStoredSession(ctx, proven);
  return { ...proven, wasStored: true, flow, userId: stored?.userId ?? carried.userId };
}

const noUserYet = (): ApiError =>
  failedPrecondition("session.no_user", "Name the user first: checks.user.", { field: "checks.user" });

export const factorUnavailable = (): ApiError =>
  failedPrecondition(
    "session.factor_unavailable",
    "The user has not set up this factor, or a first factor must be proven again.",
  );
