/**
 * End session endpoint (OpenID Connect RP-Initiated Logout 1.0). With a valid id_token_hint, the session in it ends at
 * once, also if the request comes from the application's server instead of a browser (rule SIGNOUT-1). Without one, or
 * with another user's, the user is asked, so that a link on some page cannot sign users out, and no user is shown as
 * signed out while they are not. The redirect afterwards goes only to a registered URI that matches exactly.
 */
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { asSystem, type Cause } from "../../events/record";
import { responseUrl } from "../../protocol/authorization-response";
import type { Client } from "../../protocol/client";
import { endSessionClientId, parseEndSessionRequest } from "../../protocol/end-session";
import { invalidRequest, isError, type OAuthError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { matchPostLogoutRedirectUri } from "../../protocol/redirect-uri";
import { endSessions, listBrowserSessions } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import { listOfflineGrants } from "../../storage/grant/ended-grants";
import { listProviderLogouts } from "../../storage/identity-provider/provider-sessions";
import { findValidSession, type SessionRow } from "../../storage/session/session";
import { sealFlow } from "../flow";
import { frontChannelLogouts } from "../front-channel";
import { type IdTokenHint, readIdTokenHint } from "../id-token";
import { revokeGrant } from "../revoke-grant";

/** The part of a request that is wrong: the hint, the client, the redirect URI, or its form. */
type LogoutMistake = "hint" | "client" | "address" | "malformed";

export type EndSessionOutcome =
  /** The client is included if the redirect URI was rejected and the client is known. */
  | { kind: "refused"; mistake: LogoutMistake; error: OAuthError; client?: Client }
  /** The user must confirm; the sealed flow contains what happens afterwards. */
  | { kind: "confirm"; flow: string }
  /** The sessions of this request have ended. */
  | ({ kind: "done"; redirectTo: string | undefined; browserIsEmpty: boolean } & AfterSessions);

/** Where the browser goes once its sessions have ended. */
interface AfterSessions {
  /** Pages of apps that it loads. */
  frames: string[];
  /** The sign-ins at identity providers that it leads a sign-out to. */
  providers: string[];
}

async function afterSessions(ctx: Context, sessions: readonly SessionRow[]): Promise<AfterSessions> {
  const ids = sessions.map(({ id }) => id);
  const [frames, providers] = await Promise.all([frontChannelLogouts(ctx, sessions), listProviderLogouts(ctx.db, ids)]);
  return { frames, providers };
}

interface Asking {
  userAgent: UserAgent;
  requestId: string | undefined;
  /** Respond as for a browser without sessions, and end nothing. */
  onlyLooks: boolean;
}

export async function endSession(
  ctx: Context,
  parameters: Parameters | OAuthError,
  { userAgent, requestId, onlyLooks }: Asking,
): Promise<EndSessionOutcome> {
  if (isError(parameters)) return refused("malformed", parameters);
  const request = parseEndSessionRequest(parameters);
  if (isError(request)) return refused("malformed", request);

  const hint = request.idTokenHint === undefined ? undefined : await readIdTokenHint(ctx, request.idTokenHint);
  if (request.idTokenHint !== undefined && !hint) {
    return refused("hint", invalidRequest("id_token_hint is not an id_token of this service"));
  }
  const clientId = endSessionClientId(request, hint?.clientId);
  if (isError(clientId)) return refused("client", clientId);
  const redirectTo = await checkedRedirect(ctx, clientId, request);
  if (isError(redirectTo)) {
    const client = clientId === undefined ? undefined : await findClient(ctx, clientId);
    // APIs are not disclosed.
    return { ...refused("address", redirectTo), ...(client?.kind === "oidc" && { client }) };
  }

  const sessions = onlyLooks ? [] : await listBrowserSessions(ctx, userAgent);
  const ending = sessions.filter(({ id, userId }) => id === hint?.sessionId || userId === hint?.userId);
  if (ending.length > 0 || sessions.length === 0) {
    const after = await afterSessions(ctx, ending);
    if (hint && !onlyLooks) await endForApp(ctx, hint, ending, { requestId, address: userAgent.address });
    return { kind: "done", redirectTo, browserIsEmpty: ending.length === sessions.length, ...after };
  }
  // RP-Initiated Logout §2: without a hint, or with a hint for a user who is not signed in here, the user is asked.
  const flow = { kind: "sign-out", startedAt: ctx.clock(), uiLocales: request.uiLocales, clientId } as const;
  return { kind: "confirm", flow: sealFlow(ctx, { ...flow, postLogoutRedirectUri: redirectTo }) };
}

const refused = (mistake: LogoutMistake, error: OAuthError) => ({ kind: "refused", mistake, error }) as const;

/**
 * Ends a browser's sessions for the app of the hint, and the app's own offline access, also if that has outlived its
 * session (rule SIGNOUT-4). If the browser has no session, the session in the hint ends in any browser, but only if it
 * is the same user's and the app is still active. The hint proves that the app took part in the session, as no other
 * app received that id_token.
 */
async function endForApp(
  ctx: Context,
  hint: IdTokenHint,
  inBrowser: readonly SessionRow[],
  cause: Cause,
): Promise<void> {
  const { sessionId, userId, clientId, grantId } = hint;
  const app = { clientId, grantId };
  const isNamed = ({ id }: { id: string }) => id === sessionId;
  await endSessions(ctx, inBrowser, cause, app);
  if (inBrowser.some(isNamed) || !(await findClient(ctx, clientId))) return;
  const named =
    inBrowser.length === 0 && sessionId !== undefined
      ? await findValidSession(ctx.db, sessionId, ctx.clock())
      : undefined;
  if (named?.userId === userId) return endSessions(ctx, [named], { requestId: cause.requestId }, app);
  for (const grant of await listOfflineGrants(ctx.db, { ...app, userId, sessionId })) {
    await revokeGrant(asSystem(ctx), grant, "the app signed out");
  }
}

/** Returns the URI to redirect to afterwards, with state; undefined if none was requested (RP-Initiated Logout §3). */
async function checkedRedirect(
  ctx: Context,
  clientId: string | undefined,
  request: { postLogoutRedirectUri?: string; state?: string },
): Promise<string | undefined | OAuthError> {
  const { postLogoutRedirectUri, state } = request;
  if (postLogoutRedirectUri === undefined) return undefined;
  // RP-Initiated Logout §3: the owner of the URI is unknown, so there is no redirect; the rest of the request is
  // handled (rule SIGNOUT-3).
  if (clientId === undefined) return undefined;
  const client = await findClient(ctx, clientId);
  if (!client || !matchPostLogoutRedirectUri(client, postLogoutRedirectUri)) {
    return invalidRequest("post_logout_redirect_uri is not registered for this client");
  }
  return responseUrl(postLogoutRedirectUri, "query", state === undefined ? {} : { state });
}

/**
 * Ends every session of this browser, after the user has confirmed.
 * @param clientId the app that sent the request, if known
 */
export async function endAllSessions(
  ctx: Context,
  userAgent: UserAgent,
  requestId: string | undefined,
  clientId?: string,
): Promise<AfterSessions> {
  const cause = { requestId, address: userAgent.address };
  const offline = clientId === undefined ? "none" : { clientId, grantId: undefined };
  const sessions = await listBrowserSessions(ctx, userAgent);
  const after = await afterSessions(ctx, sessions);
  await endSessions(ctx, sessions, cause, offline);
  return after;
}
