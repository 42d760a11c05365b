// Every public page in every state, with hostile values wherever users and applications choose one: the samples of the
// previews, and the states that these do not show. And a reader for the tags of a page.

import type { CreateAccountProps } from "../../components/login/create-account-page";
import { type ErrorKind, MESSAGES } from "../../components/login/error-page";
import type { SetupProps } from "../../components/login/setup-page";
import type { SignInProps } from "../../components/login/sign-in-page";
import type { LocaleTag } from "../../messages/locales";
import { brandOf } from "../directory/branding/branding";
import { builtIn } from "../directory/policy/built-in";
import type { SignInError } from "../oidc/flow";
import { disclosures } from "../protocol/consent-required";
import * as devicePages from "../web/device/pages";
import * as account from "../web/login/credential-pages";
import { languageForm } from "../web/pages/language-form";
import * as pages from "../web/pages/public-pages";
import type { PageFrame, PageResponse } from "../web/pages/render";
import type { SampleValues } from "../web/preview/sample-page";
import { samplePages } from "../web/preview/sample-pages";
import { ownPages } from "./account-samples";
import { factorPages } from "./factor-samples";

const EVIL = `<script>alert(1)</script>"' onload=x \u202eevil`;

/** The sample pages of the editors, with hostile values. */
const HOSTILE_VALUES: SampleValues = {
  organizationName: EVIL,
  appName: EVIL,
  displayName: EVIL,
  givenName: EVIL,
  familyName: EVIL,
  loginName: EVIL,
  email: EVIL,
  phone: EVIL,
  sender: EVIL,
  factors: { app: EVIL, passkey: EVIL, securityKey: EVIL },
};

export const frameOf = (locale: LocaleTag): PageFrame => ({
  locale,
  requestId: "0198-request",
  languages: languageForm("/login?flow=sealed"),
  links: { privacyHref: "https://acme.test/privacy", termsHref: "/terms", helpHref: "javascript:alert(1)" },
});

export const signInSample: SignInProps = {
  flow: "sealed",
  action: "/login/submit",
  asks: "both",
  notYouHref: "/login?flow=sealed",
  appName: EVIL,
  organizationName: EVIL,
  loginName: EVIL,
  forgotPasswordHref: "/login/forgot-password",
  createAccountHref: "/login/create-account",
  passkey: { action: "/login/passkey", fields: { flow: "sealed" }, options: JSON.stringify({ challenge: EVIL }) },
};

export const setupSample: SetupProps = {
  token: "secret",
  action: "/setup",
  minimumPasswordLength: 15,
  maximumPasswordLength: 128,
  maximumLength: 200,
};

export const errorKinds = Object.keys(MESSAGES) as ErrorKind[];

const signInErrors: SignInError[] = [
  "missing-login-name",
  "missing-password",
  "missing-login-name-and-password",
  "credentials",
  "throttled",
  "busy",
  "passkey",
];
const setupErrors: NonNullable<SetupProps["errors"]>[] = [
  { organizationName: "missing", email: "missing", givenName: "missing", familyName: "missing", password: "missing" },
  { organizationName: "too-long", email: "invalid", password: "too-short" },
  { password: "too-long" },
  { password: "common" },
  { password: "personal" },
];
const accountErrors: (CreateAccountProps["errors"] | undefined)[] = [
  undefined,
  { email: "missing", givenName: "missing", familyName: "missing", password: "missing" },
  { email: "invalid", givenName: "invalid", familyName: "too-long", password: "common" },
];
const codeErrors = [undefined, "missing", "wrong", "blocked"] as const;
const person = { displayName: EVIL, loginName: EVIL, organizationName: EVIL };
const flow = { flow: "sealed", appName: EVIL };
const projectScopes = [
  {
    projectName: EVIL,
    scopes: [
      { name: "orders.read", text: EVIL },
      { name: EVIL, text: undefined },
    ],
  },
];

type Render = (frame: PageFrame) => PageResponse;
const each = <T>(states: readonly T[], name: string, render: (state: T) => Render): Record<string, Render> =>
  Object.fromEntries(states.map((state) => [`${name}: ${JSON.stringify(state)}`, render(state)]));

export const selectAccountSample: Render = (f) => {
  const sessions = [
    { id: "s1", active: true, ...person },
    { id: "s2", active: false, ...person },
  ];
  return pages.selectAccountPage({ ...flow, action: "/login/select-account", sessions }, f);
};

export const everyPage: Record<string, Render> = {
  ...Object.fromEntries(samplePages.map(({ id, render }) => [id, (f: PageFrame) => render(f, HOSTILE_VALUES)])),
  ...factorPages(EVIL),
  ...ownPages(EVIL),
  "sign in": (f) => pages.signInPage(signInSample, f),
  "sign in, where nobody registers": (f) => pages.signInPage({ ...signInSample, isRegistrationOff: true }, f),
  ...each(
    signInErrors,
    "sign in",
    (error) => (f) => pages.signInPage({ ...signInSample, error, retryAfterMinutes: 3 }, f),
  ),
  "sign in, name first": (f) => pages.signInPage({ ...signInSample, asks: "loginName", loginName: undefined }, f),
  "sign in, with a passkey only": (f) => pages.signInPage({ ...signInSample, asks: "passkey", error: "passkey" }, f),
  "sign in, in the colours of a brand": (f) => {
    const brand = brandOf({ ...builtIn.label, primaryColor: "#ffff00", hideLoginNameSuffix: true });
    return pages.signInPage(signInSample, { ...f, brand });
  },
  "sign in, then password": (f) => pages.signInPage({ ...signInSample, asks: "password", error: "credentials" }, f),
  "select account": selectAccountSample,
  continue: (f) => {
    const to = { action: "/login/continue", destination: EVIL, otherAccountHref: "/login/select-account" };
    return pages.continuePage({ ...flow, ...person, ...to, disclosures, projectScopes, foreignOrganization: EVIL }, f);
  },
  "signing out": (f) => pages.signingOutPage({ next: "https://rp.test/bye", frames: ["https://rp.test/out"] }, f),
  "form post": (f) => pages.formPostPage({ redirectUri: "https://rp.test/cb", fields: { code: "c", state: EVIL } }, f),
  leaving: (f) => pages.leavingPage({ provider: EVIL, next: "https://login.partner.test/a" }, f),
  setup: (f) => pages.setupPage(setupSample, f),
  ...each(setupErrors, "setup", (errors) => (f) => {
    return pages.setupPage({ ...setupSample, values: { email: EVIL, organizationName: EVIL }, errors }, f);
  }),
  ...each(accountErrors, "create account", (errors) => (f) => {
    const values = { email: EVIL, givenName: EVIL };
    const to = { action: "/login/create-account/submit", signInHref: "/login?flow=sealed" };
    return account.createAccountPage({ ...flow, ...setupSample, ...to, values, errors }, f);
  }),
  ...each(codeErrors, "confirm e-mail", (error) => (f) => {
    const needsPassword = error !== undefined;
    return account.confirmEmailPage({ token: "secret", action: "/x", email: EVIL, needsPassword, error }, f);
  }),
  ...each(codeErrors, "reset password", (code) => (f) => {
    const errors = { code, password: code && ("too-short" as const) };
    const mail = { resendAction: "/resend", sender: EVIL, note: "too-soon" as const };
    const props = { ...flow, ...setupSample, action: "/x", mail, loginName: EVIL, needsCode: true };
    return account.resetPasswordPage({ ...props, errors }, f);
  }),
  "reset password by link": (f) =>
    account.resetPasswordPage(
      { ...setupSample, errors: {}, action: "/x", loginName: EVIL, expiresAt: 0, needsCode: false },
      f,
    ),
  "this was not me": (f) =>
    account.notMePage({ action: "/x", token: "t", loginName: EVIL, what: "Passkey", at: 0, organizationName: EVIL }, f),
  "first password": (f) =>
    account.resetPasswordPage(
      {
        ...setupSample,
        errors: {},
        organizationName: EVIL,
        action: "/x",
        loginName: EVIL,
        expiresAt: 0,
        needsCode: false,
        isFirst: true,
        names: { givenName: EVIL, familyName: EVIL },
        inviterName: EVIL,
      },
      f,
    ),
  "sign out?": (f) =>
    pages.logoutPage({ action: "/logout", fields: { request: "sealed" }, accounts: [person], stayHref: "/" }, f),
  "device?": (f) => {
    const names = { appName: EVIL, userCode: "WDJB-MJHT", displayName: EVIL, loginName: EVIL };
    const asked = { disclosures, projectScopes, foreignOrganization: EVIL, device: EVIL, address: EVIL };
    return devicePages.deviceConfirmPage({ flow: "sealed", action: "/device/confirm/submit", ...names, ...asked }, f);
  },
  home: (f) => pages.homePage({ issuer: "https://id.test", discoveryHref: "https://id.test/d", needsSetup: true }, f),
  ...each(errorKinds, "error", (kind) => (f) => {
    const received = { parameter: "redirect_uri", value: EVIL } as const;
    const host = { came: EVIL, configured: "id.test", href: "https://id.test/" };
    const occurredAt = Date.UTC(2026, 0, 2, 3, 4, 5);
    const startAgainHref = "https://rp.test/";
    return pages.errorPage({ kind, description: EVIL, received, host, startAgainHref, occurredAt }, f);
  }),
};

/** A start tag: its attributes by lower-case name, and the name of its element as `tag`. */
export type Tag = Readonly<Record<string, string | undefined>>;

/** Returns all start tags of the page in order. */
export function tagsOf(html: string): Tag[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, tag, attributes = ""]) => {
      const pairs = [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
      return { ...Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name.toLowerCase(), value])), tag };
    },
  );
}

export function byId(html: string, id: string): Tag | undefined {
  return tagsOf(html).find((tag) => tag.id === id);
}
