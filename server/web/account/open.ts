/**
 * Identifies the account of every account page and form. Several users may be signed in in one browser, so the address
 * names the session; without a session of this browser, the user first signs in or chooses one, and then gets to the
 * page.
 */
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import {
  chosenLocaleOf,
  formParameters,
  isSameOriginPost,
  pathAndQuery,
  queryParameters,
  userAgentOf,
} from "../../http/request";
import type { Handler } from "../../http/routes";
import { type AccountOwner, accountOwner, type FreshOwner, isFreshOwner } from "../../login/account/owner";
import { continueFlow } from "../../login/continue-flow";
import type { SignInFlow } from "../../oidc/flow";
import { parseLoginHint } from "../../protocol/authorization-request";
import { isError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { pageAnswer, redirectAnswer } from "../authorization";
import { accountUrl, flowAnswer } from "../login/answers";
import { errorFrame, pageFrame } from "../pages/frame";
import { languageForm } from "../pages/language-form";
import { errorPage } from "../pages/public-pages";
import type { PageFrame } from "../pages/render";
import { refusedAnswer } from "../refusal";

export interface OpenedAccount<Owner extends AccountOwner = AccountOwner> {
  owner: Owner;
  form: Parameters;
  chosen: string | undefined;
  frame: PageFrame;
  /** The fields that links and forms pass on. */
  fields: Record<string, string>;
  /** Path and query of the page to return to after signing in again. */
  at: string;
}

/** The page to return to after a sign-in: that of the form, or the page itself. */
type Place = string | ((form: Parameters) => string);

/** Returns the owner of the account and the request's parameters, or the redirect to the sign-in. */
async function openAccount(ctx: Context, http: Http, at?: Place): Promise<OpenedAccount | Response> {
  const received = await readForm(ctx, http);
  if (received instanceof Response) return received;
  const { form, chosen } = received;
  const place = typeof at === "function" ? at(form) : (at ?? ownAddress(http));
  const owner = await accountOwner(ctx, form.get("session"), userAgentOf(ctx, http));
  if (!owner) return signInFirst(ctx, http, { form, at: place });
  return { owner, form, chosen, at: place, ...(await surroundings(ctx, http, owner, chosen)) };
}

/** Like `openAccount`, but requires a recent authentication. */
async function openFresh(ctx: Context, http: Http, at?: Place): Promise<OpenedAccount<FreshOwner> | Response> {
  const opened = await openAccount(ctx, http, at);
  if (opened instanceof Response) return opened;
  const { owner } = opened;
  return isFreshOwner(owner) ? { ...opened, owner } : signInFirst(ctx, http, opened, owner);
}

type OwnerHandler<Owner extends AccountOwner> = (
  ctx: Context,
  http: Http,
  opened: OpenedAccount<Owner>,
) => Response | Promise<Response>;

/** Creates a handler of a page that its owner may see. */
export const ownerPage = (handler: OwnerHandler<AccountOwner>): Handler => opening(openAccount, handler);

/**
 * Creates a handler of a form of such a page.
 * @param at the page to return to after a sign-in
 */
export const ownerForm = (at: Place, handler: OwnerHandler<AccountOwner>): Handler => opening(openAccount, handler, at);

/** Creates a handler of a page that requires a recent authentication. */
export const freshPage = (handler: OwnerHandler<FreshOwner>): Handler => opening(openFresh, handler);

/**
 * Creates a handler of a form that requires a recent authentication.
 * @param at the page to return to after a sign-in
 */
export const freshForm = (at: Place, handler: OwnerHandler<FreshOwner>): Handler => opening(openFresh, handler, at);

function opening<Owner extends AccountOwner>(
  open: (ctx: Context, http: Http, at?: Place) => Promise<OpenedAccount<Owner> | Response>,
  handler: OwnerHandler<Owner>,
  at?: Place,
): Handler {
  return async (ctx, http) => {
    const opened = await open(ctx, http, at);
    return opened instanceof Response ? opened : handler(ctx, http, opened);
  };
}

/** Reads the parameters of a page, or of a form on one of our pages. */
export async function readForm(
  ctx: Context,
  http: Http,
): Promise<{ form: Parameters; chosen: string | undefined } | Response> {
  const post = http.req.method === "POST";
  const form = post ? await formParameters(http) : queryParameters(http);
  const chosen = chosenLocaleOf(form);
  if (!isError(form) && (!post || isSameOriginPost(ctx, http))) return { form, chosen };
  const kind = isError(form) ? "invalid-request" : "cross-site";
  return pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await errorFrame(ctx, http, { chosen })));
}

/** Returns the frame of a page for this user. */
export async function surroundings(
  ctx: Context,
  http: Http,
  { session, user }: AccountOwner,
  chosen: string | undefined,
): Promise<Pick<OpenedAccount, "frame" | "fields">> {
  const requested = user.preferredLanguage ? [user.preferredLanguage] : undefined;
  const languages = http.req.method === "GET" ? languageForm(pathAndQuery(http)) : undefined;
  const wishes = { chosen, requested, organizationId: user.organizationId };
  return {
    frame: await pageFrame(ctx, http, wishes, { languages }),
    fields: { session: session.id, ...(chosen !== undefined && { ui_locales: chosen }) },
  };
}

/** Returns the address of the page without parameters that only belong to this visit. */
function ownAddress(http: Http): string {
  const { pathname, searchParams } = new URL(http.req.url);
  for (const name of ["session", "ui_locales", "saved", "refused", "login_hint"]) searchParams.delete(name);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

/**
 * Redirects the browser to sign in (again), then back to the page.
 * @param wanted.loginName the required account, if not the owner's
 */
export async function signInFirst(
  ctx: Context,
  http: Http,
  { form, at, loginName }: { form: Parameters; at: string; loginName?: string },
  owner?: AccountOwner,
): Promise<Response> {
  const again = loginName ?? owner?.session.loginName;
  const hint = parseLoginHint(form.get("login_hint")); // from a mail that informs the user of their new login name
  const flow: SignInFlow = {
    kind: "sign-in",
    startedAt: ctx.clock(),
    page: "account",
    at,
    ...(hint !== undefined && { loginName: hint }),
    ...(again !== undefined && { fresh: true, loginName: again }),
    // The address names a session but the browser sent no cookies: they may be disabled.
    ...(form.has("session") && userAgentOf(ctx, http).token === undefined && { error: "not-remembered" as const }),
  };
  const login = { flow, sealed: "", chosenLocale: form.get("ui_locales"), form };
  return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgentOf(ctx, http), flow));
}

/** Redirects to the page of a rejected form, which shows the errors. */
export function refusedForm(
  ctx: Context,
  http: Http,
  { owner, chosen }: Pick<OpenedAccount, "owner" | "chosen">,
  path: string,
  told: object,
): Response {
  return refusedAnswer(ctx, http, accountUrl(ctx, owner.session.id, chosen, path), told, owner.session.id);
}

/** Redirects to the page after a change, which it confirms. */
export function backAfterSaving(ctx: Context, http: Http, { owner, chosen }: OpenedAccount, path: string): Response {
  return backTo(ctx, http, { owner, chosen }, `${path}?saved=1`);
}

/** Redirects to the page, which shows the current state. */
export function backTo(
  ctx: Context,
  http: Http,
  { owner, chosen }: Pick<OpenedAccount, "owner" | "chosen">,
  at: string,
): Response {
  return redirectAnswer(http, accountUrl(ctx, owner.session.id, chosen, at));
}
