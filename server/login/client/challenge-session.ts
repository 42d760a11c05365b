/** Challenges that a login client requests for a session: codes that are sent, and what a passkey signs. */
import type { Context } from "../../context";
import { openFlow, type SignInFlow } from "../../oidc/flow";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { SentKind } from "../../protocol/second-factor";
import { checkPasskeyDomain } from "../factors/passkey-enrolment";
import { requestPasskey, type UserVerification } from "../factors/passkey-request";
import { awaitedPerson, sendFactorCode } from "../factors/second-factor";
import { tooManyAttempts } from "../refused-password";
import { browserOf, type CarriedSession } from "./carried-session";
import { awaitingFactor, type ClientRequest, factorUnavailable } from "./check-session";

export interface SessionChallenges {
  webAuthN?: { domain?: string; verification?: UserVerification };
  otpSms?: object;
  otpEmail?: object;
}

export interface RequestedChallenges {
  session: CarriedSession;
  /** The options for the browser. */
  passkeyOptions?: Record<string, unknown>;
}

export async function challengeSession(
  ctx: Context,
  carried: CarriedSession,
  { webAuthN, otpSms, otpEmail }: SessionChallenges,
  request: ClientRequest,
): Promise<RequestedChallenges | ApiError> {
  let session = carried;
  for (const kind of [otpSms && "sms", otpEmail && "email"] as const) {
    if (!kind) continue;
    const sent = await sendCode(ctx, session, kind, request);
    if (isApiError(sent)) return sent;
    session = sent;
  }
  return webAuthN ? challengePasskey(ctx, session, webAuthN) : { session };
}

async function sendCode(
  ctx: Context,
  carried: CarriedSession,
  way: SentKind,
  { requestId }: ClientRequest,
): Promise<CarriedSession | ApiError> {
  const flow = await awaitingFactor(ctx, carried);
  const outcome = await sendFactorCode(ctx, flow, { way, userAgent: browserOf(carried), requestId });
  if (outcome.kind === "restart") return factorUnavailable();
  if (outcome.kind === "too-many") return tooManyAttempts(ctx, undefined);
  return { ...carried, flow: opened(ctx, outcome.flow) };
}

/** Passkeys belong to the host of this service, so the pages of the login client must be there. */
async function challengePasskey(
  ctx: Context,
  carried: CarriedSession,
  { domain, verification }: NonNullable<SessionChallenges["webAuthN"]>,
): Promise<RequestedChallenges | ApiError> {
  const refusal = checkPasskeyDomain(ctx, domain, "challenges.webAuthN.domain");
  if (refusal) return refusal;
  const flow = await awaitingFactor(ctx, carried);
  const person = await awaitedPerson(ctx, flow, browserOf(carried));
  const made = await requestPasskey(ctx, flow, person?.user, verification);
  const passkeyOptions = { publicKey: JSON.parse(made.options) as unknown };
  return { session: { ...carried, flow: opened(ctx, made.sealed) }, passkeyOptions };
}

function opened(ctx: Context, sealed: string): SignInFlow {
  const flow = openFlow(ctx, "sign-in", sealed)?.flow;
  if (!flow) throw new Error("a flow that was just sealed cannot be opened");
  return flow;
}
