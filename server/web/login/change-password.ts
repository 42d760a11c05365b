/**
 * The page for changing the password. Opened directly, it sends the browser to sign in first; it is also a step of a
 * sign-in whose password must be changed.
 */
import type { ChangePasswordProps } from "../../../components/login/change-password-page";
import type { Context } from "../../context";
import { findPolicy } from "../../directory/policy/policies";
import { currentPasswordNow } from "../../directory/user/current-password";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { type ChangePasswordProblems, changePassword, sessionOfFlow } from "../../login/change-password";
import { continueFlow, startAgainUrl } from "../../login/continue-flow";
import { toFieldProblem } from "../../login/registration/create-account";
import type { Session } from "../../sessions/session";
import { redirectAnswer } from "../authorization";
import { refusalOf, refusedAnswer } from "../refusal";
import { changePasswordPage, donePage } from "./credential-pages";
import { onDirectStep, onStep, showPage } from "./page";
import { accountEntry, accountUrl, doneUrl, flowAnswer, type Step, stepUrl } from "./step";

const PATH = "/login/change-password";

/** `/.well-known/change-password`, W3C "A Well-Known URL for Changing Passwords". */
export function wellKnownChangePasswordRoute(ctx: Context, http: Http): Response {
  return http.redirect(`${ctx.config.baseUrl}${PATH}`, 302);
}

export const changePasswordPageRoute = onDirectStep("change-password", async (ctx, http, step) => {
  const userAgent = userAgentOf(ctx, http);
  const session = await sessionOfFlow(ctx, step.flow, userAgent);
  // Nobody is signed in or chosen yet: sign in or choose an account first, then return here.
  if (!session) return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgent, step.flow));
  const refused = refusalOf<RefusedChange>(ctx, http, step.form, session.id);
  return showForm(ctx, http, step, session, refused ? shown(ctx, refused) : { signOutElsewhere: true });
});

interface RefusedChange {
  signOutElsewhere: boolean;
  problems: ChangePasswordProblems;
}

function showForm(
  ctx: Context,
  http: Http,
  step: Step,
  session: Session,
  state: Pick<ChangePasswordProps, "signOutElsewhere" | "errors" | "retryAfterMinutes">,
): Promise<Response> {
  return showPage(ctx, http, step, async ({ names, frame }) => {
    const { flow } = step;
    const { minLength } = await findPolicy(ctx, "password", session.organizationId);
    return changePasswordPage(
      {
        flow: step.sealed,
        action: "/login/change-password/submit",
        loginName: session.loginName,
        required: Boolean(session.passwordChangeRequired),
        minimumPasswordLength: minLength,
        maximumPasswordLength: MAX_PASSWORD_LENGTH,
        appName: names.appName,
        organizationName: session.organizationName,
        cancelHref: flow.page && accountUrl(ctx, session.id, step.chosenLocale, "/account/security"),
        ...state,
      },
      frame,
    );
  });
}

export const changePasswordSubmitRoute = onDirectStep("change-password", async (ctx, http, step) => {
  const { flow, form } = step;
  const attempt = attemptOf(ctx, http);
  const { userAgent } = attempt;
  const signOutElsewhere = form.has("signOutElsewhere");
  const outcome = await changePassword(ctx, flow, {
    currentPassword: form.get("currentPassword") ?? "",
    password: form.get("password") ?? "",
    signOutElsewhere,
    ...attempt,
  });
  switch (outcome.kind) {
    case "nobody":
      return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgent, flow));
    case "refused": {
      const session = await sessionOfFlow(ctx, flow, userAgent);
      if (!session) return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgent, flow));
      const told: RefusedChange = { signOutElsewhere, problems: outcome.problems };
      return refusedAnswer(ctx, http, stepUrl(ctx, PATH, step.sealed, step), told, session.id);
    }
    case "changed": {
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      const { authenticated } = outcome;
      if (authenticated.request === undefined) {
        return redirectAnswer(http, doneUrl(ctx, "password-changed", authenticated, step));
      }
      const signedIn = { ...userAgent, token: outcome.userAgentToken };
      return flowAnswer(ctx, http, step, await continueFlow(ctx, signedIn, authenticated));
    }
  }
});

/** After a voluntary change the person continues to their account's security page. */
function accountOf(ctx: Context, { flow, chosenLocale }: Step): string {
  const { authenticatedSessionId: id } = flow;
  return id === undefined ? accountEntry(ctx, chosenLocale) : accountUrl(ctx, id, chosenLocale, "/account/security");
}

function shown(ctx: Context, { signOutElsewhere, problems }: RefusedChange) {
  const { password } = problems;
  const { currentPassword, retryAfterMinutes } = currentPasswordNow(ctx, problems);
  return {
    signOutElsewhere,
    errors: { currentPassword, password: typeof password === "object" ? toFieldProblem(password) : password },
    retryAfterMinutes,
  };
}

/** Confirms what was done and links back to the application that started it. */
export const donePageRoute = onStep(async (ctx, http, step) => {
  const { flow, chosenLocale } = step;
  const { done } = flow;
  if (done === undefined) return redirectAnswer(http, accountEntry(ctx, chosenLocale));
  return showPage(ctx, http, step, ({ names, frame }) => {
    const continueHref = flow.request ? startAgainUrl(ctx, flow) : accountOf(ctx, step);
    return donePage({ what: done, continueHref, organizationName: names.organizationName }, frame);
  });
});
