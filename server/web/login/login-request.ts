/**
 * The first step of the sign-in pages and forms: opens the flow of the request. An expired flow starts over
 * automatically, so that an open tab can continue.
 */
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import { formParameters, isSameOriginPost, queryParameters, userAgentOf } from "../../http/request";
import type { Handler } from "../../http/routes";
import { startAgainUrl } from "../../login/continue-flow";
import { noteInFlow } from "../../login/note-attempt";
import { flowInBrowser } from "../../login/requesting-browser";
import {
  type DirectPage,
  type MailedFlow,
  openFlow,
  refusedFlow,
  type SignInFlow,
  sealFlow,
  withoutProgress,
} from "../../oidc/flow";
import { isError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { errorFrame } from "../pages/frame";
import { errorPage } from "../pages/public-pages";

export interface LoginRequest {
  flow: SignInFlow;
  /** The sealed flow as received; newly sealed if the page was opened without one. */
  sealed: string;
  /** The mail that waits for a code, in any browser: only the browser that requested it also has it in the flow. */
  mailed?: MailedFlow;
  chosenLocale: string | undefined;
  form: Parameters;
  /** The user whose page it is, if the handler knows it already; see `pageContext`. */
  person?: { organizationId: string };
}

/**
 * Returns the flow of a page or form, or the response if there is no usable one.
 * @param otherwise the new flow of a page that may be opened directly, from a bookmark or a mail
 */
async function openLogin(ctx: Context, http: Http, otherwise?: DirectPage): Promise<LoginRequest | Response> {
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
    const restarted = sealFlow(ctx, refusedFlow(withoutSessions(flow), { error: "not-remembered" }));
    return redirectAnswer(http, screenUrl(ctx, "login", restarted, chosenLocale));
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

export type LoginHandler = (ctx: Context, http: Http, login: LoginRequest) => Response | Promise<Response>;

/** Creates a handler of a form or page of a flow. */
export const onLogin = (handler: LoginHandler): Handler => opening(undefined, handler);

/**
 * Creates a handler of an address that may be opened without a flow.
 * @param page the target of the sign-in in that case
 */
export const onDirectLogin = (page: DirectPage["page"], handler: LoginHandler): Handler => opening({ page }, handler);

/** Opens the flow. If that fails, the error response is returned and the handler is not called. */
function opening(otherwise: DirectPage | undefined, handler: LoginHandler): Handler {
  return async (ctx, http) => {
    const login = await openLogin(ctx, http, otherwise);
    return login instanceof Response ? login : handler(ctx, http, login);
  };
}

/** Returns the address of the user's own account, after signing in. */
export function accountEntry({ config: { baseUrl } }: Context, chosenLocale: string | undefined): string {
  const query = chosenLocale === undefined ? "" : `?${new URLSearchParams({ ui_locales: chosenLocale })}`;
  return `${baseUrl}/account${query}`;
}
