/** The end session endpoint and its pages: the question, and the confirmation. */

import { shownName } from "../../../messages/person-name";
import type { Context } from "../../context";
import { clearUserAgentCookie } from "../../http/cookies";
import { sameByGet } from "../../http/cross-site-post";
import type { Http } from "../../http/env";
import {
  chosenLocaleOf,
  formParameters,
  isSameOriginPost,
  pathAndQuery,
  queryParameters,
  userAgentOf,
} from "../../http/request";
import { nextProviderLogout, signedOutPath } from "../../login/providers/sign-out";
import { endAllSessions, endSession } from "../../oidc/endpoints/end-session";
import { openFlow } from "../../oidc/flow";
import type { SignedOutAfter } from "../../oidc/sign-out-flow";
import { isError } from "../../protocol/oauth-error";
import { listBrowserSessions } from "../../sessions/session";
import { pageAnswer, redirectAnswer } from "../authorization";
import { errorFrame, pageFrame } from "../pages/frame";
import { languageForm } from "../pages/language-form";
import { errorPage, loggedOutPage, logoutPage, signingOutPage } from "../pages/public-pages";
import { accountEntry } from "./login-request";
import { isFromOwnPage } from "./provider-browser";

export async function endSessionRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = http.req.method === "POST" ? await formParameters(http) : queryParameters(http);
  const byGet = sameByGet(ctx, http, parameters);
  if (byGet !== undefined) return redirectAnswer(http, byGet);
  const userAgent = userAgentOf(ctx, http);
  const onlyLooks = http.req.method === "HEAD"; // RFC 9110 §9.2.1: HEAD is safe
  const requestId = http.get("requestId");
  const outcome = await endSession(ctx, parameters, { userAgent, requestId, onlyLooks });
  switch (outcome.kind) {
    case "refused": {
      const chosen = chosenLocaleOf(parameters);
      const { mistake, error, client } = outcome;
      const { description } = error;
      const frame = await errorFrame(ctx, http, { chosen, organizationId: client?.organizationId });
      const organizationName = client?.organizationName;
      const about = { mistake, description, organizationName, occurredAt: ctx.clock() };
      const props = { kind: "invalid-logout-request", ...about } as const;
      return pageAnswer(http, errorPage(props, frame));
    }
    case "confirm":
      return redirectAnswer(http, `${ctx.config.baseUrl}/logout?flow=${outcome.flow}`);
    case "done":
      if (outcome.browserIsEmpty && !onlyLooks) clearUserAgentCookie(ctx, http);
      return afterSignOut(ctx, http, { ...outcome, chosen: chosenLocaleOf(parameters) });
  }
}

/** Shows the question. Without a flow (typed address, old tab), signing out redirects nowhere afterwards. */
export async function logoutPageRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const sealed = isError(parameters) ? undefined : parameters.get("flow");
  const chosen = chosenLocaleOf(parameters);
  const opened = openFlow(ctx, "sign-out", sealed);
  const sessions = await listBrowserSessions(ctx, userAgentOf(ctx, http));
  if (sessions.length === 0)
    return redirectAnswer(http, await signedOutUrl(ctx, http, chosen ?? opened?.flow.uiLocales.join(" ")));
  const frame = await pageFrame(
    ctx,
    http,
    { chosen, requested: opened?.flow.uiLocales, organizationId: sessions[0]?.organizationId },
    {
      formActionOrigin: opened?.flow.postLogoutRedirectUri,
      languages: languageForm(pathAndQuery(http)),
    },
  );
  const fields: Record<string, string> = opened && sealed !== undefined ? { flow: sealed } : {};
  return pageAnswer(
    http,
    logoutPage(
      {
        action: "/logout/submit",
        fields,
        accounts: sessions.map((session) => ({ ...session, displayName: shownName(session, frame.locale) })),
        stayHref: accountEntry(ctx, chosen),
        organizationName: onlyOne(sessions.map(({ organizationName }) => organizationName)),
      },
      frame,
    ),
  );
}

/** Returns the only distinct value; undefined if there are several. */
function onlyOne<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

export async function logoutSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  if (isError(form) || !isSameOriginPost(ctx, http)) {
    const frame = await pageFrame(ctx, http, {});
    return pageAnswer(http, errorPage({ kind: "cross-site", occurredAt: ctx.clock() }, frame));
  }
  const opened = openFlow(ctx, "sign-out", form.get("flow"));
  const asked = opened && !opened.expired ? opened.flow : undefined;
  const after = await endAllSessions(ctx, userAgentOf(ctx, http), http.get("requestId"), asked?.clientId);
  clearUserAgentCookie(ctx, http);
  const chosen = form.get("ui_locales");
  return afterSignOut(ctx, http, { redirectTo: asked?.postLogoutRedirectUri, ...after, chosen });
}

interface SignedOut {
  /** The validated address of the application; undefined for the confirmation page. */
  redirectTo?: string;
  /** Pages of apps that the browser loads first. */
  frames: readonly string[];
  /** Sign-ins at identity providers that the sign-out reaches. */
  providers: readonly string[];
  chosen: string | undefined;
}

/**
 * Returns the redirect after a sign-out: to the identity providers in turn, then to the application. A page leads there
 * once the frames are loaded, or where a redirect could be blocked.
 */
export async function afterSignOut(
  ctx: Context,
  http: Http,
  { redirectTo, frames, providers, chosen }: SignedOut,
): Promise<Response> {
  const atProvider = await nextProviderLogout(ctx, { providers, redirectTo, chosen });
  const next = atProvider ?? redirectTo ?? (await signedOutUrl(ctx, http, chosen));
  const isBlocked = atProvider !== undefined && isFromOwnPage(ctx, http);
  if (frames.length === 0 && !isBlocked) return redirectAnswer(http, next);
  const frame = await pageFrame(ctx, http, { chosen });
  return pageAnswer(http, signingOutPage({ next, frames }, frame));
}

/** Returns the confirmation page in the same language, which the address names only if the browser prefers another. */
async function signedOutUrl(ctx: Context, http: Http, chosen: string | undefined): Promise<string> {
  const [wanted, usual] = await Promise.all([pageFrame(ctx, http, { chosen }), pageFrame(ctx, http, {})]);
  const choice = wanted.locale === usual.locale ? "" : `?ui_locales=${wanted.locale}`;
  return `${ctx.config.baseUrl}${signedOutPath}${choice}`;
}

/** Shows that the user is signed out, or leads on a browser that a provider has sent back. */
export async function loggedOutRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const state = isError(parameters) ? undefined : parameters.get("state");
  const opened = http.req.method === "HEAD" ? undefined : openFlow(ctx, "signed-out", state);
  if (opened && !opened.expired) {
    const { kind: _, startedAt: __, ...after } = opened.flow;
    return continueSignOut(ctx, http, after);
  }
  const chosen = chosenLocaleOf(parameters);
  const frame = await pageFrame(ctx, http, { chosen }, { languages: languageForm("/logout/done") });
  return pageAnswer(http, loggedOutPage({ signInHref: accountEntry(ctx, chosen) }, frame));
}

/** Leads a browser on that an identity provider has sent back: to the next one, to the application, or to our page. */
export async function continueSignOut(ctx: Context, http: Http, after: SignedOutAfter): Promise<Response> {
  const next = (await nextProviderLogout(ctx, after)) ?? after.redirectTo;
  return redirectAnswer(http, next ?? (await signedOutUrl(ctx, http, after.chosen)));
}
