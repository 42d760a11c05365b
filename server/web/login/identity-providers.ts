/**
 * Signing in at identity providers: the form that starts it, and the address to which providers return. Apple returns
 * by a form of its own site, which browsers send without our cookies; the redirect to the same address carries them.
 */

import type { LinkError } from "../../../components/login/account/linked-accounts";
import type { Context } from "../../context";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { readCookie, setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, formParameters, isForm, userAgentOf } from "../../http/request";
import type { Handler } from "../../http/routes";
import { applicationOf } from "../../login/continue-flow";
import { foreignIn } from "../../login/foreign-identity";
import { type FinishOutcome, finishAtProvider } from "../../login/providers/finish";
import { endSessionsByProvider } from "../../login/providers/sign-out";
import { listFlowProviders, startAtProvider } from "../../login/providers/start";
import { refusedFlow, scopeOf, sealFlow } from "../../oidc/flow";
import type { Client } from "../../protocol/client";
import { isError } from "../../protocol/oauth-error";
import { identityProviderOf } from "../../protocol/scope";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { errorFrame } from "../pages/frame";
import { errorPage } from "../pages/public-pages";
import { refusedAnswer } from "../refusal";
import { accountUrl, directoryUrl, flowAnswer, loginUrl } from "./answers";
import { type LoginRequest, onLogin } from "./login-request";
import { clientGone, showTooMany } from "./page-context";
import { leadAway, providerBrowser } from "./provider-browser";

/** The buttons of the sign-in page, or the response if the provider is chosen already. */
export async function providerButtons(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  { application, isOnlyWay }: { application: Client | undefined; isOnlyWay: boolean },
): Promise<Response | { id: string; name: string }[]> {
  const { flow } = login;
  const providers = await listFlowProviders(ctx, flow, application);
  const isUntried = flow.error === undefined && flow.foreign === undefined;
  const hinted = identityProviderOf(scopeOf(flow));
  const only = isOnlyWay && providers.length === 1 ? providers[0]?.id : undefined;
  const chosen = providers.find(({ id }) => id === (hinted ?? only));
  if (isUntried && chosen) return sendToProvider(ctx, http, login, application, chosen.id);
  return providers.map(shown);
}

const shown = ({ id, name }: IdentityProvider) => ({ id, name });

/** Returns the account at a provider that the flow connects, for the pages that say so. */
export async function connectedBy(ctx: Context, http: Http, { flow }: LoginRequest) {
  const found = await foreignIn(ctx, flow, userAgentOf(ctx, http));
  return found && { provider: found.provider.name, userName: found.foreign.userName };
}

async function sendToProvider(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  application: Client | undefined,
  providerId: string,
): Promise<Response> {
  const { flow, chosenLocale } = login;
  const browser = providerBrowser(ctx, http);
  const by = { browser, chosenLocale };
  const outcome = await startAtProvider(ctx, { flow, application, providerId }, by, attemptOf(ctx, http));
  if (outcome.kind === "too-many") return showTooMany(ctx, http, login);
  if (outcome.kind === "password") return redirectAnswer(http, directoryUrl(ctx, outcome, chosenLocale));
  if (outcome.kind === "redirect") {
    return leadAway(ctx, http, outcome, browser, { chosen: chosenLocale, requested: flow.request?.uiLocales });
  }
  const error = outcome.kind === "failed" ? "provider-failed" : "provider-refused";
  return redirectAnswer(http, screenUrl(ctx, "login", sealFlow(ctx, refusedFlow(flow, { error })), chosenLocale));
}

/** Handles the buttons of the sign-in page. */
export async function startByButton(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const application = await applicationOf(ctx, login.flow);
  if (application === "gone") return clientGone(ctx, http, login);
  return sendToProvider(ctx, http, login, application, login.form.get("idp") ?? "");
}

export const providerSubmitRoute = onLogin(startByButton);

/** Handles the response of a provider. */
export const providerCallbackRoute: Handler = async (ctx, http) => {
  const parameters = new URL(http.req.url).searchParams;
  const browser = readCookie(ctx, http, "providerSignIn");
  return finishAnswer(ctx, http, await finishAtProvider(ctx, parameters, browser, attemptOf(ctx, http)));
};

/** Responds to a sign-in at a provider that has ended, whatever protocol it was. */
export async function finishAnswer(ctx: Context, http: Http, outcome: FinishOutcome): Promise<Response> {
  if (outcome.kind === "unknown" || outcome.kind === "client-gone") {
    const kind = outcome.kind === "unknown" ? "expired-flow" : "invalid-client";
    return pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await errorFrame(ctx, http)));
  }
  if (outcome.kind === "intent") return redirectAnswer(http, outcome.url.href);
  const { chosenLocale } = outcome;
  switch (outcome.kind) {
    case "linking":
      return linkedAnswer(ctx, http, outcome);
    case "sign-in":
      return redirectAnswer(http, screenUrl(ctx, "login", outcome.flow, chosenLocale));
    case "ask": {
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      const path = outcome.screen === "login" ? "/login" : "/login/create-account";
      return redirectAnswer(http, loginUrl(ctx, path, outcome.flow, { chosenLocale }));
    }
    case "signed-in": {
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      const { flow } = outcome;
      return flowAnswer(
        ctx,
        http,
        { flow, sealed: sealFlow(ctx, flow), chosenLocale, form: new Map() as never },
        outcome.outcome,
      );
    }
  }
}

/** Takes a logout token (OpenID Connect Back-Channel Logout 1.0 §2.5), and responds as §2.8 says. */
export const backchannelLogoutRoute: Handler = async (ctx, http) => {
  const form = isForm(http) ? await formParameters(http) : undefined;
  const token = form && !isError(form) ? (form.get("logout_token") ?? "") : "";
  const cause = { requestId: http.get("requestId"), address: userAgentOf(ctx, http).address };
  const refusal = await endSessionsByProvider(ctx, http.req.param("id") ?? "", token, cause);
  const headers = { "cache-control": "no-store" };
  if (refusal === undefined) return http.body(null, 200, headers);
  const answer = { error: "invalid_request", error_description: `The logout_token is refused: ${refusal}.` };
  return http.json(answer, 400, headers);
};

/** Passes the form of a provider on to the address that gets our cookies. */
export const providerFormRoute: Handler = async (ctx, http) => {
  const form = isForm(http) ? await formParameters(http) : undefined;
  const query = new URLSearchParams();
  if (form && !isError(form)) {
    for (const name of ["code", "state", "iss", "error", "user"]) {
      const value = form.get(name);
      if (value !== undefined) query.set(name, value.slice(0, 4_000));
    }
  }
  return redirectAnswer(http, `${ctx.config.baseUrl}/idps/callback?${query}`);
};

type Linking = Extract<FinishOutcome, { kind: "linking" }>;

const PATH = "/account/security";
const ERRORS: Partial<Record<Linking["result"], LinkError>> = {
  taken: "taken",
  refused: "refused",
  "provider-denied": "denied",
  "provider-refused": "refused",
};

/** Leads back from an identity provider to the account page from which an account was to be connected. */
export function linkedAnswer(ctx: Context, http: Http, { sessionId, result, chosenLocale }: Linking): Response {
  const url = accountUrl(ctx, sessionId, chosenLocale, result === "linked" ? `${PATH}?saved=1` : PATH);
  if (result === "linked" || result === "again") return redirectAnswer(http, url);
  return refusedAnswer(ctx, http, url, { linkError: ERRORS[result] ?? "failed" }, sessionId);
}
