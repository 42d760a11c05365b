/**
 * The page for changing the password. Opened directly, it sends the browser to sign in first; it is also a step of a
 * sign-in whose password must be changed.
 */
import type { ChangePasswordProps } from "../../../components/login/change-password-page";
import type { Context } from "../../context";
import { findPolicy } from "../../directory/policy/policies";
import { LONGEST_PASSWORD } from "../../directory/user/password-policy";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { type ChangePasswordProblems, changePassword, sessionOfFlow } from "../../login/change-password";
import { continueFlow, startAgainUrl } from "../../login/continue-flow";
import { toFieldProblem } from "../../login/create-account";
import { currentPasswordNow } from "../../login/current-password";
import type { SessionRow } from "../../storage/sessions";
import { pageAnswer, redirectAnswer } from "../authorization";
import { refusalOf, refusedAnswer } from "../pages/refusal";
import { changePasswordPage, donePage } from "./credential-pages";
import { accountEntry, accountUrl, doneUrl, flowAnswer, openStep, type Step, settingOf, stepUrl } from "./step";

const PATH = "/login/change-password";

/** `/.well-known/change-password`, W3C "A Well-Known URL for Changing Passwords". */
export function wellKnownChangePasswordRoute(ctx: Context, http: Http): Response {
  return http.redirect(`${ctx.config.baseUrl}${PATH}`, 302);
}

export async function changePasswordPageRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http, { page: "change-password" });
  if (step instanceof Response) return step;
  const userAgent = userAgentOf(ctx, http);
  const session = await sessionOfFlow(ctx, step.flow, userAgent);
  // Nobody is signed in or chosen yet: sign in or choose an account first, then return here.
  if (!session) return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgent, step.flow));
  const refused = refusalOf<RefusedChange>(ctx, http, step.form, session.id);
  return showPage(ctx, http, step, session, refused ? shown(ctx, refused) : { signOutElsewhere: true });
}

interface RefusedChange {
  signOutElsewhere: boolean;
  problems: ChangePasswordProblems;
}

async function showPage(
  ctx: Context,
  http: Http,
  step: Step,
  session: SessionRow,
  state: Pick<ChangePasswordProps, "signOutElsewhere" | "errors" | "retryAfterMinutes">,
): Promise<Response> {
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const { flow } = step;
  const { minLength } = await findPolicy(ctx, "password", session.organizationId);
  const page = changePasswordPage(
    {
      flow: step.sealed,
      action: "/login/change-password/submit",
      loginName: session.loginName,
      required: Boolean(session.passwordChangeRequired),
      minimumPasswordLength: minLength,
      maximumPasswordLength: LONGEST_PASSWORD,
      appName: setting.names.appName,
      organizationName: session.organizationName,
      cancelHref: flow.page && accountUrl(ctx, session.id, step.chosenLocale, "/account/security"),
      ...state,
    },
    setting.frame,
  );
  return pageAnswer(http, page);
}

export async function changePasswordSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http, { page: "change-password" });
  if (step instanceof Response) return step;
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
}

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
export async function donePageRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const { flow, chosenLocale } = step;
  if (flow.done === undefined) return redirectAnswer(http, accountEntry(ctx, chosenLocale));
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const continueHref = flow.request ? startAgainUrl(ctx, flow) : accountOf(ctx, step);
  const { organizationName } = setting.names;
  const props = { what: flow.done, continueHref, organizationName };
  return pageAnswer(http, donePage(props, setting.frame));
}
