/** Challenges that a login client requests for a session: codes that are sent, and what a passkey signs. */
import type { Context } from "../../context";
import { checkTemplate, linkFrom } from "../../directory/mailed-code/link-template";
import { openFlow, type SignInFlow } from "../../oidc/flow";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { SentKind } from "../../protocol/second-factor";
import type { SendAttempt } from "../factors/factor";
import { checkPasskeyDomain } from "../factors/passkey-enrolment";
import { requestPasskey, type UserVerification } from "../factors/passkey-request";
import { awaitedPerson, sendFactorCode } from "../factors/second-factor";
import { tooManyAttempts } from "../refused-password";
import { browserOf, type CarriedSession } from "./carried-session";
import { awaitingFactor, type ClientRequest, factorUnavailable } from "./check-session";

export interface SessionChallenges {
  webAuthN?: { domain?: string; verification?: UserVerification };
  otpSms?: object;
  otpEmail?: { sendCode?: { urlTemplate?: string } };
}

/** The variables that an address where a code is entered may have beside those of all codes. */
const VARIABLES = ["SessionID", "LoginName", "DisplayName", "PreferredLanguage"] as const;

export interface RequestedChallenges {
  session: CarriedSession;
  /** The options for the browser. */
  passkeyOptions?: Record<string, unknown>;
}

export async function challengeSession(
  ctx: Context,
  carried: CarriedSession,
  { webAuthN, otpSms, otpEmail }: SessionChallenges,
  request: ClientRequest & { actor: string },
): Promise<RequestedChallenges | ApiError> {
  let session = carried;
  for (const kind of [otpSms && "sms", otpEmail && "email"] as const) {
    if (!kind) continue;
    const urlTemplate = kind === "email" ? otpEmail?.sendCode?.urlTemplate : undefined;
    const sent = await sendCode(ctx, session, { way: kind, urlTemplate }, request);
    if (isApiError(sent)) return sent;
    session = sent;
  }
  return webAuthN ? challengePasskey(ctx, session, webAuthN) : { session };
}

async function sendCode(
  ctx: Context,
  carried: CarriedSession,
  { way, urlTemplate }: { way: SentKind; urlTemplate: string | undefined },
  { requestId, actor }: ClientRequest & { actor: string },
): Promise<CarriedSession | ApiError> {
  const flow = await awaitingFactor(ctx, carried);
  const userAgent = browserOf(carried);
  // Only a proven factor tells that the user exists, and with it where their codes may be sent.
  const user = urlTemplate === undefined ? undefined : (await awaitedPerson(ctx, flow, userAgent))?.user;
  if (user && urlTemplate !== undefined) {
    const { id: userId, organizationId, email } = user;
    const setting = { organizationId, changedBy: actor };
    const refusal = await checkTemplate(ctx, urlTemplate, setting, { userId, email }, VARIABLES);
    if (refusal) return refusal;
  }
  const linkOf = urlTemplate === undefined ? undefined : linkTo(ctx, urlTemplate, carried.id);
  const outcome = await sendFactorCode(ctx, flow, { way, userAgent, requestId, linkOf });
  if (outcome.kind === "restart") return factorUnavailable();
  if (outcome.kind === "too-many") return tooManyAttempts(ctx, undefined);
  return { ...carried, flow: opened(ctx, outcome.flow) };
}

/** @param template one that was checked */
function linkTo(ctx: Context, template: string, sessionId: string): SendAttempt["linkOf"] {
  return ({ id: userId, organizationId, loginName, displayName, preferredLanguage }, code) => {
    const more: Record<(typeof VARIABLES)[number], string> = {
      SessionID: sessionId,
      LoginName: loginName,
      DisplayName: displayName ?? "",
      PreferredLanguage: preferredLanguage ?? "",
    };
    return linkFrom(ctx, template, { code, userId, organizationId, more }).url;
  };
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
