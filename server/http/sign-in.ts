/**
 * The pages of a sign-in: they show what the sealed flow says and post it back. A stale flow starts again by itself,
 * so that no tab that was left open is a dead end.
 */
import type { Context } from "../context";
import { PasswordQueueFull } from "../crypto/password-hash";
import { selectAccount } from "../login/select-account";
import { signIn } from "../login/sign-in";
import { listAdmittedSessions } from "../oidc/admission";
import { clientOfFlow } from "../oidc/endpoints/authorize";
import { openFlow, type SignInFlow, sealFlow } from "../oidc/flow";
import { authorizationUrl } from "../protocol/authorization-url";
import { isError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import { outcomeAnswer, pageAnswer, redirectAnswer, screenUrl } from "./authorization";
import { setUserAgentCookie } from "./cookies";
import type { Http } from "./env";
import { pageFrame } from "./frame";
import { errorPage, languageLinks, selectAccountPage, signInPage } from "./public-pages";
import { formParameters, isSameOriginPost, queryParameters, userAgentOf } from "./request";

interface Step {
  flow: SignInFlow;
  sealed: string;
  chosenLocale: string | undefined;
  form: Parameters;
}

/** The flow a page or form carries, or the answer to give where it carries none that can go on. */
async function openStep(ctx: Context, http: Http): Promise<Step | Response> {
  const post = http.req.method === "POST";
  const parameters = post ? await formParameters(http) : queryParameters(http);
  const refuse = async (kind: "cross-site" | "expired-flow" | "invalid-request", chosen?: string) =>
    pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await pageFrame(ctx, http, { chosen })));
  if (isError(parameters)) return refuse("invalid-request");
  const chosenLocale = parameters.get("ui_locales");
  if (post && !isSameOriginPost(ctx, http)) return refuse("cross-site", chosenLocale);
  const sealed = parameters.get("flow");
  const opened = openFlow(ctx, "sign-in", sealed);
  if (!opened || sealed === undefined) return refuse("expired-flow", chosenLocale);
  if (opened.expired) return redirectAnswer(http, startAgainUrl(ctx, opened.flow));
  return { flow: opened.flow, sealed, chosenLocale, form: parameters };
}

/** The application's request once more, from the beginning. */
function startAgainUrl(ctx: Context, flow: SignInFlow): string {
  return authorizationUrl(`${ctx.config.baseUrl}/oauth/v2/authorize`, flow.request);
}

async function frameOf(ctx: Context, http: Http, { flow, chosenLocale }: Step, organizationId?: string) {
  const wishes = { chosen: chosenLocale, requested: flow.request.uiLocales, organizationId };
  const address = new URL(http.req.url);
  return pageFrame(ctx, http, wishes, {
    formActionOrigin: flow.request.redirectUri,
    languages: languageLinks(address.pathname + address.search),
  });
}

async function clientGone(ctx: Context, http: Http, step: Step): Promise<Response> {
  const frame = await frameOf(ctx, http, step);
  return pageAnswer(http, errorPage({ kind: "invalid-client", occurredAt: ctx.clock() }, frame));
}

export async function signInPageRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const { flow, sealed } = step;
  const client = await clientOfFlow(ctx, flow.request);
  if (!client) return clientGone(ctx, http, step);
  const page = signInPage(
    {
      flow: sealed,
      action: "/login/submit",
      loginName: flow.loginName ?? flow.request.loginHint,
      error: flow.error,
      appName: client.appName,
      organizationName: client.organizationName,
    },
    await frameOf(ctx, http, step, client.organizationId),
  );
  return pageAnswer(http, page);
}

export async function signInSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const { flow, form, chosenLocale } = step;
  const loginName = form.get("loginName") ?? "";
  try {
    const result = await signIn(ctx, flow, {
      loginName,
      password: form.get("password") ?? "",
      userAgent: userAgentOf(ctx, http),
      requestId: http.get("requestId"),
    });
    switch (result.kind) {
      case "client-gone":
        return clientGone(ctx, http, step);
      case "again":
        return redirectAnswer(http, screenUrl(ctx, "login", result.flow, chosenLocale));
      case "signed-in":
        setUserAgentCookie(ctx, http, result.userAgentToken);
        return outcomeAnswer(ctx, http, result.outcome, chosenLocale);
    }
  } catch (error) {
    if (!(error instanceof PasswordQueueFull)) throw error;
    const again = sealFlow(ctx, { ...flow, loginName: loginName.slice(0, 320), error: "busy" });
    return redirectAnswer(http, screenUrl(ctx, "login", again, chosenLocale));
  }
}

export async function selectAccountPageRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const client = await clientOfFlow(ctx, step.flow.request);
  if (!client) return clientGone(ctx, http, step);
  const sessions = await listAdmittedSessions(ctx, step.flow.request.scope, userAgentOf(ctx, http));
  if (isError(sessions) || sessions.length === 0)
    return redirectAnswer(http, screenUrl(ctx, "login", step.sealed, step.chosenLocale));
  const hint = step.flow.request.loginHint?.toLowerCase();
  const page = selectAccountPage(
    {
      flow: step.sealed,
      action: "/login/select-account/submit",
      sessions: sessions
        .map((session) => ({ ...session, active: true }))
        .sort((a, b) => Number(b.loginName.toLowerCase() === hint) - Number(a.loginName.toLowerCase() === hint)),
      appName: client.appName,
      organizationName: client.organizationName,
    },
    await frameOf(ctx, http, step, client.organizationId),
  );
  return pageAnswer(http, page);
}

export async function selectAccountSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const { flow, form, chosenLocale } = step;
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
      return clientGone(ctx, http, step);
    case "again":
      return redirectAnswer(http, screenUrl(ctx, "select-account", result.flow, chosenLocale));
    case "sign-in":
      return redirectAnswer(http, screenUrl(ctx, "login", result.flow, chosenLocale));
    case "chosen":
      return outcomeAnswer(ctx, http, result.outcome, chosenLocale);
  }
}
