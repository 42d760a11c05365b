/**
 * The page for changing the password. Opened directly, it sends the browser to sign in first; it is also a step of a
 * sign-in whose password must be changed.
 */
import type { ChangePasswordProps } from "../../../components/login/change-password-page";
import type { Context } from "../../context";
import { findPolicy } from "../../directory/policy/policies";
import { LONGEST_PASSWORD } from "../../directory/user/password-policy";
import { type ChangePasswordProblems, changePassword, sessionOfFlow } from "../../login/change-password";
import { continueFlow, startAgainUrl } from "../../login/continue-flow";
import { toFieldProblem } from "../../login/create-account";
import { sealFlow } from "../../oidc/flow";
import type { SessionRow } from "../../storage/sessions";
import { pageAnswer, redirectAnswer } from "../authorization";
import { setUserAgentCookie } from "../cookies";
import type { Http } from "../env";
import { refusalOf, refusedAnswer } from "../pages/refusal";
import { userAgentOf } from "../request";
import { changePasswordPage, donePage } from "./credential-pages";
import {
  accountEntry,
  accountUrl,
  doneKindOf,
  doneUrl,
  flowAnswer,
  openStep,
  type Step,
  settingOf,
  stepUrl,
} from "./step";

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
  const userAgent = userAgentOf(ctx, http);
  const signOutElsewhere = form.has("signOutElsewhere");
  const outcome = await changePassword(ctx, flow, {
    currentPassword: form.get("currentPassword") ?? "",
    password: form.get("password") ?? "",
    signOutElsewhere,
    userAgent,
    requestId: http.get("requestId"),
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
        return redirectAnswer(http, doneUrl(ctx, "password-changed", sealFlow(ctx, authenticated), step));
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
  const { currentPassword, password, retryAt = 0 } = problems;
  const isOver = currentPassword === "throttled" && retryAt <= ctx.clock();
  return {
    signOutElsewhere,
    errors: {
      currentPassword: isOver ? undefined : currentPassword,
      password: typeof password === "object" ? toFieldProblem(password) : password,
    },
    retryAfterMinutes: Math.ceil((retryAt - ctx.clock()) / 60_000),
  };
}

/** Confirms what was done and links back to the application that started it. */
export async function donePageRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http, { page: "account" });
  if (step instanceof Response) return step;
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const { flow } = step;
  const continueHref = flow.request ? startAgainUrl(ctx, flow) : accountOf(ctx, step);
  const { organizationName } = setting.names;
  const props = { what: doneKindOf(step), continueHref, organizationName };
  return pageAnswer(http, donePage(props, setting.frame));
}
