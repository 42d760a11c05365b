/**
 * A person's own page at the edge. Several people may be signed in on a browser, so the address names the session; what
 * names none, or one that is not this browser's, leads to signing in or choosing first.
 */
import type { Context } from "../context";
import {
  type AccountChange,
  type AccountOwner,
  accountOwner,
  changeAccount,
  readAccount,
  strengthenSession,
} from "../login/account";
import { continueFlow } from "../login/continue-flow";
import { keepNewPasskey } from "../login/passkey";
import { requestNewPasskey } from "../login/passkey-request";
import { beginApp, confirmApp, LONGEST_FACTOR_NAME, type OpenEnrolment } from "../login/set-up-factor";
import type { SignInFlow } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import { accountPage } from "./account-page";
import { pageAnswer, redirectAnswer } from "./authorization";
import { setUserAgentCookie } from "./cookies";
import type { Http } from "./env";
import { pageFrame } from "./frame";
import { accountUrl, flowAnswer } from "./login-step";
import { errorPage, languageForm } from "./public-pages";
import type { PageFrame } from "./render";
import { formParameters, isSameOriginPost, queryParameters, userAgentOf } from "./request";
import type { Routes } from "./routes";
import { authenticatorAppPage, newPasskeyPage, recoveryCodesPage } from "./second-factor-pages";

interface Opened {
  owner: AccountOwner;
  form: Parameters;
  chosen: string | undefined;
  frame: PageFrame;
  /** What links and forms carry. */
  fields: Record<string, string>;
}

/** @param fresh whether the person must have authenticated minutes ago */
async function open(ctx: Context, http: Http, fresh: boolean): Promise<Opened | Response> {
  const post = http.req.method === "POST";
  const form = post ? await formParameters(http) : queryParameters(http);
  const chosen = isError(form) ? undefined : form.get("ui_locales");
  if (isError(form) || (post && !isSameOriginPost(ctx, http))) {
    const kind = isError(form) ? "invalid-request" : "cross-site";
    return pageAnswer(http, errorPage({ kind, occurredAt: ctx.clock() }, await pageFrame(ctx, http, { chosen })));
  }
  const owner = await accountOwner(ctx, form.get("session"), userAgentOf(ctx, http));
  if (!owner || (fresh && !owner.isFresh)) return signInFirst(ctx, http, form, owner);
  const { session, user } = owner;
  const address = new URL(http.req.url);
  const frame = await pageFrame(
    ctx,
    http,
    {
      chosen,
      requested: user.preferredLanguage ? [user.preferredLanguage] : undefined,
      organizationId: user.organizationId,
    },
    { languages: post ? undefined : languageForm(address.pathname + address.search) },
  );
  const fields = { session: session.id, ...(chosen !== undefined && { ui_locales: chosen }) };
  return { owner, form, chosen, frame, fields };
}

/** Signing in, or again for whoever is signed in for long; then back to the page. */
async function signInFirst(ctx: Context, http: Http, form: Parameters, owner?: AccountOwner): Promise<Response> {
  const flow: SignInFlow = {
    kind: "sign-in",
    startedAt: ctx.clock(),
    page: "account",
    ...(owner && { fresh: true, loginName: owner.session.loginName }),
  };
  const step = { flow, sealed: "", chosenLocale: form.get("ui_locales"), form };
  return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgentOf(ctx, http), flow));
}

async function accountPageRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await open(ctx, http, false);
  if (opened instanceof Response) return opened;
  const { owner, form, frame, fields } = opened;
  const { user, session } = owner;
  const account = await readAccount(ctx, owner);
  const within = (path: string) => `${path}?${new URLSearchParams(fields)}`;
  const factor = ({
    id,
    name,
    createdAt,
    usedAt,
  }: {
    id: string;
    name: string | null;
    createdAt: number;
    usedAt: number | null;
  }) => ({
    id,
    name: name ?? "",
    createdAt,
    usedAt: usedAt ?? undefined,
  });
  const page = accountPage(
    {
      action: "/account/submit",
      fields,
      displayName: session.displayName,
      loginName: session.loginName,
      organizationName: session.organizationName,
      saved: form.has("saved"),
      passwordChangedAt: user.passwordHash === null ? undefined : (user.passwordChangedAt ?? undefined),
      changePasswordHref: "/login/change-password",
      apps: account.apps.map(factor),
      addAppHref: within("/account/app"),
      mailedCodes: account.mailedCodes && factor(account.mailedCodes),
      email: user.isEmailVerified ? (user.email ?? undefined) : undefined,
      passkeys: account.passkeys.map((row) => ({ ...factor(row), synced: Boolean(row.isMultiDevice) })),
      addPasskeyHref: within("/account/passkey"),
      maximumNameLength: LONGEST_FACTOR_NAME,
      recoveryCodesLeft: account.recoveryCodesLeft,
      sessions: account.sessions.map(({ id, userAgentName, clientAddress, lastSeenAt }) => ({
        id,
        userAgent: userAgentName ?? "",
        address: clientAddress ?? undefined,
        lastSeenAt,
        current: id === session.id,
      })),
      signOutHref: "/logout",
    },
    frame,
  );
  return pageAnswer(http, page);
}

async function accountSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await open(ctx, http, true);
  if (opened instanceof Response) return opened;
  const { owner, form } = opened;
  const change = changeOf(form);
  if (!change) return saved(ctx, http, opened); // from the recovery codes
  const outcome = await changeAccount(ctx, owner, change, http.get("requestId"));
  if (outcome.kind === "stale") return signInFirst(ctx, http, form, owner);
  return saved(ctx, http, opened, outcome.recoveryCodes);
}

function changeOf(form: Parameters): AccountChange | undefined {
  const id = form.get("id") ?? "";
  const what = form.get("what");
  switch (what) {
    case "enable-mail":
    case "new-codes":
    case "end-others":
      return { what };
    case "remove-factor":
    case "remove-passkey":
    case "end-session":
      return { what, id };
    case "rename-passkey":
      return { what, id, name: form.get(`name-${form.get("at")}`) ?? "" };
    default:
      return undefined;
  }
}

/** Recovery codes are shown now or never; else back to the page. */
function saved(
  ctx: Context,
  http: Http,
  { owner, chosen, frame, fields }: Opened,
  codes?: readonly string[],
): Response {
  if (!codes) return redirectAnswer(http, `${accountUrl(ctx, owner.session.id, chosen)}&saved=1`);
  const { organizationName } = owner.user;
  return pageAnswer(http, recoveryCodesPage({ codes, action: "/account/submit", fields, organizationName }, frame));
}

/** A new factor was proven: the session stands on it from now on, under a new token. */
async function added(
  ctx: Context,
  http: Http,
  opened: Opened,
  proven: readonly string[],
  codes: readonly string[] | undefined,
): Promise<Response> {
  const by = { userAgent: userAgentOf(ctx, http), requestId: http.get("requestId") };
  setUserAgentCookie(ctx, http, await strengthenSession(ctx, opened.owner, proven, by));
  return saved(ctx, http, opened, codes);
}

async function appPageRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await open(ctx, http, true);
  return opened instanceof Response ? opened : showApp(http, opened, beginApp(ctx, opened.owner.user));
}

function showApp(
  http: Http,
  { owner, frame, fields }: Opened,
  { sealed, secret, uri }: OpenEnrolment,
  state: { error?: "missing" | "wrong" | "too-many"; name?: string } = {},
): Response {
  const about = { secret, uri, maximumNameLength: LONGEST_FACTOR_NAME, organizationName: owner.user.organizationName };
  const form = { action: "/account/app/submit", fields: { ...fields, enrolment: sealed } };
  return pageAnswer(http, authenticatorAppPage({ ...about, ...form, ...state }, frame));
}

async function appSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await open(ctx, http, true);
  if (opened instanceof Response) return opened;
  const { owner, form } = opened;
  const name = form.get("name") ?? "";
  const typed = { sealed: form.get("enrolment") ?? "", code: form.get("code") ?? "", name };
  const outcome = await confirmApp(ctx, owner.user, { ...typed, requestId: http.get("requestId") });
  switch (outcome.kind) {
    case "expired":
      return showApp(http, opened, beginApp(ctx, owner.user), { error: "wrong", name });
    case "too-many":
      return showApp(http, opened, beginApp(ctx, owner.user), { error: "too-many", name });
    case "refused":
      return showApp(http, opened, outcome.enrolment, { error: outcome.reason, name });
    case "repeated":
      return saved(ctx, http, opened);
    case "added":
      return added(ctx, http, opened, ["otp"], outcome.recoveryCodes);
  }
}

async function passkeyPageRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await open(ctx, http, true);
  return opened instanceof Response ? opened : showNewPasskey(ctx, http, opened, false);
}

async function showNewPasskey(
  ctx: Context,
  http: Http,
  { owner, frame, fields }: Opened,
  refused: boolean,
): Promise<Response> {
  const { options, sealed } = await requestNewPasskey(ctx, owner.user);
  const form = { action: "/account/passkey/submit", fields: { ...fields, enrolment: sealed }, options };
  const { organizationName } = owner.user;
  return pageAnswer(http, newPasskeyPage({ ...form, refused, organizationName }, frame));
}

async function passkeySubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await open(ctx, http, true);
  if (opened instanceof Response) return opened;
  const { owner, form } = opened;
  const made = { sealed: form.get("enrolment") ?? "", credential: form.get("credential") ?? "" };
  const outcome = await keepNewPasskey(ctx, owner.user, { ...made, requestId: http.get("requestId") });
  return outcome.kind === "added"
    ? added(ctx, http, opened, outcome.amr, outcome.recoveryCodes)
    : showNewPasskey(ctx, http, opened, true);
}

export const accountRoutes: Routes = {
  "/account": { GET: accountPageRoute },
  "/account/submit": { POST: accountSubmitRoute },
  "/account/app": { GET: appPageRoute },
  "/account/app/submit": { POST: appSubmitRoute },
  "/account/passkey": { GET: passkeyPageRoute },
  "/account/passkey/submit": { POST: passkeySubmitRoute },
};
