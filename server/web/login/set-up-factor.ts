/**
 * Setting up a second factor during a sign-in, because it is required or suggested. Setting it up also proves it, so
 * the session begins at once; recovery codes are shown before the browser moves on.
 */
import type { AuthenticatorAppProps } from "../../../components/login/authenticator-app-page";
import type { Context } from "../../context";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, userAgentOf } from "../../http/request";
import { writeSession } from "../../login/complete-sign-in";
import { continueFlow } from "../../login/continue-flow";
import { keepNewPasskey } from "../../login/factors/passkey";
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { type AwaitedPerson, withFactors } from "../../login/factors/second-factor";
import {
  confirmApp,
  isSetUpDemanded,
  LONGEST_FACTOR_NAME,
  type OpenEnrolment,
  personToSetUp,
  putOffSetUp,
  resumeApp,
  setUpMailedCodes,
} from "../../login/factors/set-up-factor";
import { sealFlow } from "../../oidc/flow";
import { pageAnswer, redirectAnswer, screenUrl } from "../authorization";
import { refusalOf, refusedAnswer, shownAgain } from "../pages/refusal";
import { restart } from "./second-factor";
import { authenticatorAppPage, newPasskeyPage, recoveryCodesPage, setUpFactorPage } from "./second-factor-pages";
import { flowAnswer, openStep, type Step, settingOf, stepLink, stepUrl } from "./step";

/** The person who may set up a factor in this flow, or the response to anybody else. */
async function openSetUp(ctx: Context, http: Http): Promise<{ step: Step; person: AwaitedPerson } | Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const person = await personToSetUp(ctx, step.flow, userAgentOf(ctx, http));
  if (person === undefined) return restart(ctx, http, step);
  if (person !== "challenge") return { step, person };
  return redirectAnswer(http, screenUrl(ctx, "second-factor", step.sealed, step.chosenLocale));
}

export async function setUpFactorPageRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await openSetUp(ctx, http);
  if (opened instanceof Response) return opened;
  const { step, person } = opened;
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const { user } = person;
  const page = setUpFactorPage(
    {
      flow: step.sealed,
      loginName: user.loginName,
      appName: setting.names.appName,
      organizationName: user.organizationName,
      demanded: await isSetUpDemanded(ctx, step.flow, user),
      appHref: stepLink(ctx, "/login/mfa/set-up/app", step),
      passkeyHref: stepLink(ctx, "/login/mfa/set-up/passkey", step),
      mail:
        user.isEmailVerified && user.email !== null ? { to: user.email, action: "/login/mfa/set-up/email" } : undefined,
      laterAction: "/login/mfa/set-up/later",
    },
    setting.frame,
  );
  return pageAnswer(http, page);
}

export async function setUpLaterRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  const by = attemptOf(ctx, http);
  const outcome = await putOffSetUp(ctx, step.flow, by);
  if (outcome.kind === "restart") return restart(ctx, http, step);
  setUserAgentCookie(ctx, http, outcome.userAgentToken);
  return flowAnswer(ctx, http, step, outcome.outcome);
}

export async function setUpEmailRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await openSetUp(ctx, http);
  if (opened instanceof Response) return opened;
  const { step, person } = opened;
  const possible = await setUpMailedCodes(ctx, person.user, http.get("requestId"));
  if (!possible) return redirectAnswer(http, screenUrl(ctx, "set-up-factor", step.sealed, step.chosenLocale));
  return redirectAnswer(http, `${screenUrl(ctx, "second-factor", step.sealed, step.chosenLocale)}&way=email`);
}

export async function setUpAppPageRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await openSetUp(ctx, http);
  if (opened instanceof Response) return opened;
  const { step, person } = opened;
  const { enrolment, ...state } = refusalOf<RefusedApp>(ctx, http, step.form) ?? {};
  return showApp(ctx, http, step, person, await resumeApp(ctx, person.user, enrolment), state);
}

/** After a refused code the key stays the same, as the person's app already has it. */
export interface RefusedApp extends Pick<AuthenticatorAppProps, "error" | "name"> {
  enrolment?: string;
}

async function showApp(
  ctx: Context,
  http: Http,
  step: Step,
  { user }: AwaitedPerson,
  { sealed, secret, uri }: OpenEnrolment,
  state: Pick<AuthenticatorAppProps, "error" | "name"> = {},
): Promise<Response> {
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const props = {
    action: "/login/mfa/set-up/app/submit",
    fields: { flow: step.sealed, enrolment: sealed },
    secret,
    uri,
    maximumNameLength: LONGEST_FACTOR_NAME,
    appName: setting.names.appName,
    organizationName: user.organizationName,
    ...state,
  };
  return pageAnswer(http, authenticatorAppPage(props, setting.frame));
}

export async function setUpAppSubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await openSetUp(ctx, http);
  if (opened instanceof Response) return opened;
  const { step, person } = opened;
  const { form } = step;
  const name = form.get("name") ?? "";
  const typed = { sealed: form.get("enrolment") ?? "", code: form.get("code") ?? "", name };
  const outcome = await confirmApp(ctx, person.user, { ...typed, requestId: http.get("requestId") });
  switch (outcome.kind) {
    case "expired":
    case "too-many":
      return refusedApp(ctx, http, step, { error: "wrong", name });
    case "refused":
      return refusedApp(ctx, http, step, { error: outcome.reason, name, enrolment: outcome.enrolment.sealed });
    case "repeated":
      return restart(ctx, http, step);
    case "added":
      return signedInWith(ctx, http, step, person, ["otp"], outcome.recoveryCodes);
  }
}

function refusedApp(ctx: Context, http: Http, step: Step, { name = "", ...told }: RefusedApp): Response {
  const page = stepUrl(ctx, "/login/mfa/set-up/app", step.sealed, step);
  return refusedAnswer(ctx, http, page, { ...told, ...shownAgain({ name }) } satisfies RefusedApp);
}

export async function setUpPasskeyPageRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await openSetUp(ctx, http);
  return opened instanceof Response ? opened : showNewPasskey(ctx, http, opened.step, opened.person);
}

async function showNewPasskey(ctx: Context, http: Http, step: Step, { user }: AwaitedPerson): Promise<Response> {
  const setting = await settingOf(ctx, http, step);
  if (setting instanceof Response) return setting;
  const refused = refusalOf(ctx, http, step.form) !== undefined;
  const { options, sealed } = await requestNewPasskey(ctx, user);
  const fields = { flow: step.sealed, enrolment: sealed };
  const names = { ...setting.names, organizationName: user.organizationName };
  const props = { action: "/login/mfa/set-up/passkey/submit", fields, options, refused, ...names };
  return pageAnswer(http, newPasskeyPage(props, setting.frame));
}

export async function setUpPasskeySubmitRoute(ctx: Context, http: Http): Promise<Response> {
  const opened = await openSetUp(ctx, http);
  if (opened instanceof Response) return opened;
  const { step, person } = opened;
  const made = { sealed: step.form.get("enrolment") ?? "", credential: step.form.get("credential") ?? "" };
  const outcome = await keepNewPasskey(ctx, person.user, { ...made, requestId: http.get("requestId") });
  return outcome.kind === "added"
    ? signedInWith(ctx, http, step, person, outcome.amr, outcome.recoveryCodes)
    : refusedAnswer(ctx, http, stepUrl(ctx, "/login/mfa/set-up/passkey", step.sealed, step), {});
}

/**
 * Begins the session of a person who has just proven a new factor, and shows their recovery codes.
 * @param proven RFC 8176 values
 */
async function signedInWith(
  ctx: Context,
  http: Http,
  step: Step,
  { user, pending }: AwaitedPerson,
  proven: readonly string[],
  codes: readonly string[] | undefined,
): Promise<Response> {
  const amr = withFactors(pending.amr, proven);
  const by = attemptOf(ctx, http);
  const { userAgentToken, flow } = await writeSession(ctx, step.flow, { user, amr, ...by });
  setUserAgentCookie(ctx, http, userAgentToken);
  const next = { ...step, flow };
  if (!codes)
    return flowAnswer(ctx, http, next, await continueFlow(ctx, { ...by.userAgent, token: userAgentToken }, flow));
  const setting = await settingOf(ctx, http, next);
  if (setting instanceof Response) return setting;
  const fields = { flow: sealFlow(ctx, flow) };
  const names = { ...setting.names, organizationName: user.organizationName };
  return pageAnswer(http, recoveryCodesPage({ codes, action: "/login/mfa/continue", fields, ...names }, setting.frame));
}

/** Continues the flow after the recovery codes. */
export async function setUpContinueRoute(ctx: Context, http: Http): Promise<Response> {
  const step = await openStep(ctx, http);
  if (step instanceof Response) return step;
  return flowAnswer(ctx, http, step, await continueFlow(ctx, userAgentOf(ctx, http), step.flow));
}
