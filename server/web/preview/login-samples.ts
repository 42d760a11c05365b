/** Samples of the pages for signing in, creating an account and setting a password, for editors of their texts. */
import type { NewPasswordError } from "../../../components/login/new-password";
import type { SignInProps } from "../../../components/login/sign-in-page";
import type { LoginMessageKey } from "../../../messages/login";
import type { SignInError } from "../../oidc/flow";
import { builtInText } from "../../texts/built-in";
import * as account from "../login/credential-pages";
import * as pages from "../pages/public-pages";
import { baseOfFrame, builtInOn } from "../pages/render";
import { NOWHERE, type Render, SAMPLE_TIME, type SamplePage, statesOf } from "./sample-page";

const about = { flow: "", action: NOWHERE };
const lengths = { minimumPasswordLength: 15, maximumPasswordLength: 128, maximumLength: 200 };
const passkey = { action: NOWHERE, fields: {}, options: "{}" };
/** The links, which are shown even if the organization has none. */
const links = { helpHref: NOWHERE, documentationHref: NOWHERE, privacyHref: NOWHERE, termsHref: NOWHERE };

const PARTNER = { id: "", name: "Google" };
const connects = { provider: "Google", userName: "ada@example.com" };

const signIn =
  (props: Partial<SignInProps> = {}, isNamed = false): Render =>
  (frame, { appName, organizationName, loginName }) => {
    const hrefs = { forgotPasswordHref: NOWHERE, createAccountHref: NOWHERE, notYouHref: NOWHERE };
    const name = isNamed ? { loginName } : {};
    return pages.signInPage(
      { ...about, asks: "both", appName, organizationName, ...hrefs, passkey, ...name, ...props },
      frame,
    );
  };
const atDirectory = (props: Partial<SignInProps> = {}) =>
  signIn({
    directory: { name: "Company directory", otherWaysHref: NOWHERE },
    passkey: undefined,
    forgotPasswordHref: undefined,
    createAccountHref: undefined,
    ...props,
  });
const refused = (error: SignInError, retryAfterMinutes = 3) => signIn({ error, retryAfterMinutes }, true);

const createAccount =
  (name?: NewPasswordError, password = name): Render =>
  (frame, { appName, organizationName }) => {
    const errors = name && { email: name, givenName: name, familyName: name, password };
    const hrefs = { signInHref: NOWHERE, termsHref: NOWHERE };
    return account.createAccountPage({ ...about, ...lengths, ...hrefs, appName, errors, organizationName }, frame);
  };

const createByProvider: Render = (frame, { appName, organizationName }) => {
  const hrefs = { signInHref: NOWHERE, termsHref: NOWHERE };
  return account.createAccountPage({ ...about, ...lengths, ...hrefs, appName, connects, organizationName }, frame);
};

type Verify = Pick<Parameters<typeof account.verifyEmailPage>[0], "error" | "note">;
const verify =
  (state: Verify = {}): Render =>
  (frame, { appName, organizationName, email, sender }) => {
    const hrefs = { resendAction: NOWHERE, changeHref: NOWHERE };
    return account.verifyEmailPage({ ...about, ...hrefs, appName, email, sender, organizationName, ...state }, frame);
  };

type Reset = Parameters<typeof account.resetPasswordPage>[0];
const reset =
  (state: Partial<Reset> = {}): Render =>
  (frame, { appName, organizationName, loginName, sender }) => {
    const mail = state.needsCode === false ? undefined : { resendAction: NOWHERE, sender };
    const names = { appName, loginName, organizationName };
    return account.resetPasswordPage({ ...about, ...lengths, needsCode: true, mail, ...names, ...state }, frame);
  };
const byLink = { needsCode: false, expiresAt: SAMPLE_TIME };

type Change = Parameters<typeof account.changePasswordPage>[0];
const change =
  (errors?: Change["errors"], because?: Change["because"]): Render =>
  (frame, { appName, organizationName, loginName }) => {
    const props = { ...about, ...lengths, appName, loginName, organizationName, errors };
    return account.changePasswordPage({ ...props, because, signOutElsewhere: true }, frame);
  };

const confirm =
  (error?: "wrong"): Render =>
  (frame, { organizationName, email }) => {
    const props = { token: "", action: NOWHERE, email, needsPassword: true, error, organizationName };
    return account.confirmEmailPage(props, frame);
  };

const forgot =
  (error?: "missing"): Render =>
  (frame, { appName, organizationName }) =>
    account.forgotPasswordPage({ ...about, appName, error, signInHref: NOWHERE, organizationName }, frame);

const done = (what: Parameters<typeof account.donePage>[0]["what"], title: LoginMessageKey): SamplePage => ({
  id: `done.${what}`,
  title,
  render: (frame, { organizationName }) => account.donePage({ what, continueHref: NOWHERE, organizationName }, frame),
});

export const loginSamples: readonly SamplePage[] = [
  ...statesOf("sign-in", "signIn.title", {
    "": [undefined, signIn()],
    name: ["common.continue", signIn({ asks: "loginName" })],
    password: ["signIn.notYou", signIn({ asks: "password" }, true)],
    closed: ["signIn.registrationOff", signIn({ isRegistrationOff: true, createAccountHref: undefined })],
    missing: ["signIn.missingLoginName", signIn({ error: "missing-login-name-and-password" })],
    refused: ["signIn.credentials", refused("credentials")],
    throttled: ["signIn.throttled", refused("throttled")],
    locked: ["signIn.locked", refused("throttled", 600)],
    busy: ["signIn.busy", refused("busy")],
    unavailable: ["signIn.unavailable", refused("unavailable")],
    passkey: ["passkey.refused", signIn({ asks: "passkey", error: "passkey" })],
    "not-remembered": ["signIn.notRemembered", refused("not-remembered")],
    provider: ["provider.button", signIn({ providers: [PARTNER] })],
    connects: ["provider.connects", signIn({ providers: [PARTNER], connects })],
    directory: ["provider.directoryTitle", atDirectory()],
    "directory-missing": ["provider.directoryMissingName", atDirectory({ error: "missing-login-name" })],
    "directory-refused": ["provider.directoryCredentials", atDirectory({ error: "credentials" })],
    "provider-failed": ["provider.failed", refused("provider-failed")],
    "provider-denied": ["provider.denied", refused("provider-denied")],
    "provider-refused": ["provider.refused", refused("provider-refused")],
    links: ["common.help", (frame, values) => signIn()({ ...frame, links }, values)],
  }),
  {
    id: "accounts",
    title: "selectAccount.title",
    render(frame, { appName, organizationName, displayName, loginName }) {
      const sessions = [
        { id: "1", displayName, loginName, active: true },
        { id: "2", displayName: "Grace Hopper", loginName: "grace@example.com", active: false },
      ];
      return pages.selectAccountPage({ ...about, appName, sessions, organizationName }, frame);
    },
  },
  ...statesOf("create-account", "createAccount.title", {
    "": [undefined, createAccount()],
    missing: ["setup.missingEmail", createAccount("missing")],
    invalid: ["createAccount.invalidName", createAccount("invalid", "too-short")],
    common: ["setup.passwordCommon", createAccount("too-long", "common")],
    personal: ["setup.passwordPersonal", createAccount("too-long", "personal")],
    provider: ["provider.creates", createByProvider],
  }),
  ...statesOf("verify-email", "verifyEmail.title", {
    "": [undefined, verify()],
    missing: ["code.missing", verify({ error: "missing" })],
    wrong: ["code.wrong", verify({ error: "wrong" })],
    expired: ["code.expired", verify({ error: "expired" })],
    used: ["code.used", verify({ error: "used" })],
    blocked: ["code.blocked", verify({ error: "blocked" })],
    again: ["code.again", verify({ note: "again" })],
    soon: ["code.tooSoon", verify({ note: "too-soon" })],
    many: ["secondFactor.tooManyMails", verify({ note: "too-many" })],
  }),
  ...statesOf("confirm-email", "verifyEmail.linkTitle", {
    "": [undefined, confirm()],
    wrong: ["verifyEmail.wrongPassword", confirm("wrong")],
  }),
  ...statesOf("forgot-password", "signIn.resetPassword", {
    "": [undefined, forgot()],
    missing: ["signIn.missingLoginName", forgot("missing")],
  }),
  ...statesOf("reset-password", "resetPassword.title", {
    "": [undefined, reset()],
    link: ["resetPassword.of", reset(byLink)],
    first: [
      "resetPassword.first",
      reset({ ...byLink, isFirst: true, passkey, names: {}, inviterName: "Grace Hopper" }),
    ],
    refused: ["code.wrong", reset({ errors: { code: "wrong", password: "too-short" } })],
  }),
  ...statesOf("change-password", "changePassword.title", {
    "": [undefined, change(undefined, "required")],
    expired: ["changePassword.expired", change(undefined, "expired")],
    missing: ["changePassword.missingCurrent", change({ currentPassword: "missing", password: "missing" })],
    wrong: ["changePassword.wrongCurrent", change({ currentPassword: "wrong", password: "same" })],
    throttled: ["signIn.throttled", change({ currentPassword: "throttled" })],
  }),
  {
    id: "not-me",
    title: "notMe.title",
    render(frame, { organizationName, loginName }) {
      const notice = { token: "", action: NOWHERE, loginName, at: SAMPLE_TIME, organizationName };
      return account.notMePage(
        { ...notice, what: builtInOn(frame, builtInText("new_device", baseOfFrame(frame)).title) },
        frame,
      );
    },
  },
  done("secured", "done.secured.title"),
  done("secured-ask", "done.securedAsk.title"),
  done("password-reset", "done.passwordReset.title"),
  done("password-changed", "done.passwordChanged.title"),
  done("email-confirmed", "done.emailConfirmed.title"),
  done("account-ready", "done.accountReady.title"),
  done("passkey-added", "done.passkeyAdded.title"),
];
