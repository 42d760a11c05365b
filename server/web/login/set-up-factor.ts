/**
 * Sets up a second factor during a sign-in, because it is required or suggested. The setup also proves the factor, so
 * the session starts at once; recovery codes are shown before the browser continues.
 */
import type { AuthenticatorAppProps } from "../../../components/login/authenticator-app-page";
import type { FactorOffer } from "../../../components/login/set-up-factor-page";
import type { Context } from "../../context";
import { findPolicy } from "../../directory/policy/policies";
import type { SignInUser } from "../../directory/user/user";
import { setUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { attemptOf, causeOfRequest, userAgentOf } from "../../http/request";
import type { Routes } from "../../http/routes";
import { startSession } from "../../login/complete-sign-in";
import { continueFlow } from "../../login/continue-flow";
import type { AwaitedPerson, Factor } from "../../login/factors/factor";
import { keepNewPasskey } from "../../login/factors/passkey";
import { requestNewPasskey } from "../../login/factors/passkey-request";
import { withFactors } from "../../login/factors/second-factor";
import {
  confirmApp,
  isSetUpDemanded,
  MAX_FACTOR_NAME_LENGTH,
  type OpenEnrolment,
  personToSetUp,
  putOffSetUp,
  resumeApp,
  setUpSentCodes,
} from "../../login/factors/set-up-factor";
import { CHANNELS, FACTORS_TO_SET_UP } from "../../login/factors/table";
import { sealFlow } from "../../oidc/flow";
import type { PendingSignIn } from "../../oidc/proven";
import { isPermittedWay, type SentKind } from "../../protocol/second-factor";
import { redirectAnswer, screenUrl } from "../authorization";
import { carriedRefusal, refusedAnswer, shownAgain } from "../refusal";
import { flowAnswer, loginLink, loginUrl } from "./answers";
import { type LoginRequest, onLogin } from "./login-request";
import { showPage } from "./page-context";
import { restart } from "./second-factor";
import { authenticatorAppPage, newPasskeyPage, recoveryCodesPage, setUpFactorPage } from "./second-factor-pages";

type SetUpHandler = (
  ctx: Context,
  http: Http,
  login: LoginRequest,
  person: AwaitedPerson,
) => Response | Promise<Response>;

/** Creates a handler for the user who may set up a factor in this flow; others are redirected. */
export const onSetUp = (handler: SetUpHandler) =>
  onLogin(async (ctx, http, login) => {
    const person = await personToSetUp(ctx, login.flow, userAgentOf(ctx, http));
    if (person === undefined) return restart(ctx, http, login);
    if (person !== "challenge") return handler(ctx, http, { ...login, person: person.user }, person);
    return redirectAnswer(http, screenUrl(ctx, "second-factor", login.sealed, login.chosenLocale));
  });

export const setUpFactorPageRoute = onSetUp(async (ctx, http, login, person) => {
  const { user } = person;
  const { secondFactors } = await findPolicy(ctx, "login", user.organizationId);
  return showPage(ctx, http, login, async ({ names, frame }) =>
    setUpFactorPage(
      {
        flow: login.sealed,
        loginName: user.loginName,
        ...names,
        demanded: await isSetUpDemanded(ctx, login.flow, person),
        offers: FACTORS_TO_SET_UP.filter(({ way }) => isPermittedWay(secondFactors, way)).flatMap(
          (factor) => offerOf(ctx, login, user, factor) ?? [],
        ),
        laterAction: "/login/mfa/set-up/later",
      },
      frame,
    ),
  );
});

function offerOf(ctx: Context, login: LoginRequest, user: SignInUser, factor: Factor): FactorOffer | undefined {
  const { setUpPage: page } = factor;
  if (page !== undefined) return { page, href: loginLink(ctx, `/login/mfa/set-up/${page}`, login) };
  const channel = factor.challenge === "code" ? factor.channel : undefined;
  const to = channel?.addressOf(user);
  return channel && to !== undefined
    ? { kind: channel.kind, to, action: `/login/mfa/set-up/${channel.kind}` }
    : undefined;
}

export const setUpLaterRoute = onLogin(async (ctx, http, login) => {
  const by = { ...attemptOf(ctx, http), forever: login.form.has("never") };
  const outcome = await putOffSetUp(ctx, login.flow, by);
  if (outcome.kind === "restart") return restart(ctx, http, login);
  setUserAgentCookie(ctx, http, outcome.userAgentToken);
  return flowAnswer(ctx, http, login, outcome.outcome);
});

const setUpSentRoute = (kind: SentKind) =>
  onSetUp(async (ctx, http, login, person) => {
    const possible = await setUpSentCodes(ctx, person.user, kind, causeOfRequest(ctx, http));
    if (!possible) return redirectAnswer(http, screenUrl(ctx, "set-up-factor", login.sealed, login.chosenLocale));
    return redirectAnswer(http, `${screenUrl(ctx, "second-factor", login.sealed, login.chosenLocale)}&way=${kind}`);
  });

/** The buttons that turn on codes that are sent. */
export const setUpSentRoutes: Routes = Object.fromEntries(
  CHANNELS.map(({ kind }) => [`/login/mfa/set-up/${kind}`, { POST: setUpSentRoute(kind) }]),
);

export const setUpAppPageRoute = onSetUp(async (ctx, http, login, person) => {
  const { enrolment, ...state } = carriedRefusal<RefusedApp>(ctx, http, login.form) ?? {};
  return showApp(ctx, http, login, await resumeApp(ctx, person.user, enrolment), state);
});

/** The values of a rejected code. The key stays the same, because the user's app already has it. */
export interface RefusedApp extends Pick<AuthenticatorAppProps, "error" | "name"> {
  enrolment?: string;
}

function showApp(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  { sealed, secret, uri }: OpenEnrolment,
  state: Pick<AuthenticatorAppProps, "error" | "name"> = {},
): Promise<Response> {
  return showPage(ctx, http, login, ({ names, frame }) =>
    authenticatorAppPage(
      {
        action: "/login/mfa/set-up/app/submit",
        fields: { flow: login.sealed, enrolment: sealed },
        secret,
        uri,
        maximumNameLength: MAX_FACTOR_NAME_LENGTH,
        cancelHref: loginLink(ctx, "/login/mfa/set-up", login),
        ...names,
        ...state,
      },
      frame,
    ),
  );
}

export const setUpAppSubmitRoute = onSetUp(async (ctx, http, login, person) => {
  const { form } = login;
  const name = form.get("name") ?? "";
  const typed = { sealed: form.get("enrolment") ?? "", code: form.get("code") ?? "", name };
  const outcome = await confirmApp(ctx, person.user, { ...typed, cause: causeOfRequest(ctx, http) });
  switch (outcome.kind) {
    case "not-permitted":
      return redirectAnswer(http, screenUrl(ctx, "set-up-factor", login.sealed, login.chosenLocale));
    case "expired":
    case "too-many":
      return refusedApp(ctx, http, login, { error: "wrong", name });
    case "refused":
      return refusedApp(ctx, http, login, { error: outcome.reason, name, enrolment: outcome.enrolment.sealed });
    case "repeated":
      return restart(ctx, http, login);
    case "added":
      return signedInWith(ctx, http, login, person, ["otp"], outcome.recoveryCodes);
  }
});

function refusedApp(ctx: Context, http: Http, login: LoginRequest, { name = "", ...told }: RefusedApp): Response {
  const page = loginUrl(ctx, "/login/mfa/set-up/app", login.sealed, login);
  return refusedAnswer(ctx, http, page, { ...told, ...shownAgain({ name }) } satisfies RefusedApp);
}

export const setUpPasskeyPageRoute = onSetUp(showNewPasskey);

function showNewPasskey(ctx: Context, http: Http, login: LoginRequest, { user }: AwaitedPerson): Promise<Response> {
  return showPage(ctx, http, login, async ({ names, frame }) => {
    const refused = carriedRefusal(ctx, http, login.form) !== undefined;
    const { options, sealed } = await requestNewPasskey(ctx, user);
    return newPasskeyPage(
      {
        action: "/login/mfa/set-up/passkey/submit",
        fields: { flow: login.sealed, enrolment: sealed },
        options,
        refused,
        cancelHref: loginLink(ctx, "/login/mfa/set-up", login),
        ...names,
      },
      frame,
    );
  });
}

export const setUpPasskeySubmitRoute = onSetUp(async (ctx, http, login, person) => {
  const made = { sealed: login.form.get("enrolment") ?? "", credential: login.form.get("credential") ?? "" };
  const outcome = await keepNewPasskey(ctx, person.user, { ...made, cause: causeOfRequest(ctx, http) });
  return outcome.kind === "added"
    ? signedInWith(ctx, http, login, person, outcome.amr, outcome.recoveryCodes)
    : refusedAnswer(ctx, http, loginUrl(ctx, "/login/mfa/set-up/passkey", login.sealed, login), {});
});

/**
 * Starts the session of a user who has just proven a new factor, and shows their recovery codes.
 * @param proven the RFC 8176 values
 */
export async function signedInWith(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  { user, pending }: { user: SignInUser; pending: Pick<PendingSignIn, "amr"> },
  proven: readonly string[],
  codes: readonly string[] | undefined,
): Promise<Response> {
  const amr = withFactors(pending.amr, proven);
  const by = attemptOf(ctx, http);
  const { userAgentToken, flow } = await startSession(ctx, login.flow, { user, amr, ...by });
  setUserAgentCookie(ctx, http, userAgentToken);
  const next = { ...login, flow, person: user };
  if (!codes)
    return flowAnswer(ctx, http, next, await continueFlow(ctx, { ...by.userAgent, token: userAgentToken }, flow));
  return showPage(ctx, http, next, ({ names, frame }) =>
    recoveryCodesPage(
      {
        codes,
        action: "/login/mfa/continue",
        fields: { flow: sealFlow(ctx, flow) },
        ...names,
      },
      frame,
    ),
  );
}

/** Continues the flow after the recovery codes. */
export const setUpContinueRoute = onLogin(async (ctx, http, login) => {
  return flowAnswer(ctx, http, login, await continueFlow(ctx, userAgentOf(ctx, http), login.flow));
});
