/**
 * The common first and last steps of the sign-in pages: open the flow of the request, find the application and the
 * page's frame, and redirect the browser. An expired flow starts over automatically, so that an open tab can continue.
 */
import type { DoneKind } from "../../../components/login/notices";
import type { Context } from "../../context";
import { organizationName } from "../../directory/organization/name";
import type { Http } from "../../http/env";
import { formParameters, isSameOriginPost, pathAndQuery, queryParameters, userAgentOf } from "../../http/request";
import {
  applicationOf,
  type FlowOutcome,
  knownOrganization,
  organizationOfFlow,
  pagePolicyOwner,
  startAgainUrl,
} from "../../login/continue-flow";
import { noteInFlow } from "../../login/note-attempt";
import { flowInBrowser } from "../../login/requesting-browser";
import {
  type DirectPage,
  type MailedFlow,
  openFlow,
  refusedFlow,
  type SignInFlow,
  sealFlow,
  withoutError,
  withoutProgress,
} from "../../oidc/flow";
import type { Client } from "../../protocol/client";
import { isError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { outcomeAnswer, pageAnswer, redirectAnswer, screenUrl, uiLocalesParameter } from "../authorization";
import { errorFrame, pageFrame } from "../pages/frame";
import { languageForm } from "../pages/language-form";
import { errorPage } from "../pages/public-pages";
import type { PageFrame } from "../pages/render";

export interface LoginRequest {
  flow: SignInFlow;
  /** The sealed flow as received; newly sealed if the page was opened without one. */
  sealed: string;
  /** The mail that waits for a code, in any browser: only the browser that requested it also has it in the flow. */
  mailed?: MailedFlow;
  chosenLocale: string | undefined;
  form: Parameters;
  /** The user whose page it is, if the handler knows it already; see `settingOf`. */
  person?: { organizationId: string };
}

/**
 * Returns the flow of a page or form, or the response if there is no usable one.
 * @param otherwise the new flow of a page that may be opened directly, from a bookmark or a mail
 */
export async function openLogin(ctx: Context, http: Http, otherwise?: DirectPage): Promise<LoginRequest | Response> {
  const post = http.req.method === "POST";
  const form = post ? await formParameters(http) : queryParameters(http);
  const refuse = async (kind: "cross-site" | "expired-flow" | "invalid-request", chosen?: string) =>
    pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await errorFrame(ctx, http, { chosen })));
  if (isError(form)) return refuse("invalid-request");
  const chosenLocale = form.get("ui_locales");
  if (post && !isSameOriginPost(ctx, http)) return refuse("cross-site", chosenLocale);
  const sealed = form.get("flow");
  if (sealed === undefined && otherwise) {
    const flow: SignInFlow = { kind: "sign-in", startedAt: ctx.clock(), ...otherwise };
    return { flow, sealed: sealFlow(ctx, flow), chosenLocale, form };
  }
  // A typed address or a bookmark: a sign-in without an application continues to the user's account.
  if (!post && !new URL(http.req.url).searchParams.has("flow")) {
    return redirectAnswer(http, accountEntry(ctx, chosenLocale));
  }
  const opened = openFlow(ctx, "sign-in", sealed);
  if (!opened || sealed === undefined) return refuse("expired-flow", chosenLocale);
  const { expired } = opened;
  const flow = flowInBrowser(opened.flow, userAgentOf(ctx, http));
  if (expired && post) noteInFlow(ctx, flow, { reason: "flow_expired", userAgent: userAgentOf(ctx, http) });
  if (expired) return redirectAnswer(http, againUrl(ctx, flow, form));
  // Without the cookie, the earlier steps are lost: cookies are disabled, or this is another browser. The page says so;
  // otherwise the user would be asked for the password repeatedly without knowing why.
  if (!post && hasProgress(flow) && userAgentOf(ctx, http).token === undefined) {
    noteInFlow(ctx, flow, { reason: "cookies_blocked", userAgent: userAgentOf(ctx, http) });
    const anew = sealFlow(ctx, refusedFlow(withoutSessions(flow), { error: "not-remembered" }));
    return redirectAnswer(http, screenUrl(ctx, "login", anew, chosenLocale));
  }
  return {
    flow,
    sealed: flow === opened.flow ? sealed : sealFlow(ctx, flow),
    mailed: opened.flow.mailed,
    chosenLocale,
    form,
  };
}

const hasProgress = ({ pending, authenticatedSessionId }: SignInFlow) =>
  pending !== undefined || authenticatedSessionId !== undefined;

/** Returns the flow without its steps and without its resulting or selected sessions. */
function withoutSessions(flow: SignInFlow): SignInFlow {
  return { ...withoutProgress(flow), authenticatedSessionId: undefined, selectedSessionId: undefined };
}

/**
 * Returns the address at which an expired flow starts over, with the chosen language and the typed name (WCAG 2.2.1).
 */
function againUrl(ctx: Context, flow: SignInFlow, form: Parameters): string {
  const chosen = form.get("ui_locales");
  const { request } = flow;
  if (!request) {
    const url = new URL(startAgainUrl(ctx, flow));
    if (chosen !== undefined) url.searchParams.set("ui_locales", chosen);
    return url.href;
  }
  const typed = form.get("loginName") ?? form.get("email") ?? flow.loginName;
  const loginHint = (typed === "" ? undefined : typed) ?? request.loginHint;
  const uiLocales = chosen === undefined ? request.uiLocales : [chosen, ...request.uiLocales];
  return startAgainUrl(ctx, { request: { ...request, loginHint, uiLocales } });
}

/** Returns the address of the user's own account, after signing in. */
export function accountEntry({ config: { baseUrl } }: Context, chosenLocale: string | undefined): string {
  const query = chosenLocale === undefined ? "" : `?${new URLSearchParams({ ui_locales: chosenLocale })}`;
  return `${baseUrl}/account${query}`;
}

/** The application and organization of a page. */
export interface Setting {
  application: Client | undefined;
  /** The organization in which new accounts are created. */
  organizationId: string | undefined;
  /** The organization whose login policy applies to the page; undefined for the instance's. */
  policyOwnerId: string | undefined;
  names: { appName?: string; organizationName?: string };
  frame: PageFrame;
}

/**
 * Returns the setting of a page of the flow, or the response if its application is gone. The name in the header, words,
 * branding and links all belong to one organization: the user's, as soon as the user is known (rule PAGE-7).
 */
export async function settingOf(ctx: Context, http: Http, login: LoginRequest): Promise<Setting | Response> {
  const { flow, person } = login;
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return clientGone(ctx, http, login);
  const organizationId = await organizationOfFlow(ctx, flow, application);
  const policyOwnerId = await pagePolicyOwner(ctx, flow, application);
  const known = person?.organizationId ?? (await knownOrganization(ctx, flow, userAgentOf(ctx, http)));
  const frame = await loginFrame(ctx, http, login, known ?? organizationId);
  // The default organization's branding applies to pages without an organization, but its name is not shown.
  const named = known ?? (application || flow.organizationId !== undefined ? organizationId : undefined);
  const names = { appName: application?.appName, organizationName: await nameOf(ctx, application, named) };
  return { application, organizationId, policyOwnerId, names, frame };
}

async function nameOf(ctx: Context, application: Client | undefined, organizationId: string | undefined) {
  if (organizationId === undefined) return undefined;
  if (organizationId === application?.organizationId) return application.organizationName;
  return organizationName(ctx, organizationId);
}

async function loginFrame(
  ctx: Context,
  http: Http,
  { flow, chosenLocale }: LoginRequest,
  organizationId?: string,
): Promise<PageFrame> {
  const wishes = { chosen: chosenLocale, requested: flow.request?.uiLocales, organizationId };
  return pageFrame(ctx, http, wishes, {
    formActionOrigin: flow.request?.redirectUri,
    // The response to a form has no address that could be opened in another language.
    languages: http.req.method === "GET" ? languageForm(pathAndQuery(http)) : undefined,
  });
}

export async function clientGone(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const frame = await loginFrame(ctx, http, login);
  return pageAnswer(http, errorPage({ kind: "invalid-client", occurredAt: ctx.clock() }, frame));
}

/** Redirects the browser to the next page of the flow, in the language chosen on the page. */
export async function flowAnswer(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  outcome: FlowOutcome,
): Promise<Response> {
  switch (outcome.kind) {
    case "client-gone":
      return clientGone(ctx, http, login);
    case "account":
      return redirectAnswer(http, accountUrl(ctx, outcome.sessionId, login.chosenLocale, outcome.at));
    case "over":
      return redirectAnswer(http, `${ctx.config.baseUrl}/`);
    case "screen":
      return redirectAnswer(http, screenUrl(ctx, outcome.screen, outcome.flow, login.chosenLocale));
    default:
      return outcomeAnswer(ctx, http, outcome, login.chosenLocale);
  }
}

/**
 * Returns the address of an account page; it names the session, because several users may be signed in in one browser.
 * @param at path and query of the page
 */
export function accountUrl(
  { config: { baseUrl } }: Context,
  session: string,
  chosenLocale?: string,
  at = "/account",
): string {
  const { pathname, searchParams } = new URL(at, baseUrl);
  const query = new URLSearchParams({ session, ...Object.fromEntries(searchParams) });
  if (chosenLocale !== undefined) query.set("ui_locales", chosenLocale);
  return `${baseUrl}${pathname}?${query}`;
}

/** Returns the request with another flow. */
export function withFlow(ctx: Context, login: LoginRequest, flow: SignInFlow): LoginRequest {
  return { ...login, flow, sealed: sealFlow(ctx, flow) };
}

/** Returns a link from one page of the flow to another, without this page's messages. */
export function loginLink(ctx: Context, path: string, { flow, sealed, chosenLocale }: LoginRequest): string {
  const saysNothing = flow.error === undefined && flow.mailed === undefined;
  const quiet = saysNothing ? sealed : sealFlow(ctx, { ...withoutError(flow), mailed: undefined });
  return `${path}?flow=${quiet}${uiLocalesParameter(chosenLocale)}`;
}

/** Returns the address of another page of the flow, in the chosen language. */
export function loginUrl({ config }: Context, path: string, flow: string, { chosenLocale }: LoginRequest): string {
  return `${config.baseUrl}${path}?flow=${flow}${uiLocalesParameter(chosenLocale)}`;
}

/** Returns the page of a mailed link whose secret is in the form. */
export function linkUrl({ config }: Context, path: string, { form, chosenLocale }: LoginRequest): string {
  const query = new URLSearchParams({ token: form.get("token") ?? "" });
  return `${config.baseUrl}${path}?${query}${uiLocalesParameter(chosenLocale)}`;
}

/**
 * Returns the page that confirms a completed step. It is sealed, so that no forged address can claim, for example, a
 * password change.
 */
export function doneUrl(ctx: Context, done: DoneKind, flow: SignInFlow, login: LoginRequest): string {
  return loginUrl(ctx, "/login/done", sealFlow(ctx, { ...flow, done }), login);
}

/** Responds to a mailed link that no longer works, with a link to request another one. */
export async function linkDead(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  askAgainAt: string,
  usedAt?: number,
): Promise<Response> {
  const frame = await loginFrame(ctx, http, login);
  const startAgainHref = loginLink(ctx, askAgainAt, login);
  const props = { kind: "mailed-link", usedAt, startAgainHref, occurredAt: ctx.clock() } as const;
  return pageAnswer(http, errorPage(props, frame));
}

/** Responds to too many requests from one network. */
export function tooMany(ctx: Context, http: Http, frame: PageFrame): Response {
  return pageAnswer(http, errorPage({ kind: "too-many", occurredAt: ctx.clock() }, frame));
}
