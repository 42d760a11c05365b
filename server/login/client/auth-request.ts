/**
 * Requests of apps that have a login of their own. A request is sealed into its id, so that nothing is stored for
 * requests of unknown browsers, and is answered once. Which session may answer it, and what that session lacks, is
 * decided where our own pages are decided (oidc/endpoints/authorize.ts).
 */
import type { Context } from "../../context";
import { type AuthorizationResponse, errorResponse, signResponse } from "../../oidc/authorization-response";
import { clientOfFlow, continueAuthorization } from "../../oidc/endpoints/authorize";
import { type ApplicationFlow, openFlow, sealFlow, withoutTraces } from "../../oidc/flow";
import { endRequest } from "../../oidc/pushed-request";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import { responseUrl } from "../../protocol/authorization-response";
import { accessDenied, type OAuthError } from "../../protocol/oauth-error";
import { transportOf } from "../../protocol/response-type";
import { browserOf, type CarriedSession, findStoredSession, isWaiting } from "./carried-session";

export async function readAuthRequest(ctx: Context, id: string): Promise<ApplicationFlow | ApiError> {
  const opened = openFlow(ctx, "sign-in", id);
  const flow = opened?.flow;
  const isOwn = flow?.request && flow.onceId !== undefined && !opened?.expired;
  if (!isOwn || !(await clientOfFlow(ctx, flow.request))) {
    return notFound("auth_request.not_found", "This request does not exist, or has expired. Start again at the app.");
  }
  return flow;
}

/** Where the login client sends the browser: to the app, or to a page of ours that only the user can answer. */
export type CallbackOutcome = { url: string } | { signInFlow: string };

export async function answerAuthRequest(
  ctx: Context,
  flow: ApplicationFlow,
  carried: CarriedSession,
): Promise<CallbackOutcome | ApiError> {
  const client = await clientOfFlow(ctx, flow.request);
  const session = await findStoredSession(ctx, carried);
  if (!client || !session) {
    return isWaiting(ctx, carried) ? missing("second_factor") : missing("session");
  }
  // A session that was authenticated for this request is what `prompt=login` asks for.
  const isFresh = session.authTime >= flow.startedAt;
  const chosen = { ...flow, [isFresh ? "authenticatedSessionId" : "selectedSessionId"]: session.id };
  const outcome = await continueAuthorization(ctx, client, browserOf(carried), chosen);
  if (outcome.kind === "response") return callback(ctx, outcome);
  if (outcome.kind === "refused") return missing("session");
  switch (outcome.screen) {
    case "change-password":
      return missing("password_change");
    case "second-factor":
      return missing("second_factor");
    case "set-up-factor":
      return missing("factor_setup");
    case "continue":
      // Consent is given by the user to this service, so they sign in here and are asked.
      return { signInFlow: sealFlow(ctx, withoutTraces(flow)) };
    default:
      return missing("authentication");
  }
}

/**
 * Answers the request with an error, which the login client chooses.
 * @param error a code that RFC 6749 §4.1.2.1 or OIDC Core §3.1.2.6 defines
 */
export async function failAuthRequest(
  ctx: Context,
  flow: ApplicationFlow,
  { error, description, uri }: Pick<OAuthError, "error" | "description"> & { uri?: string },
): Promise<CallbackOutcome | ApiError> {
  if (!(await endRequest(ctx, flow))) return answeredBefore();
  const response = errorResponse(ctx, flow.request, { ...accessDenied(description), error });
  const values = uri === undefined ? response.values : { ...response.values, error_uri: uri };
  return callback(ctx, { ...response, values });
}

async function callback(ctx: Context, response: AuthorizationResponse): Promise<CallbackOutcome | ApiError> {
  const mode = transportOf(response.mode);
  if (mode === "form_post") throw new Error("only our own pages post a response");
  if (response.values.error === "invalid_request_uri") return answeredBefore();
  return { url: responseUrl(response.redirectUri, mode, await signResponse(ctx, response)) };
}

const answeredBefore = (): ApiError =>
  failedPrecondition("auth_request.answered", "This request was answered before. Start again at the app.");

const WORDS = {
  session: "The session has ended, is not complete, or may not be used for this app.",
  authentication: "The app asks for another user, or for a user who authenticates now: check the session again.",
  second_factor: "The session lacks a second factor, which the user or the app requires.",
  factor_setup: "The user must set up a second factor first.",
  password_change: "The user must change the password first.",
} as const;

const missing = (what: keyof typeof WORDS): ApiError => failedPrecondition(`auth_request.${what}_missing`, WORDS[what]);
