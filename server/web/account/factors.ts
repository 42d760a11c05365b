/** Adds a second factor on the account pages: an authenticator app or a passkey. */
import { accountHref } from "../../../components/login/account-frame";
import type { Context } from "../../context";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, causeOfRequest } from "../../http/request";
import { strengthenSession } from "../../login/account/owner";
import { keepNewPasskey } from "../../login/factors/passkey";
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { confirmApp, MAX_FACTOR_NAME_LENGTH, type OpenEnrolment, resumeApp } from "../../login/factors/set-up-factor";
import { pageAnswer } from "../authorization";
import { authenticatorAppPage, newPasskeyPage } from "../login/second-factor-pages";
import type { RefusedApp } from "../login/set-up-factor";
import { carriedRefusal, shownAgain } from "../refusal";
import { showChanged } from "./confirm";
import { backAfterSaving, backTo, freshForm, freshPage, type OpenedAccount, refusedForm } from "./open";

const APP_PATH = "/account/app";
const PASSKEY_PATH = "/account/passkey";
const SECURITY_PATH = "/account/security";

/** Records the new factor as proven in the session, which gets a new token. */
async function added(
  ctx: Context,
  http: Http,
  opened: OpenedAccount,
  proven: readonly string[],
  codes: readonly string[] | undefined,
): Promise<Response> {
  const by = attemptOf(ctx, http);
  setUserAgentCookie(ctx, http, await strengthenSession(ctx, opened.owner, proven, by));
  return showChanged(ctx, http, opened, SECURITY_PATH, codes);
}

export const appPageRoute = freshPage(async (ctx, http, opened) => {
  const { owner, form } = opened;
  const { enrolment, ...state } = carriedRefusal<RefusedApp>(ctx, http, form, owner.session.id) ?? {};
  return showApp(http, opened, await resumeApp(ctx, owner.user, enrolment), state);
});

function showApp(
  http: Http,
  { owner, frame, fields }: OpenedAccount,
  { sealed, secret, uri }: OpenEnrolment,
  state: { error?: "missing" | "wrong" | "too-many"; name?: string } = {},
): Response {
  const about = {
    secret,
    uri,
    cancelHref: accountHref(SECURITY_PATH, fields),
    maximumNameLength: MAX_FACTOR_NAME_LENGTH,
    organizationName: owner.user.organizationName,
  };
  const form = { action: "/account/app/submit", fields: { ...fields, enrolment: sealed } };
  return pageAnswer(http, authenticatorAppPage({ ...about, ...form, ...state }, frame));
}

export const appSubmitRoute = freshForm(APP_PATH, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const name = form.get("name") ?? "";
  const typed = { sealed: form.get("enrolment") ?? "", code: form.get("code") ?? "", name };
  const outcome = await confirmApp(ctx, owner.user, { ...typed, cause: causeOfRequest(ctx, http) });
  switch (outcome.kind) {
    case "expired":
      return refusedApp(ctx, http, opened, { error: "wrong", name });
    case "too-many":
      return refusedApp(ctx, http, opened, { error: "too-many", name });
    case "refused":
      return refusedApp(ctx, http, opened, { error: outcome.reason, name, enrolment: outcome.enrolment.sealed });
    case "not-permitted":
      return backTo(ctx, http, opened, SECURITY_PATH);
    case "repeated":
      return backAfterSaving(ctx, http, opened, SECURITY_PATH);
    case "added":
      return added(ctx, http, opened, ["otp"], outcome.recoveryCodes);
  }
});

function refusedApp(ctx: Context, http: Http, opened: OpenedAccount, { name = "", ...told }: RefusedApp): Response {
  return refusedForm(ctx, http, opened, APP_PATH, { ...told, ...shownAgain({ name }) } satisfies RefusedApp);
}

export const newPasskeyPageRoute = freshPage(showNewPasskey);

async function showNewPasskey(
  ctx: Context,
  http: Http,
  { owner, frame, fields, form: given }: OpenedAccount,
): Promise<Response> {
  const refused = carriedRefusal(ctx, http, given, owner.session.id) !== undefined;
  const { options, sealed } = await requestNewPasskey(ctx, owner.user);
  const form = { action: "/account/passkey/submit", fields: { ...fields, enrolment: sealed }, options };
  const { organizationName } = owner.user;
  const cancelHref = accountHref(SECURITY_PATH, fields);
  return pageAnswer(http, newPasskeyPage({ ...form, refused, organizationName, cancelHref }, frame));
}

export const newPasskeySubmitRoute = freshForm(PASSKEY_PATH, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const made = { sealed: form.get("enrolment") ?? "", credential: form.get("credential") ?? "" };
  const outcome = await keepNewPasskey(ctx, owner.user, { ...made, cause: causeOfRequest(ctx, http) });
  return outcome.kind === "added"
    ? added(ctx, http, opened, outcome.amr, outcome.recoveryCodes)
    : refusedForm(ctx, http, opened, PASSKEY_PATH, {});
});
