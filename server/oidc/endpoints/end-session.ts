/**
 * End session endpoint, OpenID Connect RP-Initiated Logout 1.0. With a valid id_token_hint the session it names ends at
 * once. Without one, or with another user's, the person is asked, so that a link on some page cannot sign anybody out,
 * and nobody is told they are signed out while they are not. The redirect afterwards goes only to a registered address
 * that matches exactly.
 */
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { responseUrl } from "../../protocol/authorization-response";
import { endSessionClientId, parseEndSessionRequest } from "../../protocol/end-session";
import { invalidRequest, isError, type OAuthError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { matchPostLogoutRedirectUri } from "../../protocol/redirect-uri";
import { endSessions, listSessions } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import { sealFlow } from "../flow";
import { readIdTokenHint } from "../id-token";

export type EndSessionOutcome =
  | { kind: "refused"; error: OAuthError }
  /** Ask the person; the sealed flow carries what happens afterwards. */
  | { kind: "confirm"; flow: string }
  /** The sessions this request is about have ended. */
  | { kind: "done"; redirectTo: string | undefined; browserIsEmpty: boolean };

export async function endSession(
  ctx: Context,
  parameters: Parameters | OAuthError,
  userAgent: UserAgent,
  requestId: string | undefined,
): Promise<EndSessionOutcome> {
  if (isError(parameters)) return { kind: "refused", error: parameters };
  const request = parseEndSessionRequest(parameters);
  if (isError(request)) return { kind: "refused", error: request };

  const hint = request.idTokenHint === undefined ? undefined : await readIdTokenHint(ctx, request.idTokenHint);
  if (request.idTokenHint !== undefined && !hint) {
    return { kind: "refused", error: invalidRequest("id_token_hint is not an id_token of this service") };
  }
  const clientId = endSessionClientId(request, hint?.clientId);
  if (isError(clientId)) return { kind: "refused", error: clientId };
  const redirectTo = await checkedRedirect(ctx, clientId, request);
  if (isError(redirectTo)) return { kind: "refused", error: redirectTo };

  const sessions = await listSessions(ctx, userAgent);
  if (sessions.length === 0) return { kind: "done", redirectTo, browserIsEmpty: true };
  const ending = sessions.filter(({ id, userId }) => id === hint?.sessionId || userId === hint?.subject);
  if (ending.length > 0) {
    await endSessions(ctx, ending, requestId);
    return { kind: "done", redirectTo, browserIsEmpty: ending.length === sessions.length };
  }
  // RP-Initiated Logout §2: without a hint, or with a hint naming somebody not signed in here, the person is asked.
  const flow = { kind: "sign-out", startedAt: ctx.clock(), uiLocales: request.uiLocales } as const;
  return { kind: "confirm", flow: sealFlow(ctx, { ...flow, postLogoutRedirectUri: redirectTo }) };
}

/** The address to go to afterwards, with state; undefined when none was asked for (RP-Initiated Logout §3). */
async function checkedRedirect(
  ctx: Context,
  clientId: string | undefined,
  request: { postLogoutRedirectUri?: string; state?: string },
): Promise<string | undefined | OAuthError> {
  const { postLogoutRedirectUri, state } = request;
  if (postLogoutRedirectUri === undefined) return undefined;
  if (clientId === undefined) return invalidRequest("post_logout_redirect_uri needs id_token_hint or client_id");
  const client = await findClient(ctx, clientId);
  if (!client || !matchPostLogoutRedirectUri(client, postLogoutRedirectUri)) {
    return invalidRequest("post_logout_redirect_uri is not registered for this client");
  }
  return responseUrl(postLogoutRedirectUri, "query", state === undefined ? {} : { state });
}

/** The person confirmed: every session of this browser ends. */
export async function endAllSessions(ctx: Context, userAgent: UserAgent, requestId: string | undefined): Promise<void> {
  await endSessions(ctx, await listSessions(ctx, userAgent), requestId);
}
