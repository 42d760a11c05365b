/**
 * What every page and form of a person's own account begins with: whose it is. Several people may be signed in on a
 * browser, so the address names the session; what names none, or one that is not this browser's, leads to signing in or
 * choosing first, and then to the page that was wanted.
 */
import type { Context } from "../../context";
import { type AccountOwner, accountOwner, type FreshOwner, isFreshOwner } from "../../login/account/owner";
import { continueFlow } from "../../login/continue-flow";
import type { SignInFlow } from "../../oidc/flow";
import { isError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { pageAnswer, redirectAnswer } from "../authorization";
import type { Http } from "../env";
import { accountUrl, flowAnswer } from "../login/step";
import { pageFrame } from "../pages/frame";
import { errorPage, languageForm } from "../pages/public-pages";
import { refusedAnswer } from "../pages/refusal";
import type { PageFrame } from "../pages/render";
import { formParameters, isSameOriginPost, queryParameters, userAgentOf } from "../request";

export interface Opened<Owner extends AccountOwner = AccountOwner> {
  owner: Owner;
  form: Parameters;
  chosen: string | undefined;
  frame: PageFrame;
  /** What links and forms carry. */
  fields: Record<string, string>;
  /** The page to come back to after signing in again, path and query. */
  at: string;
}

/** Where a form belongs, to come back to; a page comes back to itself. */
type Place = string | ((form: Parameters) => string);

/** The owner of the account and what he sent, or the answer that sends him to sign in first. */
export async function openAccount(ctx: Context, http: Http, at?: Place): Promise<Opened | Response> {
  const received = await readForm(ctx, http);
  if (received instanceof Response) return received;
  const { form, chosen } = received;
  const place = typeof at === "function" ? at(form) : (at ?? ownAddress(http));
  const owner = await accountOwner(ctx, form.get("session"), userAgentOf(ctx, http));
  if (!owner) return signInFirst(ctx, http, { form, at: place });
  return { owner, form, chosen, at: place, ...(await surroundings(ctx, http, owner, chosen)) };
}

/** The same where the person must have authenticated minutes ago. */
export async function openFresh(ctx: Context, http: Http, at?: Place): Promise<Opened<FreshOwner> | Response> {
  const opened = await openAccount(ctx, http, at);
  if (opened instanceof Response) return opened;
  const { owner } = opened;
  return isFreshOwner(owner) ? { ...opened, owner } : signInFirst(ctx, http, opened, owner);
}

/** What was sent, by a page of ours. */
export async function readForm(
  ctx: Context,
  http: Http,
): Promise<{ form: Parameters; chosen: string | undefined } | Response> {
  const post = http.req.method === "POST";
  const form = post ? await formParameters(http) : queryParameters(http);
  const chosen = isError(form) ? undefined : form.get("ui_locales");
  if (!isError(form) && (!post || isSameOriginPost(ctx, http))) return { form, chosen };
  const kind = isError(form) ? "invalid-request" : "cross-site";
  return pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await pageFrame(ctx, http, { chosen })));
}

/** The words around a page of this person. */
export async function surroundings(
  ctx: Context,
  http: Http,
  { session, user }: AccountOwner,
  chosen: string | undefined,
): Promise<Pick<Opened, "frame" | "fields">> {
  const requested = user.preferredLanguage ? [user.preferredLanguage] : undefined;
  const address = new URL(http.req.url);
  const languages = http.req.method === "GET" ? languageForm(address.pathname + address.search) : undefined;
  const wishes = { chosen, requested, organizationId: user.organizationId };
  return {
    frame: await pageFrame(ctx, http, wishes, { languages }),
    fields: { session: session.id, ...(chosen !== undefined && { ui_locales: chosen }) },
  };
}

/** The page that was opened, without what is chosen anew after signing in. */
function ownAddress(http: Http): string {
  const { pathname, searchParams } = new URL(http.req.url);
  for (const name of ["session", "ui_locales", "saved", "refused"]) searchParams.delete(name);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

/**
 * Signing in, or again for whoever is signed in for long; then back to the page.
 * @param wanted.loginName of somebody else than whoever is signed in
 */
export async function signInFirst(
  ctx: Context,
  http: Http,
  { form, at, loginName }: { form: Parameters; at: string; loginName?: string },
  owner?: AccountOwner,
): Promise<Response> {
  const again = loginName ?? owner?.session.loginName;
  const flow: SignInFlow = {
    kind: "sign-in",
    startedAt: ctx.clock(),
    page: "account",
    at,
    ...(again !== undefined && { fresh: true, loginName: again }),
    // The address names a session, and the browser has no cookie at all: cookies may be off.
    ...(form.has("session") && userAgentOf(ctx, http).token === undefined && { error: "not-remembered" as const }),
  };
  const step = { flow, sealed: "", chosenLocale: form.get("ui_locales"), form };
  return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgentOf(ctx, http), flow));
}

/** After a form that was refused: the page again, for this person, which says what was wrong. */
export function refusedForm(
  ctx: Context,
  http: Http,
  { owner, chosen }: Pick<Opened, "owner" | "chosen">,
  path: string,
  told: object,
): Response {
  return refusedAnswer(ctx, http, accountUrl(ctx, owner.session.id, chosen, path), told, owner.session.id);
}

/** After a change: the page again, which says so. */
export function savedAnswer(ctx: Context, http: Http, { owner, chosen }: Opened, path: string): Response {
  return backTo(ctx, http, { owner, chosen }, `${path}?saved=1`);
}

/** The page again, which shows how things stand now. */
export function backTo(
  ctx: Context,
  http: Http,
  { owner, chosen }: Pick<Opened, "owner" | "chosen">,
  at: string,
): Response {
  return redirectAnswer(http, accountUrl(ctx, owner.session.id, chosen, at));
}
