/**
 * The pages for creating an account: the form, the wait for the code, the mailed link. They never reveal whether the
 * address already has an account.
 */
import type { Context } from "../../context";
import { distinctName } from "../../directory/organization/name";
import { findSender } from "../../directory/provider/sender";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { completeSignIn } from "../../login/complete-sign-in";
import { isCancellable } from "../../login/confirm-application";
import { type AccountProblems, createAccount } from "../../login/registration/create-account";
import { mayRegister } from "../../login/registration/may-register";
import {
  readVerificationLink,
  resendVerification,
  type VerifyEmailOutcome,
  verifyEmailByLink,
  verifyRegistrationEmail,
} from "../../login/registration/verify-email";
import { MAX_PERSON_NAME_LENGTH } from "../../login/typed-names";
import { forMemberOf } from "../../oidc/named-organization";
import { FEDERATED } from "../../protocol/authentication-context";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { carriedRefusal, refusedAnswer, shownAgain } from "../refusal";
import { doneUrl, flowAnswer, linkDead, linkUrl, loginLink, loginUrl } from "./answers";
import { confirmEmailPage, createAccountPage, verifyEmailPage } from "./credential-pages";
import { connectedBy } from "./identity-providers";
import { type LoginRequest, onDirectLogin, onLogin } from "./login-request";
import { clientGone, onDirectPage, type PageContext, showPage, showTooMany, tooMany } from "./page-context";
import { passwordLimits } from "./password-limits";
import { resendNote } from "./resend-note";

const PATH = "/login/create-account";
const VERIFY_PATH = "/login/verify-email";
const FIELDS = ["email", "givenName", "familyName", "password"] as const;

interface RefusedForm {
  values: Record<"email" | "givenName" | "familyName", string>;
  errors: AccountProblems;
}

/** The error of a code, or of the password on the link's page. */
interface RefusedCode {
  error: "missing" | "wrong" | "blocked";
}

export const createAccountPageRoute = onDirectPage("account", async (ctx, http, login, page) => {
  const { flow } = login;
  const connects = await connectedBy(ctx, http, login);
  if (!connects && !(await mayRegister(ctx, flow, page.organizationId))) return closed(ctx, http, login);
  const email = flow.mailed?.to ?? flow.request?.loginHint;
  const refused = carriedRefusal<RefusedForm>(ctx, http, login.form);
  if (refused) return showForm(ctx, http, login, page, refused.values, refused.errors);
  if (connects && flow.foreign) {
    const { email: known, givenName, familyName } = flow.foreign;
    return showForm(ctx, http, login, page, { email: known, givenName, familyName });
  }
  return showForm(ctx, http, login, page, { email: email?.includes("@") ? email : undefined });
});

/** Redirects to the sign-in page if registration is off, so that users can continue. */
function closed(ctx: Context, http: Http, login: LoginRequest): Response {
  return redirectAnswer(http, screenUrl(ctx, "login", login.sealed, login.chosenLocale));
}

async function showForm(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  page: PageContext,
  values: Partial<Record<(typeof FIELDS)[number], string>>,
  errors?: AccountProblems,
): Promise<Response> {
  const limits = await passwordLimits(ctx, page.organizationId);
  const answer = createAccountPage(
    {
      flow: login.sealed,
      action: "/login/create-account/submit",
      values,
      errors,
      ...limits,
      maximumLength: MAX_PERSON_NAME_LENGTH,
      signInHref: loginLink(ctx, "/login", login),
      isCancellable: isCancellable(login.flow),
      belongsTo: await foreignOwner(ctx, page),
      connects: await connectedBy(ctx, http, login),
      ...page.names,
    },
    page.frame,
  );
  return pageAnswer(http, answer);
}

/** Returns the organization that will own the account, if it is not the application's. */
async function foreignOwner(ctx: Context, { application, organizationId }: PageContext): Promise<string | undefined> {
  if (!application || organizationId === undefined || organizationId === application.organizationId) return undefined;
  return distinctName(ctx, organizationId);
}

export const createAccountSubmitRoute = onDirectPage("account", async (ctx, http, login, page) => {
  const typed = (name: (typeof FIELDS)[number]) => login.form.get(name) ?? "";
  const form = {
    email: typed("email"),
    givenName: typed("givenName"),
    familyName: typed("familyName"),
    password: typed("password"),
  };
  const outcome = await createAccount(ctx, login.flow, {
    form,
    language: page.frame.locale,
    ...attemptOf(ctx, http),
  });
  switch (outcome.kind) {
    case "client-gone":
      return clientGone(ctx, http, login);
    case "closed":
      return closed(ctx, http, login);
    case "too-many":
      return tooMany(ctx, http, page.frame);
    case "refused": {
      const { email, givenName, familyName } = form;
      const refused: RefusedForm = {
        values: shownAgain({ email, givenName, familyName }), // never the password
        errors: outcome.problems,
      };
      return refusedAnswer(ctx, http, loginUrl(ctx, PATH, login.sealed, login), refused);
    }
    case "prove":
      return redirectAnswer(http, screenUrl(ctx, "login", login.sealed, login.chosenLocale));
    case "created": {
      const { providerSession } = login.flow.foreign ?? {};
      const proven = { ...attemptOf(ctx, http), user: outcome.user, amr: [FEDERATED], providerSession };
      const theirs = await forMemberOf(ctx, outcome.user.organizationId, { ...login.flow, foreign: undefined });
      const signedIn = await completeSignIn(ctx, theirs, proven);
      setUserAgentCookie(ctx, http, signedIn.userAgentToken);
      return flowAnswer(ctx, http, login, signedIn.outcome);
    }
    case "mailed":
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      return redirectAnswer(http, loginUrl(ctx, VERIFY_PATH, outcome.flow, login));
  }
});

/** Handles two pages at one address: that of the mailed link, and the one that asks for the code. */
export const verifyEmailPageRoute = onDirectLogin("account", (ctx, http, login) => {
  const token = login.form.get("token");
  return token === undefined ? showCodePage(ctx, http, login) : showLinkPage(ctx, http, login, token);
});

async function showCodePage(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const { mailed } = login.flow;
  const error = carriedRefusal<RefusedCode>(ctx, http, login.form)?.error;
  if (!mailed) return redirectAnswer(http, loginUrl(ctx, PATH, login.sealed, login));
  return showPage(ctx, http, login, async ({ organizationId, names, frame }) =>
    verifyEmailPage(
      {
        flow: login.sealed,
        action: "/login/verify-email/submit",
        resendAction: "/login/verify-email/resend",
        email: mailed.to,
        sender: await findSender(ctx, organizationId),
        note: error === undefined ? resendNote(ctx, mailed) : undefined,
        changeHref: loginUrl(ctx, PATH, login.sealed, login),
        error,
        ...names,
      },
      frame,
    ),
  );
}

async function showLinkPage(ctx: Context, http: Http, login: LoginRequest, token: string): Promise<Response> {
  const link = await readVerificationLink(ctx, token, userAgentOf(ctx, http));
  if ("usedAt" in link) return linkDead(ctx, http, login, PATH, link.usedAt);
  const error = carriedRefusal<RefusedCode>(ctx, http, login.form)?.error;
  const { email, needsPassword } = link;
  return showPage(ctx, http, { ...login, flow: link.flow }, ({ names, frame }) =>
    confirmEmailPage({ token, action: "/login/verify-email/submit", email, needsPassword, error, ...names }, frame),
  );
}

export const verifyEmailSubmitRoute = onDirectLogin("account", async (ctx, http, login) => {
  const token = login.form.get("token");
  const attempt = attemptOf(ctx, http);
  const outcome =
    token === undefined
      ? await verifyRegistrationEmail(ctx, login.flow, login.form.get("code") ?? "", attempt, login.mailed)
      : await verifyEmailByLink(ctx, token, login.form.get("password") ?? "", attempt);
  return verifyEmailAnswer(ctx, http, login, outcome);
});

async function verifyEmailAnswer(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  outcome: VerifyEmailOutcome,
): Promise<Response> {
  switch (outcome.kind) {
    case "code-refused":
      return refusedAnswer(ctx, http, loginUrl(ctx, VERIFY_PATH, login.sealed, login), { error: outcome.reason });
    case "password-refused":
      return refusedAnswer(ctx, http, linkUrl(ctx, VERIFY_PATH, login), { error: outcome.reason });
    case "dead":
      return linkDead(ctx, http, login, PATH, outcome.usedAt);
    case "reset-password":
      return redirectAnswer(http, loginUrl(ctx, "/login/reset-password", outcome.flow, login));
    case "sign-in":
      return redirectAnswer(http, screenUrl(ctx, "login", outcome.flow, login.chosenLocale));
    case "confirmed":
      return redirectAnswer(http, doneUrl(ctx, "email-confirmed", outcome.flow, login));
    case "signed-in": {
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      if (outcome.outcome.kind !== "over") return flowAnswer(ctx, http, login, outcome.outcome);
      return redirectAnswer(http, doneUrl(ctx, "account-ready", login.flow, login));
    }
  }
}

export const verifyEmailResendRoute = onLogin(async (ctx, http, login) => {
  const attempt = attemptOf(ctx, http);
  const outcome = await resendVerification(ctx, login.flow, attempt);
  if (outcome.kind === "sent") return redirectAnswer(http, loginUrl(ctx, VERIFY_PATH, outcome.flow, login));
  return showTooMany(ctx, http, login);
});
