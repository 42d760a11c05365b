/** The sign-in and select-account pages: they show the state of the sealed flow and post it back. */

import type { SignInProps } from "../../../components/login/sign-in-page";
import { shownName } from "../../../messages/person-name";
import type { Context } from "../../context";
import { findPolicy, type PolicySettings } from "../../directory/policy/policies";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { cancelSignIn, isCancellable } from "../../login/confirm-application";
import { signInWithPasskey } from "../../login/factors/passkey";
import { requestPasskey } from "../../login/factors/passkey-request";
import { mayRegister } from "../../login/registration/may-register";
import { selectAccount } from "../../login/select-account";
import { knownLoginName, signIn } from "../../login/sign-in";
import { listAdmittedSessions } from "../../oidc/app-access";
import { refusedFlow, type SignInFlow, scopeOf, sealFlow, withoutError } from "../../oidc/flow";
import { isStale } from "../../protocol/max-age";
import { isError } from "../../protocol/oauth-error";
import { hintedSession } from "../../protocol/prompt";
import { minutesUntil } from "../../throttle";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { keepPages } from "../pages/cached-page";
import { selectAccountPage, signInPage } from "../pages/public-pages";
import { flowAnswer, loginLink, withFlow } from "./answers";
import { connectedBy, providerButtons, startByButton } from "./identity-providers";
import { type LoginRequest, onLogin } from "./login-request";
import { clientGone, onPage } from "./page-context";

const untouchedPage = keepPages(signInPage);

export const signInPageRoute = onPage(async (ctx, http, login, page) => {
  const { flow, sealed } = login;
  const policy = await findPolicy(ctx, "login", page.policyOwnerId);
  const isOnlyWay = !policy.allowUsernamePassword;
  const buttons = await providerButtons(ctx, http, login, { application: page.application, isOnlyWay });
  if (buttons instanceof Response) return buttons;
  const connects = await connectedBy(ctx, http, login);
  const allowRegister = connects !== undefined || (await mayRegister(ctx, flow, page.organizationId));
  const loginName = knownLoginName(flow);
  const asks = asked(policy, loginName);
  const passkey = await requestPasskey(ctx, withoutError(flow));
  const props = {
    flow: sealed,
    action: "/login/submit",
    loginName,
    asks,
    notYouHref: asks === "password" ? loginLink(ctx, "/login", withFlow(ctx, login, asNobody(flow))) : undefined,
    ...errorNow(ctx, flow),
    ...page.names,
    forgotPasswordHref: policy.hidePasswordReset ? undefined : loginLink(ctx, "/login/forgot-password", login),
    createAccountHref: allowRegister ? loginLink(ctx, "/login/create-account", login) : undefined,
    isRegistrationOff: !allowRegister && flow.request?.prompt.includes("create"),
    isCancellable: isCancellable(flow),
    providers: buttons,
    connects,
    passkey: { action: "/login/passkey", fields: { flow: passkey.sealed }, options: passkey.options },
  };
  // Until the user has typed something, visits differ only in their sealed values.
  const isUntouched = loginName === "" && flow.error === undefined && connects === undefined;
  if (!isUntouched) return pageAnswer(http, signInPage(props, page.frame));
  const secrets = [sealed, passkey.sealed, passkey.challenge];
  return pageAnswer(http, untouchedPage(props, { ...page.frame, timeZone: undefined }, secrets));
});

const asNobody = (flow: SignInFlow): SignInFlow => ({
  ...flow,
  loginName: "",
  authenticatedSessionId: undefined,
  selectedSessionId: undefined,
});

/** Returns the fields of the page. */
function asked(policy: PolicySettings<"login">, loginName: string): SignInProps["asks"] {
  if (!policy.allowUsernamePassword) return "passkey";
  if (!policy.identifierFirst) return "both";
  return loginName === "" ? "loginName" : "password";
}

/** Returns the error of the last attempt, for a page, while it still applies. */
export function errorNow(ctx: Context, { error, retryAt }: SignInFlow) {
  if (error !== "throttled") return { error };
  const retryAfterMinutes = minutesUntil(ctx, retryAt);
  return retryAfterMinutes > 0 ? { error, retryAfterMinutes } : {};
}

export const cancelled = async (ctx: Context, http: Http, login: LoginRequest): Promise<Response> =>
  flowAnswer(ctx, http, login, await cancelSignIn(ctx, login.flow, userAgentOf(ctx, http)));

/** Handles the button of the sign-in pages that returns to the application. */
export const cancelRoute = onLogin(cancelled);

export const signInSubmitRoute = onLogin(async (ctx, http, login) => {
  const { flow, form, chosenLocale } = login;
  if (form.has("cancel")) return cancelled(ctx, http, login);
  if (form.has("idp")) return startByButton(ctx, http, login);
  const result = await signIn(ctx, flow, {
    ...attemptOf(ctx, http),
    loginName: form.get("loginName") ?? "",
    password: form.get("password") ?? "",
    // Only set by the page's script: without it, and for programs, a sign-in is never interrupted.
    canKeepPasskey: form.get("passkeys") === "1",
    signal: http.req.raw.signal,
  });
  switch (result.kind) {
    case "client-gone":
      return clientGone(ctx, http, login);
    case "again":
      return redirectAnswer(http, screenUrl(ctx, "login", result.flow, chosenLocale));
    case "signed-in":
      setUserAgentCookie(ctx, http, result.userAgentToken);
      return flowAnswer(ctx, http, login, result.outcome);
  }
});

export const passkeySubmitRoute = onLogin(async (ctx, http, login) => {
  const attempt = attemptOf(ctx, http);
  const result = await signInWithPasskey(ctx, login.flow, {
    ...attempt,
    credential: login.form.get("credential") ?? "",
  });
  if (result.kind === "signed-in") {
    setUserAgentCookie(ctx, http, result.userAgentToken);
    return flowAnswer(ctx, http, login, result.outcome);
  }
  const again = sealFlow(ctx, refusedFlow(login.flow, { error: "passkey" }));
  return redirectAnswer(http, screenUrl(ctx, "login", again, login.chosenLocale));
});

export const selectAccountPageRoute = onPage(async (ctx, http, login, page) => {
  const sessions = await listAdmittedSessions(ctx, scopeOf(login.flow), userAgentOf(ctx, http));
  if (isError(sessions) || sessions.length === 0)
    return redirectAnswer(http, screenUrl(ctx, "login", login.sealed, login.chosenLocale));
  const { hintedUserId, request } = login.flow;
  const hinted = hintedSession({ hintedUserId, loginHint: request?.loginHint }, sessions);
  const answer = selectAccountPage(
    {
      flow: login.sealed,
      action: "/login/select-account/submit",
      isCancellable: isCancellable(login.flow),
      sessions: sessions
        .map((session) => ({
          ...session,
          displayName: shownName(session, page.frame.locale),
          active: !asksAgain(ctx, login.flow, session.authTime),
        }))
        .sort((a, b) => Number(b.id === hinted?.id) - Number(a.id === hinted?.id)),
      ...page.names,
    },
    page.frame,
  );
  return pageAnswer(http, answer);
});

/**
 * Whether selecting a session leads to the sign-in page, because it is too old for the request or the request requires
 * a sign-in.
 */
function asksAgain(ctx: Context, { request, fresh }: SignInFlow, authTime: number): boolean {
  const wanted = fresh || request?.prompt.includes("login");
  return wanted || isStale(authTime, request?.maxAge, ctx.clock());
}

export const selectAccountSubmitRoute = onLogin(async (ctx, http, login) => {
  const { flow, form, chosenLocale } = login;
  const session = form.get("session");
  const removeSession = form.get("remove-session");
  const choice =
    session !== undefined
      ? { session }
      : removeSession !== undefined
        ? { removeSession }
        : { useAnother: true as const };
  const result = await selectAccount(ctx, flow, choice, userAgentOf(ctx, http), http.get("requestId"));
  switch (result.kind) {
    case "client-gone":
      return clientGone(ctx, http, login);
    case "again":
      return redirectAnswer(http, screenUrl(ctx, "select-account", result.flow, chosenLocale));
    case "sign-in":
      return redirectAnswer(http, screenUrl(ctx, "login", result.flow, chosenLocale));
    case "chosen":
      return flowAnswer(ctx, http, login, result.outcome);
  }
});
