/** What the pages of a flow have in common: the application, the organization and the page's frame. */
import type { Context } from "../../context";
import { organizationName } from "../../directory/organization/name";
import type { Http } from "../../http/env";
import { pathAndQuery, userAgentOf } from "../../http/request";
import type { Handler } from "../../http/routes";
import { applicationOf, knownOrganization, organizationOfFlow, pagePolicyOwner } from "../../login/continue-flow";
import type { DirectPage } from "../../oidc/flow";
import { keepsLookOfApp } from "../../oidc/named-organization";
import type { Client } from "../../protocol/client";
import { clientWords } from "../../protocol/client-words";
import { pageAnswer } from "../authorization";
import { pageFrame } from "../pages/frame";
import { languageForm } from "../pages/language-form";
import { errorPage } from "../pages/public-pages";
import type { PageFrame, PageResponse } from "../pages/render";
import { type LoginHandler, type LoginRequest, onDirectLogin, onLogin } from "./login-request";

export interface PageContext {
  application: Client | undefined;
  /** The organization in which new accounts are created. */
  organizationId: string | undefined;
  /** The organization whose login policy applies to the page; undefined for the instance's. */
  policyOwnerId: string | undefined;
  names: { appName?: string; organizationName?: string };
  frame: PageFrame;
}

/**
 * Returns the context of a page of the flow, or the response if its application is gone. The name in the header, words,
 * branding and links all belong to one organization: the user's, as soon as the user is known (rule PAGE-7).
 */
export async function pageContext(ctx: Context, http: Http, login: LoginRequest): Promise<PageContext | Response> {
  const { flow, person } = login;
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return clientGone(ctx, http, login);
  const organizationId = await organizationOfFlow(ctx, flow, application);
  const policyOwnerId = await pagePolicyOwner(ctx, flow, application);
  const known = person?.organizationId ?? (await knownOrganization(ctx, flow, userAgentOf(ctx, http)));
  const shown = known ?? organizationId;
  const lookOf =
    application && (await keepsLookOfApp(ctx, application, shown)) ? application.organizationId : undefined;
  const frame = await loginFrame(ctx, http, login, shown, lookOf);
  // The default organization's branding applies to pages without an organization, but its name is not shown.
  const named = known ?? (application || flow.organizationId !== undefined ? organizationId : undefined);
  const appName = application && clientWords(application, frame.locale).name;
  const names = { appName, organizationName: await nameOf(ctx, application, named) };
  return { application, organizationId, policyOwnerId, names, frame };
}

async function nameOf(ctx: Context, application: Client | undefined, organizationId: string | undefined) {
  if (organizationId === undefined) return undefined;
  if (organizationId === application?.organizationId) return application.organizationName;
  return organizationName(ctx, organizationId);
}

export async function loginFrame(
  ctx: Context,
  http: Http,
  { flow, chosenLocale }: LoginRequest,
  organizationId?: string,
  lookOf?: string,
): Promise<PageFrame> {
  const wishes = { chosen: chosenLocale, requested: flow.request?.uiLocales, organizationId, lookOf };
  return pageFrame(ctx, http, wishes, {
    formActionOrigin: flow.request?.redirectUri ?? flow.landsAt,
    // The response to a form has no address that could be opened in another language.
    languages: http.req.method === "GET" ? languageForm(pathAndQuery(http)) : undefined,
  });
}

export async function clientGone(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const frame = await loginFrame(ctx, http, login);
  return pageAnswer(http, errorPage({ kind: "invalid-client", occurredAt: ctx.clock() }, frame));
}

/** Responds to too many requests from one network. */
export function tooMany(ctx: Context, http: Http, frame: PageFrame): Response {
  return pageAnswer(http, errorPage({ kind: "too-many", occurredAt: ctx.clock() }, frame));
}

type PageHandler = (ctx: Context, http: Http, login: LoginRequest, page: PageContext) => Response | Promise<Response>;

/** Creates a handler that shows a page of a flow. */
export const onPage = (handler: PageHandler): Handler => onLogin(withPageContext(handler));

/**
 * Creates a handler that shows a page and may be opened without a flow.
 * @param page the target of the sign-in in that case
 */
export const onDirectPage = (page: DirectPage["page"], handler: PageHandler): Handler =>
  onDirectLogin(page, withPageContext(handler));

function withPageContext(handler: PageHandler): LoginHandler {
  return async (ctx, http, login) => {
    const page = await pageContext(ctx, http, login);
    return page instanceof Response ? page : handler(ctx, http, login, page);
  };
}

/** Shows a page of the flow, for handlers that select the page after reading the flow. */
export async function showPage(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  draw: (page: PageContext) => PageResponse | Promise<PageResponse>,
): Promise<Response> {
  const page = await pageContext(ctx, http, login);
  return page instanceof Response ? page : pageAnswer(http, await draw(page));
}

/** Shows that there were too many requests from one network. */
export async function showTooMany(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const page = await pageContext(ctx, http, login);
  return page instanceof Response ? page : tooMany(ctx, http, page.frame);
}
