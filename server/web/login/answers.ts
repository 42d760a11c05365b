/** Redirects and links from one page of a flow to another, in the language chosen on the page. */
import type { DoneKind } from "../../../components/login/notices";
import type { Context } from "../../context";
import { organizationName } from "../../directory/organization/name";
import type { Http } from "../../http/env";
import type { FlowOutcome } from "../../login/continue-flow";
import { organizationOfLink } from "../../login/whose-link";
import { type SignInFlow, sealFlow, withoutError } from "../../oidc/flow";
import { outcomeAnswer, pageAnswer, redirectAnswer, screenUrl, uiLocalesParameter } from "../authorization";
import { errorPage } from "../pages/public-pages";
import type { LoginRequest } from "./login-request";
import { clientGone, loginFrame } from "./page-context";

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
    case "landing":
      return redirectAnswer(http, outcome.url);
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
export function loginUrl(
  { config }: Context,
  path: string,
  flow: string,
  { chosenLocale }: Pick<LoginRequest, "chosenLocale">,
): string {
  return `${config.baseUrl}${path}?flow=${flow}${uiLocalesParameter(chosenLocale)}`;
}

/** Returns the page that asks for the password of an LDAP directory. */
export const directoryUrl = (
  ctx: Context,
  { providerId, flow }: { providerId: string; flow: SignInFlow },
  chosenLocale: string | undefined,
): string => loginUrl(ctx, `/idps/${encodeURIComponent(providerId)}/ldap`, sealFlow(ctx, flow), { chosenLocale });

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
  const organizationId = (await organizationOfLink(ctx, login.form.get("token"))) ?? login.flow.organizationId;
  const frame = await loginFrame(ctx, http, login, organizationId);
  const startAgainHref = loginLink(ctx, askAgainAt, login);
  const named = organizationId === undefined ? undefined : await organizationName(ctx, organizationId);
  const about = { usedAt, startAgainHref, organizationName: named, occurredAt: ctx.clock() };
  const props = { kind: "mailed-link", ...about } as const;
  return pageAnswer(http, errorPage(props, frame));
}
