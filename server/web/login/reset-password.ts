/** The pages for a forgotten password. Opening the mailed link consumes nothing; its form does. */

import type { NewPasswordError } from "../../../components/login/new-password";
import type { Context } from "../../context";
import type { MailedCodeProblem, Proof } from "../../directory/mailed-code/open";
import { findPolicy } from "../../directory/policy/policies";
import { findSender } from "../../directory/provider/sender";
import type { SignInUser } from "../../directory/user/user";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { addFirstPasskey, mayBeginWithPasskey } from "../../login/factors/first-passkey";
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { forgotPassword } from "../../login/forgot-password";
import { resolveNameInFlow } from "../../login/identify";
import { toFieldProblem } from "../../login/registration/create-account";
import { resetPassword, whoseResetLink } from "../../login/reset-password";
import { MAX_PERSON_NAME_LENGTH, problemsOfNames, type TypedNames } from "../../login/typed-names";
import type { SignInFlow } from "../../oidc/flow";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { carriedRefusal, refusedAnswer, shownAgain } from "../refusal";
import { doneUrl, flowAnswer, linkDead, linkUrl, loginLink, loginUrl, withFlow } from "./answers";
import { forgotPasswordPage, resetPasswordPage } from "./credential-pages";
import { type LoginRequest, onDirectLogin } from "./login-request";
import { onDirectPage, pageContext, showPage, showTooMany } from "./page-context";
import { passwordLimits } from "./password-limits";
import { resendNote } from "./resend-note";
import { signedInWith } from "./set-up-factor";

const FORGOT_PATH = "/login/forgot-password";
const RESET_PATH = "/login/reset-password";

interface ResetErrors extends Partial<Record<keyof TypedNames, NewPasswordError>> {
  code?: MailedCodeProblem;
  password?: NewPasswordError;
}

interface RefusedReset {
  errors: ResetErrors;
  /** The code as typed. */
  code: string;
  /** The names as typed. */
  names?: TypedNames;
}

export const forgotPasswordPageRoute = onDirectPage("account", async (ctx, http, login, page) => {
  const { flow } = login;
  // Redirects to the sign-in page if passwords cannot be reset, so that users can continue.
  const { hidePasswordReset } = await findPolicy(ctx, "login", page.policyOwnerId);
  if (hidePasswordReset) return redirectAnswer(http, screenUrl(ctx, "login", login.sealed, login.chosenLocale));
  const answer = forgotPasswordPage(
    {
      flow: login.sealed,
      action: "/login/forgot-password/submit",
      loginName: flow.loginName ?? flow.request?.loginHint,
      error: carriedRefusal<{ error: "missing" }>(ctx, http, login.form)?.error,
      signInHref: flow.request || flow.page ? loginLink(ctx, "/login", login) : undefined,
      ...page.names,
    },
    page.frame,
  );
  return pageAnswer(http, answer);
});

export const forgotPasswordSubmitRoute = onDirectLogin("account", async (ctx, http, login) => {
  const outcome = await forgotPassword(ctx, login.flow, {
    loginName: login.form.get("loginName") ?? "",
    ...attemptOf(ctx, http),
  });
  switch (outcome.kind) {
    case "missing":
      return refusedAnswer(ctx, http, loginUrl(ctx, FORGOT_PATH, login.sealed, login), { error: "missing" });
    case "too-many":
      return showTooMany(ctx, http, login);
    case "sent":
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      return redirectAnswer(http, loginUrl(ctx, RESET_PATH, outcome.flow, login));
  }
});

export const resetPasswordPageRoute = onDirectLogin("account", async (ctx, http, login) => {
  const { flow, form } = login;
  const { errors, code, names: typed } = carriedRefusal<RefusedReset>(ctx, http, form) ?? {};
  const token = form.get("token");
  const link = token === undefined ? undefined : await whoseResetLink(ctx, token, userAgentOf(ctx, http));
  if (link && "usedAt" in link) return linkDead(ctx, http, login, FORGOT_PATH, link.usedAt);
  if (!link && !flow.mailed) return redirectAnswer(http, loginUrl(ctx, FORGOT_PATH, login.sealed, login));
  return showPage(ctx, http, ofLink(login, link), async ({ organizationId, names, frame }) => {
    const owner = link ? link.organizationId : await passwordPolicyOwner(ctx, flow);
    const limits = await passwordLimits(ctx, owner);
    const mail = !link &&
      flow.mailed?.code === undefined && {
        resendAction: "/login/forgot-password/submit",
        sender: await findSender(ctx, organizationId),
        note: flow.mailed && !errors ? resendNote(ctx, flow.mailed) : undefined,
      };
    const passkey =
      link && (await mayBeginWithPasskey(ctx, link)) ? await requestNewPasskey(ctx, link.user) : undefined;
    return resetPasswordPage(
      {
        action: "/login/reset-password/submit",
        passkey: passkey && {
          action: "/login/reset-password/passkey",
          fields: { token, enrolment: passkey.sealed, names: "asked", givenName: "", familyName: "" },
          options: passkey.options,
        },
        ...(link ? { token } : { flow: login.sealed }),
        loginName: link?.loginName ?? flow.mailed?.to ?? "",
        expiresAt: link?.expiresAt,
        isFirst: link?.isFirst,
        names: link?.isFirst ? (typed ?? namesOf(link.user)) : undefined,
        maximumNameLength: MAX_PERSON_NAME_LENGTH,
        inviterName: link?.isFirst ? link.row.payload.invitation?.inviterName : undefined,
        needsCode: Boolean(mail),
        mail: mail || undefined,
        code,
        errors,
        ...limits,
        ...names,
      },
      frame,
    );
  });
});

/** Returns the step with the flow of the link, if the link still works. */
function ofLink(login: LoginRequest, link: Awaited<ReturnType<typeof whoseResetLink>> | undefined): LoginRequest {
  return link && "flow" in link ? { ...login, flow: link.flow, person: link } : login;
}

/**
 * Returns the organization whose password policy applies to the recipient of a code; it does not reveal whether the
 * user exists.
 */
async function passwordPolicyOwner(ctx: Context, flow: SignInFlow): Promise<string | undefined> {
  return (await resolveNameInFlow(ctx, flow.mailed?.to ?? "", flow)).organizationId;
}

/** Redirects to the form's page; a typed code need not be typed again. */
function refusedReset(ctx: Context, http: Http, login: LoginRequest, errors: ResetErrors): Response {
  const { form, sealed } = login;
  const { code } = shownAgain({ code: form.get("code") ?? "" });
  const typed = typedNames(form);
  const names = typed && shownAgain({ ...typed });
  const page = form.has("token") ? linkUrl(ctx, RESET_PATH, login) : loginUrl(ctx, RESET_PATH, sealed, login);
  return refusedAnswer(ctx, http, page, { errors, code, names } satisfies RefusedReset);
}

function namesOf({ firstName, lastName }: SignInUser): TypedNames {
  return { givenName: firstName ?? "", familyName: lastName ?? "" };
}

/**
 * Returns the names in the form; undefined if it did not ask for them, as it says: empty fields are like absent ones.
 */
function typedNames(form: LoginRequest["form"]): TypedNames | undefined {
  const { givenName = "", familyName = "" } = { givenName: form.get("givenName"), familyName: form.get("familyName") };
  return form.has("names") || givenName || familyName ? { givenName, familyName } : undefined;
}

export const resetPasswordSubmitRoute = onDirectLogin("account", async (ctx, http, login) => {
  const proof = proofOf(login);
  if (!proof) return redirectAnswer(http, loginUrl(ctx, FORGOT_PATH, login.sealed, login));
  // A link that no longer works is reported below, with the time of its use.
  const link = "token" in proof ? await whoseResetLink(ctx, proof.token, userAgentOf(ctx, http)) : undefined;
  const page = await pageContext(ctx, http, ofLink(login, link));
  if (page instanceof Response) return page;
  const password = login.form.get("password") ?? "";
  const names = link && "isFirst" in link && link.isFirst ? typedNames(login.form) : undefined;
  const wrongNames = names ? problemsOfNames(names) : {};
  if (password === "") return refusedReset(ctx, http, login, { ...wrongNames, password: "missing" });
  const outcome = await resetPassword(ctx, {
    proof,
    organizationId: await passwordPolicyOwner(ctx, login.flow),
    password,
    names,
    ...attemptOf(ctx, http),
  });
  switch (outcome.kind) {
    case "password-refused":
      return refusedReset(ctx, http, login, { ...wrongNames, password: toFieldProblem(outcome.problem) });
    case "names-refused":
      return refusedReset(ctx, http, login, outcome.problems);
    case "code-refused":
      return refusedReset(ctx, http, login, { code: outcome.reason });
    case "dead":
      return linkDead(ctx, http, login, FORGOT_PATH, outcome.usedAt);
    case "done":
      return redirectAnswer(http, doneUrl(ctx, "password-reset", outcome.flow, login));
    case "signed-in":
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      return flowAnswer(ctx, http, login, outcome.outcome);
  }
});

/** Stores a passkey instead of the first password. */
export const firstPasskeyRoute = onDirectLogin("account", async (ctx, http, login) => {
  const { form } = login;
  const names = typedNames(form);
  const problems = names ? problemsOfNames(names) : {};
  // Before the passkey is looked at: the script asks the browser for one only if the names are there.
  if (Object.keys(problems).length > 0) return refusedReset(ctx, http, login, problems);
  const made = { sealed: form.get("enrolment") ?? "", credential: form.get("credential") ?? "", names };
  const outcome = await addFirstPasskey(ctx, form.get("token") ?? "", made, attemptOf(ctx, http));
  switch (outcome.kind) {
    case "dead":
      return linkDead(ctx, http, login, FORGOT_PATH, outcome.usedAt);
    case "refused":
      return refusedAnswer(ctx, http, linkUrl(ctx, RESET_PATH, login), { errors: {}, code: "" } satisfies RefusedReset);
    case "added": {
      const { user, flow } = outcome.link;
      const next = withFlow(ctx, login, { ...flow, startedAt: ctx.clock() });
      return signedInWith(ctx, http, next, { user, pending: { amr: [] } }, outcome.amr, outcome.recoveryCodes);
    }
  }
});

function proofOf({ flow, form }: LoginRequest): Proof | undefined {
  const token = form.get("token");
  if (token !== undefined) return { token };
  return flow.mailed && { mailed: flow.mailed, code: flow.mailed.code ?? form.get("code") ?? "" };
}
