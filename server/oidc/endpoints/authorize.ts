/**
 * Authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2). Until the redirect URI is known to be the client's, errors
 * are shown here and never redirected (RFC 6749 §4.1.2.1: no open redirector). After that they are always redirected,
 * including unexpected ones, so that the application can help the user.
 */
import { Abandoned } from "../../concurrency/queue";
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { whyNoClient } from "../../directory/app/document-client";
import { userOfSubject } from "../../keys/subject";
import { wishedFactors } from "../../protocol/authentication-context";
import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
  type RedirectTarget,
  readRedirectTarget,
} from "../../protocol/authorization-request";
import { requestedSubject } from "../../protocol/claims-request";
import type { Client } from "../../protocol/client";
import {
  interactionRequired,
  invalidRequestUri,
  isError,
  loginRequired,
  type OAuthError,
  serverError,
  temporarilyUnavailable,
} from "../../protocol/oauth-error";
import type { Parameters, UnreadableParameters } from "../../protocol/parameters";
import { decide, type Screen } from "../../protocol/prompt";
import { isPushed } from "../../protocol/pushed-request";
import { matchRedirectUri } from "../../protocol/redirect-uri";
import { type RequiredAction, requiredAction } from "../../sessions/required-action";
import { keepSessionAlive } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import { firstLine } from "../../storage/engine/outage-log";
import { isUnavailable } from "../../storage/engine/unavailable";
import type { SessionRow } from "../../storage/session/session";
import { checkAppAccess, listAdmittedSessions, reasonOfNoAccess } from "../app-access";
import { type AuthorizationResponse, errorResponse, grantAuthorization } from "../authorization-response";
import { awaitsConfirmation } from "../consent";
import { type ApplicationFlow, type SignInFlow, sealFlow } from "../flow";
import { readIdTokenHint } from "../id-token";
import { noteRefusal, type RefusedRequest } from "../note-refused-request";
import { type OwnLogin, ownLogin } from "../own-login";
import { makePending } from "../pending-sign-in";
import { checkMayComeByBrowser, endRequest, openRequest } from "../pushed-request";
import { openRequestObject } from "../request-object";
import { checkResourceAccess, findRequestTargets, resourcesOf } from "../resources";
import { knownNames } from "../zitadel-names";

/** A response that must not leave this service, because client or redirect URI cannot be trusted. */
export interface RefusedAuthorization {
  kind: "refused";
  reason: "invalid-request" | "invalid-client" | "invalid-redirect-uri";
  description: string;
  /** The redirect_uri as received, shown to the developer as inert text. */
  receivedRedirectUri?: string;
  /** The application, if known: with `invalid-redirect-uri`. */
  client?: Client;
}

export interface ScreenAuthorization {
  kind: "screen";
  screen: Screen | RequiredAction | "continue" | "device" | "offer-passkey";
  /** The sealed flow that the screen continues. */
  flow: string;
}

export type AuthorizeOutcome = RefusedAuthorization | ScreenAuthorization | AuthorizationResponse;

/** Handles an authorization request by GET or POST (OIDC Core §3.1.2.1). */
export async function authorize(
  ctx: Context,
  parameters: Parameters | UnreadableParameters,
  userAgent: UserAgent,
): Promise<AuthorizeOutcome | OwnLogin> {
  if (!isError(parameters) && isPushed(parameters.get("request_uri"))) {
    const opened = await openRequest(ctx, parameters);
    return isError(opened)
      ? refused("invalid-request", opened.description)
      : answerParameters(ctx, opened.parameters, userAgent, opened.secret);
  }
  return answerParameters(ctx, parameters, userAgent);
}

/** @param pushed the random part of the request_uri if the parameters were pushed (RFC 9126) */
async function answerParameters(
  ctx: Context,
  sent: Parameters | UnreadableParameters,
  userAgent: UserAgent,
  pushed?: string,
): Promise<AuthorizeOutcome | OwnLogin> {
  const outer = isError(sent) ? sent.readable : sent;
  const clientId = outer?.get("client_id");
  const client = clientId === undefined ? undefined : await findClient(ctx, clientId);
  // A pushed request object was opened when it was pushed.
  const isSigned = client?.kind === "oidc" && !isError(sent) && pushed === undefined;
  const opened = isSigned ? await openRequestObject(ctx, client, sent) : sent;
  const parameters = isError(opened) ? opened : await knownNames(ctx, opened);
  const target = readRedirectTarget(parameters);
  if (isError(target)) return refused("invalid-request", target.description);
  const request = { target, client, userAgent };
  if (client?.kind !== "oidc") {
    const why = await whyNoClient(ctx, target.clientId);
    noteRefusal(ctx, request, "unknown_client", why);
    return refused("invalid-client", why ?? "client_id names no active application");
  }
  if (!matchRedirectUri(client, target.redirectUri)) {
    noteRefusal(ctx, request, "redirect_uri_refused", target.redirectUri);
    return {
      ...refused("invalid-redirect-uri", "redirect_uri is not registered"),
      receivedRedirectUri: target.redirectUri,
      client,
    };
  }
  return answeredInAnyCase(ctx, { target, client, userAgent }, () =>
    answerRequest(ctx, { client, target, parameters, userAgent, pushed }),
  );
}

/**
 * Returns the answer, or server_error if finding it fails, or temporarily_unavailable in an outage (RFC 6749 §4.1.2.1).
 */
async function answeredInAnyCase<Outcome>(
  ctx: Context,
  request: RefusedRequest & { target: RedirectTarget },
  answer: () => Promise<Outcome>,
): Promise<Outcome | AuthorizationResponse> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Abandoned) throw error; // the client has disconnected
    const { target } = request;
    const { clientId } = target;
    noteRefusal(ctx, request, "error");
    // While the database is unavailable, a stack trace for each request would flood the log.
    if (isUnavailable(error)) {
      ctx.log.warn({ reason: firstLine(error), clientId }, "authorization failed");
      return errorResponse(ctx, target, temporarilyUnavailable("the service is unavailable for a moment; try again"));
    }
    ctx.log.error({ err: error, clientId }, "authorization failed");
    return errorResponse(ctx, target, serverError("something unexpected happened"));
  }
}

interface Proven {
  client: Client;
  /** A redirect URI of the client. */
  target: RedirectTarget;
  parameters: Parameters | UnreadableParameters;
  userAgent: UserAgent;
  pushed: string | undefined;
}

async function answerRequest(
  ctx: Context,
  { client, target, parameters, userAgent, pushed }: Proven,
): Promise<AuthorizeOutcome | OwnLogin> {
  const refuse = (error: OAuthError) => {
    noteRefusal(ctx, { target, client, userAgent }, "request_refused", `${error.error}: ${error.description}`);
    return errorResponse(ctx, target, error);
  };
  // Before all other errors: a client that must push its requests first needs to know that.
  const unpushed = pushed === undefined ? await checkMayComeByBrowser(ctx, client, target.redirectUri) : undefined;
  if (unpushed) return refuse(unpushed);
  if (isError(parameters)) return refuse(parameters);
  const targets = await findRequestTargets(ctx, client, parameters);
  const request = parseAuthorizationRequest(parameters, client, targets);
  if (isError(request)) return refuse(request);
  const { idTokenHint, ...carried } = request;
  const presented = idTokenHint === undefined ? undefined : await readIdTokenHint(ctx, idTokenHint);
  // Attack: two clients that pass on an id_token to find out that they have a user in common (OIDC Core §17.3).
  const hint = presented?.sector === client.sector ? presented : undefined;
  // OIDC Core §3.1.2.1: the response is about the user in the hint, or an error. On a page users see which account they
  // are using. In a silent response, an unexpected account would go unnoticed.
  if (!hint && parameters.has("id_token_hint") && request.prompt.includes("none")) {
    return errorResponse(ctx, target, loginRequired("id_token_hint is not an id_token of this service"));
  }
  // OIDC Core §5.5.1: a subject required by the claims parameter excludes all other users, as a hint does.
  const required = requestedSubject(request.claimsRequest);
  const hintedUserId = hint?.userId ?? (required && ((await userOfSubject(ctx, client, required)) ?? ""));
  const flow: ApplicationFlow = {
    kind: "sign-in",
    request: { ...carried, pushed },
    startedAt: ctx.clock(),
    hintedUserId,
  };
  const outcome = await continueAuthorization(ctx, client, userAgent, flow);
  return outcome.kind === "screen" ? (ownLogin(ctx, client, flow) ?? outcome) : outcome;
}

function refused(reason: RefusedAuthorization["reason"], description: string): RefusedAuthorization {
  return { kind: "refused", reason, description };
}

/**
 * Decides what a validated request needs next: a response, a page, or an error. Called again after every page, so that
 * no step can be skipped by opening a later URL.
 */
export function continueAuthorization(
  ctx: Context,
  client: Client,
  userAgent: UserAgent,
  flow: ApplicationFlow,
): Promise<AuthorizeOutcome> {
  return answeredInAnyCase(ctx, { target: flow.request, client, userAgent }, async () => {
    const outcome = await nextOutcome(ctx, client, userAgent, flow);
    // An error ends the sign-in as well.
    if (outcome.kind === "response" && outcome.values.error !== undefined) await endRequest(ctx, flow);
    return outcome;
  });
}

async function nextOutcome(
  ctx: Context,
  client: Client,
  userAgent: UserAgent,
  flow: ApplicationFlow,
): Promise<AuthorizeOutcome> {
  const { request, hintedUserId, authenticatedSessionId, selectedSessionId } = flow;
  const sessions = await listAdmittedSessions(ctx, request.scope, userAgent);
  if (isError(sessions)) return errorResponse(ctx, request, sessions);
  const { prompt, maxAge, loginHint } = request;
  const asked = { prompt, maxAge, loginHint, hintedUserId, authenticatedSessionId, selectedSessionId };
  const decision = decide(asked, sessions, ctx.clock());
  switch (decision.kind) {
    case "error":
      return errorResponse(ctx, request, decision.error);
    case "screen":
      return {
        kind: "screen",
        screen: decision.screen,
        flow: sealFlow(ctx, { ...flow, loginName: flow.loginName ?? decision.hint.loginName }),
      };
    case "proceed": {
      const session = sessions.find(({ id }) => id === decision.sessionId);
      if (!session) return errorResponse(ctx, request, loginRequired("sign in first"));
      const refusal =
        (await checkAppAccess(ctx, client, session, request.redirectUri)) ??
        (await checkResourceAccess(ctx, await resourcesOf(ctx, request), session));
      if (refusal) {
        const person = { id: session.userId, organizationId: session.organizationId };
        const reason = await reasonOfNoAccess(ctx, client, session, request.redirectUri);
        noteRefusal(ctx, { target: request, client, userAgent, person }, reason);
        return errorResponse(ctx, request, refusal);
      }
      const wish = wishedFactors(request.acrValues, request.claimsRequest);
      const action = await requiredAction(ctx, session, wish);
      if (action && request.prompt.includes("none")) {
        return errorResponse(ctx, request, interactionRequired("the account needs the user's attention first"));
      }
      if (action) return actionScreen(ctx, flow, session, action, userAgent);
      if (await awaitsConfirmation(ctx, client, flow, session)) {
        if (request.prompt.includes("none")) {
          return errorResponse(
            ctx,
            request,
            interactionRequired("the user has to grant access to the application first"),
          );
        }
        return { kind: "screen", screen: "continue", flow: sealFlow(ctx, { ...flow, selectedSessionId: session.id }) };
      }
      if (!(await endRequest(ctx, flow))) {
        return errorResponse(ctx, request, invalidRequestUri("the request was answered before"));
      }
      const [response] = await Promise.all([
        grantAuthorization(ctx, client, request, session),
        keepSessionAlive(ctx, session),
      ]);
      return response;
    }
  }
}

/** Returns the page for a step that the session still lacks. The session's own factors count as proven there. */
export function actionScreen(
  ctx: Context,
  flow: SignInFlow,
  session: SessionRow,
  action: RequiredAction,
  { token = "" }: UserAgent,
): ScreenAuthorization {
  const proven = { userId: session.userId, amr: session.amr.split(" ") };
  const pending = action === "change-password" ? undefined : makePending(ctx, proven, token);
  return { kind: "screen", screen: action, flow: sealFlow(ctx, { ...flow, selectedSessionId: session.id, pending }) };
}

/** Returns the client of a resumed flow, or undefined if it was changed or deactivated in the meantime. */
export async function clientOfFlow(ctx: Context, request: AuthorizationRequest): Promise<Client | undefined> {
  const client = await findClient(ctx, request.clientId);
  return client && matchRedirectUri(client, request.redirectUri) ? client : undefined;
}
