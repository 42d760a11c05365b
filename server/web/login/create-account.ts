/**
 * The pages for creating an account: the form, the wait for the code, the mailed link. What they show never depends on
 * whether the address already has an account.
 */
import type { Context } from "../../context";
import { findSender } from "../../directory/email-provider/provider";
import { findPolicy } from "../../directory/policy/policies";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { type AccountProblems, createAccount, MAX_PERSON_NAME_LENGTH } from "../../login/registration/create-account";
import { mayRegister } from "../../login/registration/may-register";
import {
  readVerificationLink,
  resendVerification,
  type VerifyEmailOutcome,
  verifyEmailByCode,
  verifyEmailByLink,
} from "../../login/registration/verify-email";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { refusalOf, refusedAnswer, shownAgain } from "../refusal";
import { confirmEmailPage, createAccountPage, verifyEmailPage } from "./credential-pages";
import { directPage, onDirectStep, onStep, showPage, showTooMany } from "./page";
import { resendNote } from "./resend-note";
import {
  clientGone,
  doneUrl,
  flowAnswer,
  linkDead,
  linkUrl,
  type Setting,
  type Step,
  stepLink,
  stepUrl,
  tooMany,
} from "./step";

const PATH = "/login/create-account";
const VERIFY_PATH = "/login/verify-email";
const FIELDS = ["email", "givenName", "familyName", "password"] as const;

interface RefusedForm {
  values: Record<"email" | "givenName" | "familyName", string>;
  errors: AccountProblems;
}

/** What was wrong with a code, or with the password on the link's page. */
interface RefusedCode {
  error: "missing" | "wrong" | "blocked";
}

export const createAccountPageRoute = directPage("account", async (ctx, http, step, setting) => {
  const { flow } = step;
  if (!(await mayRegister(ctx, flow, setting.organizationId))) return closed(ctx, http, step);
  const email = flow.mailed?.to ?? flow.request?.loginHint;
  const refused = refusalOf<RefusedForm>(ctx, http, step.form);
  if (refused) return showForm(ctx, http, step, setting, refused.values, refused.errors);
  return showForm(ctx, http, step, setting, { email: email?.includes("@") ? email : undefined });
});

/** Where people cannot register, the sign-in page is next, so that there is no dead end. */
function closed(ctx: Context, http: Http, step: Step): Response {
  return redirectAnswer(http, screenUrl(ctx, "login", step.sealed, step.chosenLocale));
}

async function showForm(
  ctx: Context,
  http: Http,
  step: Step,
  setting: Setting,
  values: Partial<Record<(typeof FIELDS)[number], string>>,
  errors?: AccountProblems,
): Promise<Response> {
  const { minLength } = await findPolicy(ctx, "password", setting.organizationId);
  const page = createAccountPage(
    {
      flow: step.sealed,
      action: "/login/create-account/submit",
      values,
      errors,
      minimumPasswordLength: minLength,
      maximumPasswordLength: MAX_PASSWORD_LENGTH,
      maximumLength: MAX_PERSON_NAME_LENGTH,
      signInHref: stepLink(ctx, "/login", step),
      ...setting.names,
    },
    setting.frame,
  );
  return pageAnswer(http, page);
}

export const createAccountSubmitRoute = directPage("account", async (ctx, http, step, setting) => {
  const typed = (name: (typeof FIELDS)[number]) => step.form.get(name) ?? "";
  const form = {
    email: typed("email"),
    givenName: typed("givenName"),
    familyName: typed("familyName"),
    password: typed("password"),
  };
  const outcome = await createAccount(ctx, step.flow, {
    form,
    language: setting.frame.locale,
    ...attemptOf(ctx, http),
  });
  switch (outcome.kind) {
    case "client-gone":
      return clientGone(ctx, http, step);
    case "closed":
      return closed(ctx, http, step);
    case "too-many":
      return tooMany(ctx, http, setting.frame);
    case "refused": {
      const { email, givenName, familyName } = form;
      const told: RefusedForm = {
        values: shownAgain({ email, givenName, familyName }), // never the password
        errors: outcome.problems,
      };
      return refusedAnswer(ctx, http, stepUrl(ctx, PATH, step.sealed, step), told);
    }
    case "mailed":
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      return redirectAnswer(http, stepUrl(ctx, VERIFY_PATH, outcome.flow, step));
  }
});

/** Two pages at one address: the mailed link's, and the one that asks for the code. */
export const verifyEmailPageRoute = onDirectStep("account", (ctx, http, step) => {
  const token = step.form.get("token");
  return token === undefined ? showCodePage(ctx, http, step) : showLinkPage(ctx, http, step, token);
});

async function showCodePage(ctx: Context, http: Http, step: Step): Promise<Response> {
  const { mailed } = step.flow;
  const error = refusalOf<RefusedCode>(ctx, http, step.form)?.error;
  if (!mailed) return redirectAnswer(http, stepUrl(ctx, PATH, step.sealed, step));
  return showPage(ctx, http, step, async ({ organizationId, names, frame }) =>
    verifyEmailPage(
      {
        flow: step.sealed,
        action: "/login/verify-email/submit",
        resendAction: "/login/verify-email/resend",
        email: mailed.to,
        sender: await findSender(ctx, organizationId),
        note: error === undefined ? resendNote(ctx, mailed) : undefined,
        changeHref: stepUrl(ctx, PATH, step.sealed, step),
        error,
        ...names,
      },
      frame,
    ),
  );
}

async function showLinkPage(ctx: Context, http: Http, step: Step, token: string): Promise<Response> {
  const link = await readVerificationLink(ctx, token, userAgentOf(ctx, http));
  if ("usedAt" in link) return linkDead(ctx, http, step, PATH, link.usedAt);
  const error = refusalOf<RefusedCode>(ctx, http, step.form)?.error;
  const { email, needsPassword } = link;
  return showPage(ctx, http, { ...step, flow: link.flow }, ({ names, frame }) =>
    confirmEmailPage({ token, action: "/login/verify-email/submit", email, needsPassword, error, ...names }, frame),
  );
}

export const verifyEmailSubmitRoute = onDirectStep("account", async (ctx, http, step) => {
  const token = step.form.get("token");
  const attempt = attemptOf(ctx, http);
  const outcome =
    token === undefined
      ? await verifyEmailByCode(ctx, step.flow, step.form.get("code") ?? "", attempt)
      : await verifyEmailByLink(ctx, token, step.form.get("password") ?? "", attempt);
  return verifyEmailAnswer(ctx, http, step, outcome);
});

async function verifyEmailAnswer(ctx: Context, http: Http, step: Step, outcome: VerifyEmailOutcome): Promise<Response> {
  switch (outcome.kind) {
    case "code-refused":
      return refusedAnswer(ctx, http, stepUrl(ctx, VERIFY_PATH, step.sealed, step), { error: outcome.reason });
    case "password-refused":
      return refusedAnswer(ctx, http, linkUrl(ctx, VERIFY_PATH, step), { error: outcome.reason });
    case "dead":
      return linkDead(ctx, http, step, PATH, outcome.usedAt);
    case "reset-password":
      return redirectAnswer(http, stepUrl(ctx, "/login/reset-password", outcome.flow, step));
    case "sign-in":
      return redirectAnswer(http, screenUrl(ctx, "login", outcome.flow, step.chosenLocale));
    case "confirmed":
      return redirectAnswer(http, doneUrl(ctx, "email-confirmed", outcome.flow, step));
    case "signed-in": {
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      if (outcome.outcome.kind !== "over") return flowAnswer(ctx, http, step, outcome.outcome);
      return redirectAnswer(http, doneUrl(ctx, "account-ready", step.flow, step));
    }
  }
}

export const verifyEmailResendRoute = onStep(async (ctx, http, step) => {
  const attempt = attemptOf(ctx, http);
  const outcome = await resendVerification(ctx, step.flow, attempt);
  if (outcome.kind === "sent") return redirectAnswer(http, stepUrl(ctx, VERIFY_PATH, outcome.flow, step));
  return showTooMany(ctx, http, step);
});
