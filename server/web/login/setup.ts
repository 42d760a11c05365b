/**
 * The first administrator's page. Opening the link does not consume it (mail scanners and previews open links too);
 * posting the form does.
 */
import type { SetupFieldError } from "../../../components/login/setup-page";
import type { Context } from "../../context";
import { MIN_CHOSEN_PASSWORD_LENGTH } from "../../directory/password-length";
import { isSetupLinkOpen, type SetupField, type SetupOutcome } from "../../directory/setup/setup";
import { MAX_PASSWORD_LENGTH } from "../../directory/user/password-policy";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import {
  attemptOf,
  chosenLocaleOf,
  formParameters,
  isSameOriginPost,
  pathAndQuery,
  queryParameters,
} from "../../http/request";
import { setUpAdministrator } from "../../login/first-administrator";
import { toFieldProblem } from "../../login/registration/create-account";
import { isError } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { pageAnswer, redirectAnswer } from "../authorization";
import { pageFrame } from "../pages/frame";
import { languageForm } from "../pages/language-form";
import { errorPage, setupPage } from "../pages/public-pages";
import type { PageFrame } from "../pages/render";
import { carriedRefusal, refusedAnswer, shownAgain } from "../refusal";

const FIELDS = ["organizationName", "email", "givenName", "familyName", "password"] as const;
const LIMITS = {
  minimumPasswordLength: MIN_CHOSEN_PASSWORD_LENGTH,
  maximumPasswordLength: MAX_PASSWORD_LENGTH,
  maximumLength: 200,
};

export async function setupPageRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const chosen = chosenLocaleOf(parameters);
  const token = isError(parameters) ? undefined : parameters.get("token");
  const languages = languageForm(pathAndQuery(http));
  const frame = await pageFrame(ctx, http, { chosen }, { languages });
  if (token === undefined || !(await isSetupLinkOpen(ctx, token))) return linkRefused(ctx, http, frame);
  const { values, errors } = carriedRefusal<RefusedSetup>(ctx, http, parameters as Parameters) ?? {};
  return pageAnswer(http, setupPage({ token, action: "/setup/submit", values, errors, ...LIMITS }, frame));
}

interface RefusedSetup {
  /** The values as typed. */
  values: Record<Exclude<(typeof FIELDS)[number], "password">, string>;
  errors: Partial<Record<SetupField, SetupFieldError>>;
}

export async function setupSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  const chosen = chosenLocaleOf(form);
  const frame = await pageFrame(ctx, http, { chosen });
  if (isError(form) || !isSameOriginPost(ctx, http)) {
    return pageAnswer(http, errorPage({ kind: "cross-site", occurredAt: ctx.clock() }, frame));
  }
  const text = (name: string) => form.get(name) ?? "";
  const given = {
    token: text("token"),
    organizationName: text("organizationName").trim(),
    email: text("email").trim(),
    givenName: text("givenName").trim(),
    familyName: text("familyName").trim(),
    password: text("password"),
    language: frame.locale,
  };
  const outcome = await setUpAdministrator(ctx, given, attemptOf(ctx, http));
  if (outcome.kind === "link-invalid") return linkRefused(ctx, http, frame);
  if (outcome.kind === "signed-in") {
    setUserAgentCookie(ctx, http, outcome.userAgentToken);
    // `ask`, because the browser may still have the console's tokens of another user.
    return redirectAnswer(http, `${ctx.config.baseUrl}/console/sign-in?ask=1`);
  }
  const [organizationName, email, givenName, familyName] = FIELDS.map(text) as [string, string, string, string];
  const refused: RefusedSetup = {
    values: shownAgain({ organizationName, email, givenName, familyName }),
    errors: fieldErrors(form, outcome),
  };
  const query = new URLSearchParams({ token: text("token"), ...(chosen !== undefined && { ui_locales: chosen }) });
  return refusedAnswer(ctx, http, `${ctx.config.baseUrl}/setup?${query}`, refused);
}

function linkRefused(ctx: Context, http: Http, frame: PageFrame): Response {
  return pageAnswer(http, errorPage({ kind: "setup-link", occurredAt: ctx.clock() }, frame));
}

type Refused = Extract<SetupOutcome, { kind: "form-invalid" | "login-name-taken" }>;

function fieldErrors(form: Parameters, outcome: Refused): Partial<Record<SetupField, SetupFieldError>> {
  if (outcome.kind === "login-name-taken") return { email: "taken" };
  return Object.fromEntries(
    outcome.fields.map((field) => {
      const typed = form.get(field) ?? "";
      if (typed.trim() === "") return [field, "missing"];
      if (field === "password" && outcome.password) return [field, toFieldProblem(outcome.password)];
      return [field, typed.length > LIMITS.maximumLength ? "too-long" : "invalid"];
    }),
  );
}
