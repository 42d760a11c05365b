/**
 * The page for changing the password. Opened directly, it redirects to the sign-in first; it is also a step of a
 * sign-in whose password must be changed.
 */
import type { ChangePasswordProps } from "../../../components/login/change-password-page";
import type { Context } from "../../context";
import { findPasswordHook, isCheckable } from "../../directory/password-hook/password-hook";
import { findPolicy } from "../../directory/policy/policies";
import { currentPasswordNow } from "../../directory/user/current-password";
import { findUser } from "../../directory/user/user";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { type ChangePasswordProblems, changePasswordInFlow } from "../../login/change-password";
import { continueFlow, knownOrganization, sessionOfFlow, startAgainUrl } from "../../login/continue-flow";
import { toFieldProblem } from "../../login/registration/create-account";
import { sealFlow } from "../../oidc/flow";
import { whyChangePassword } from "../../sessions/required-action";
import type { Session } from "../../sessions/session";
import { redirectAnswer } from "../authorization";
import { carriedRefusal, refusedAnswer } from "../refusal";
import { accountUrl, doneUrl, flowAnswer, loginUrl } from "./answers";
import { changePasswordPage, donePage } from "./credential-pages";
import { accountEntry, type LoginRequest, onDirectLogin, onLogin } from "./login-request";
import { showPage } from "./page-context";
import { passwordLimits } from "./password-limits";

const PATH = "/login/change-password";

/** Serves `/.well-known/change-password`, W3C "A Well-Known URL for Changing Passwords". */
export function wellKnownChangePasswordRoute(ctx: Context, http: Http): Response {
  return http.redirect(`${ctx.config.baseUrl}${PATH}`, 302);
}

export const changePasswordPageRoute = onDirectLogin("change-password", async (ctx, http, login) => {
  const userAgent = userAgentOf(ctx, http);
  const session = await sessionOfFlow(ctx, login.flow, userAgent);
  // Without a session or a selected account: sign in or choose an account first, then return here.
  if (!session) return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgent, login.flow));
  const user = await findUser(ctx, session.userId);
  if (user && !isCheckable(user.passwordHash, await findPasswordHook(ctx, user.organizationId))) {
    // There is no current password to type; the mailed code proves as much.
    const flow = sealFlow(ctx, { ...login.flow, loginName: user.loginName });
    return redirectAnswer(http, loginUrl(ctx, "/login/forgot-password", flow, login));
  }
  const refused = carriedRefusal<RefusedChange>(ctx, http, login.form, session.id);
  return showForm(ctx, http, login, session, refused ? shown(ctx, refused) : { signOutElsewhere: true });
});

interface RefusedChange {
  signOutElsewhere: boolean;
  problems: ChangePasswordProblems;
}

function showForm(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  session: Session,
  state: Pick<ChangePasswordProps, "signOutElsewhere" | "errors" | "retryAfterMinutes">,
): Promise<Response> {
  return showPage(ctx, http, { ...login, person: session }, async ({ names, frame }) => {
    const { flow } = login;
    const limits = await passwordLimits(ctx, session.organizationId);
    return changePasswordPage(
      {
        flow: login.sealed,
        action: "/login/change-password/submit",
        loginName: session.loginName,
        because: await whyChangePassword(ctx, session),
        ...limits,
        ...names,
        cancelHref: flow.page && accountUrl(ctx, session.id, login.chosenLocale, "/account/security"),
        ...state,
      },
      frame,
    );
  });
}

export const changePasswordSubmitRoute = onDirectLogin("change-password", async (ctx, http, login) => {
  const { flow, form } = login;
  const attempt = attemptOf(ctx, http);
  const { userAgent } = attempt;
  const signOutElsewhere = form.has("signOutElsewhere");
  const outcome = await changePasswordInFlow(ctx, flow, {
    currentPassword: form.get("currentPassword") ?? "",
    password: form.get("password") ?? "",
    signOutElsewhere,
    ...attempt,
  });
  switch (outcome.kind) {
    case "nobody":
      return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgent, flow));
    case "refused": {
      const session = await sessionOfFlow(ctx, flow, userAgent);
      if (!session) return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgent, flow));
      const refused: RefusedChange = { signOutElsewhere, problems: outcome.problems };
      return refusedAnswer(ctx, http, loginUrl(ctx, PATH, login.sealed, login), refused, session.id);
    }
    case "changed": {
      setUserAgentCookie(ctx, http, outcome.userAgentToken);
      const { authenticated } = outcome;
      if (authenticated.request === undefined) {
        return redirectAnswer(http, doneUrl(ctx, "password-changed", authenticated, login));
      }
      const signedIn = { ...userAgent, token: outcome.userAgentToken };
      return flowAnswer(ctx, http, login, await continueFlow(ctx, signedIn, authenticated));
    }
  }
});

/**
 * Returns where the user continues: the application that started the step; the account's security page after a
 * voluntary change; else the address of the login policy, or the account.
 */
async function continueHref(ctx: Context, http: Http, { flow, chosenLocale }: LoginRequest): Promise<string> {
  if (flow.request) return startAgainUrl(ctx, flow);
  const { authenticatedSessionId: id } = flow;
  if (id !== undefined) return accountUrl(ctx, id, chosenLocale, "/account/security");
  const known = await knownOrganization(ctx, flow, userAgentOf(ctx, http));
  const { defaultRedirectUri } = await findPolicy(ctx, "login", known ?? flow.organizationId);
  return defaultRedirectUri || accountEntry(ctx, chosenLocale);
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

/** Confirms the completed step and links back to the application that started it. */
export const donePageRoute = onLogin(async (ctx, http, login) => {
  const { flow, chosenLocale } = login;
  const { done } = flow;
  if (done === undefined) return redirectAnswer(http, accountEntry(ctx, chosenLocale));
  const href = await continueHref(ctx, http, login);
  return showPage(ctx, http, login, ({ names, frame }) =>
    donePage({ what: done, continueHref: href, organizationName: names.organizationName }, frame),
  );
});
