/**
 * The HTTP side of the authorization endpoint and the sign-in: results of the use cases become redirects and pages.
 * Redirects after a form use 303, so that a browser never posts the password again (RFC 9700 §4.12).
 */

import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { unlessUnavailable } from "../directory/unavailable";
import { openConsoleSession } from "../http/console-session";
import { sameByGet } from "../http/cross-site-post";
import type { Http } from "../http/env";
import { chosenLocaleOf, formParameters, queryParameters, userAgentOf } from "../http/request";
import { type AuthorizationResponse, signResponse } from "../oidc/authorization-response";
import { type AuthorizeOutcome, authorize, type ScreenAuthorization } from "../oidc/endpoints/authorize";
import { responseFields, responseUrl } from "../protocol/authorization-response";
import type { Client } from "../protocol/client";
import { transportOf } from "../protocol/response-type";
import type { EncodedPage } from "./pages/cached-page";
import { errorFrame, pageFrame } from "./pages/frame";
import { errorPage, formPostPage } from "./pages/public-pages";
import type { PageResponse } from "./pages/render";
import { BARE } from "./pages/surroundings";

const SCREENS = {
  login: "/login",
  "select-account": "/login/select-account",
  "create-account": "/login/create-account",
  continue: "/login/continue",
  "change-password": "/login/change-password",
  device: "/device/confirm",
  "second-factor": "/login/mfa",
  "set-up-factor": "/login/mfa/set-up",
  "offer-passkey": "/login/passkey/offer",
} as const satisfies Record<ScreenAuthorization["screen"], string>;

export function pageAnswer(http: Http, page: PageResponse | EncodedPage): Response {
  return http.body(page.html, page.status as 200, page.headers);
}

/** Returns a redirect without a referrer that no cache stores (RFC 9700 §4.2.4). */
export function redirectAnswer(http: Http, location: string): Response {
  return http.body(null, 303, { location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
}

export async function authorizeRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = http.req.method === "POST" ? await formParameters(http) : queryParameters(http);
  const byGet = sameByGet(ctx, http, parameters);
  if (byGet !== undefined) return redirectAnswer(http, byGet);
  const userAgent = userAgentOf(ctx, http);
  // Rule AUTHORIZE-12: HEAD is safe (RFC 9110 §9.2.1).
  const asking = http.req.method === "HEAD" ? { ...userAgent, token: undefined } : userAgent;
  const outcome = await authorize(ctx, parameters, asking);
  if (outcome.kind === "own-login") return redirectAnswer(http, outcome.url);
  const chosen = chosenLocaleOf(parameters);
  return outcomeAnswer(ctx, http, outcome, chosen);
}

/**
 * Returns the response for a result.
 * @param uiLocales the request's ui_locales, for our own pages
 */
export async function outcomeAnswer(
  ctx: Context,
  http: Http,
  outcome: AuthorizeOutcome,
  uiLocales: string | undefined,
): Promise<Response> {
  switch (outcome.kind) {
    case "response":
      return responseAnswer(ctx, http, outcome, uiLocales);
    case "screen":
      return redirectAnswer(http, screenUrl(ctx, outcome.screen, outcome.flow));
    case "refused": {
      const { reason, description, receivedRedirectUri, client } = outcome;
      const received =
        receivedRedirectUri === undefined
          ? undefined
          : { parameter: "redirect_uri" as const, value: receivedRedirectUri };
      // Like the application's sign-in, which shows the same about the organization to anyone who names the
      // application.
      const [frame, repairHref] = await Promise.all([
        errorFrame(ctx, http, { requested: uiLocales?.split(" "), organizationId: client?.organizationId }),
        client && receivedRedirectUri !== undefined ? repairAddress(ctx, http, client, receivedRedirectUri) : undefined,
      ]);
      const props = { description, received, occurredAt: ctx.clock(), organizationName: client?.organizationName };
      return pageAnswer(http, errorPage({ kind: reason, ...props, repairHref }, frame));
    }
  }
}

/** Returns the page with which a flow continues; always on the configured host, which has the browser's cookies. */
export function screenUrl(ctx: Context, screen: keyof typeof SCREENS, flow: string, chosenLocale?: string): string {
  return `${ctx.config.baseUrl}${SCREENS[screen]}?flow=${flow}${uiLocalesParameter(chosenLocale)}`;
}

/** Returns the query parameter of our addresses for the chosen language. */
export function uiLocalesParameter(chosenLocale: string | undefined): string {
  return chosenLocale === undefined ? "" : `&ui_locales=${encodeURIComponent(chosenLocale)}`;
}

async function responseAnswer(
  ctx: Context,
  http: Http,
  response: AuthorizationResponse,
  uiLocales: string | undefined,
): Promise<Response> {
  const { redirectUri, values } = response;
  const mode = transportOf(response.mode);
  const sent = await signResponse(ctx, response);
  if (mode !== "form_post") return redirectAnswer(http, responseUrl(redirectUri, mode, sent));
  // The failure may also affect the source of the page's branding.
  const failed = values.error === "server_error" || values.error === "temporarily_unavailable";
  const frame = await pageFrame(ctx, http, { requested: uiLocales?.split(" ") }, {}, failed ? BARE : undefined);
  const page = formPostPage({ redirectUri, fields: Object.fromEntries(responseFields(sent)) }, frame);
  return pageAnswer(http, { ...page, headers: { ...page.headers, "referrer-policy": "no-referrer" } });
}

/** The maximum length in characters; a longer address is omitted. */
const MAX_SENT = 2_000;

/**
 * Returns the link from the error page for a redirect URI to the application in the console, for its managers. The
 * console's cookie identifies them; the page is identical for all other visitors. The rejected address is passed on as
 * text: the console asks before it registers an address that anyone can have sent.
 * @param sent the rejected redirect URI
 * @returns undefined for visitors who may not read the application
 */
export async function repairAddress(
  ctx: Context,
  http: Http,
  client: Client,
  sent: string,
): Promise<string | undefined> {
  const { clientId, organizationId, projectId, appId } = client;
  if (clientId === CONSOLE_CLIENT_ID) return undefined; // the console is part of the service
  const mayRead = async () => {
    const session = await openConsoleSession(ctx, http.req.header("cookie"));
    return session && !(await checkPermission(ctx, session.caller, "project.app.read", { organizationId, projectId }));
  };
  if (!(await unlessUnavailable(mayRead, false))) return undefined;
  const [organization, project, app] = [organizationId, projectId, appId].map(encodeURIComponent);
  const page = `/console/organizations/${organization}/projects/${project}/apps/${app}`;
  return sent.length > MAX_SENT ? page : `${page}?${new URLSearchParams({ refused: sent })}`;
}
