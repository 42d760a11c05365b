// Every public page in every state it has, the values that people and applications choose hostile throughout, and a
// reader for the tags of a page.
import { type ErrorKind, MESSAGES } from "../../components/login/error-page";
import type { SetupProps } from "../../components/login/setup-page";
import type { SignInError, SignInProps } from "../../components/login/sign-in-page";
import type { LocaleTag } from "../../messages/locales";
import * as pages from "../http/public-pages";
import type { PageFrame, PageResponse } from "../http/render";

export const EVIL = `<script>alert(1)</script>"' onload=x \u202eevil`;

export const frameOf = (locale: LocaleTag): PageFrame => ({
  locale,
  baseUrlIsHttps: true,
  requestId: "0198-request",
  languages: pages.languageLinks("/login?flow=sealed"),
  links: { privacyHref: "https://acme.test/privacy", termsHref: "/terms", helpHref: "javascript:alert(1)" },
});

export const signIn: SignInProps = {
  flow: "sealed",
  action: "/login/submit",
  appName: EVIL,
  organizationName: EVIL,
  loginName: EVIL,
  forgotPasswordHref: "/login/forgot-password",
  createAccountHref: "/login/create-account",
};

export const setup: SetupProps = {
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
];
const setupErrors: NonNullable<SetupProps["errors"]>[] = [
  { organizationName: "missing", email: "missing", givenName: "missing", familyName: "missing", password: "missing" },
  { organizationName: "too-long", email: "invalid", password: "too-short" },
  { password: "too-long" },
  { password: "common" },
  { password: "personal" },
];
const account = { displayName: EVIL, loginName: EVIL, organizationName: EVIL };
const flow = { flow: "sealed", appName: EVIL };

type Render = (frame: PageFrame) => PageResponse;
const each = <T>(states: readonly T[], name: string, render: (state: T) => Render): Record<string, Render> =>
  Object.fromEntries(states.map((state) => [`${name}: ${JSON.stringify(state)}`, render(state)]));

export const selectAccount: Render = (f) => {
  const sessions = [
    { id: "s1", active: true, ...account },
    { id: "s2", active: false, ...account },
  ];
  return pages.selectAccountPage({ ...flow, action: "/login/select-account", sessions }, f);
};

export const everyPage: Record<string, Render> = {
  "sign in": (f) => pages.signInPage(signIn, f),
  ...each(signInErrors, "sign in", (error) => (f) => pages.signInPage({ ...signIn, error, retryAfterMinutes: 3 }, f)),
  "select account": selectAccount,
  continue: (f) => {
    const to = { action: "/login/continue", destination: EVIL, otherAccountHref: "/login/select-account" };
    return pages.continuePage({ ...flow, ...account, ...to }, f);
  },
  "form post": (f) => pages.formPostPage({ redirectUri: "https://rp.test/cb", fields: { code: "c", state: EVIL } }, f),
  setup: (f) => pages.setupPage(setup, f),
  ...each(setupErrors, "setup", (errors) => (f) => {
    return pages.setupPage({ ...setup, values: { email: EVIL, organizationName: EVIL }, errors }, f);
  }),
  "setup done": (f) => pages.setupDonePage({ loginName: EVIL, continueHref: "/" }, f),
  "sign out?": (f) =>
    pages.logoutPage({ action: "/logout", fields: { request: "sealed" }, accounts: [account], stayHref: "/" }, f),
  "signed out": (f) => pages.loggedOutPage({ backHref: "https://rp.test/bye", appName: EVIL, signInHref: "/login" }, f),
  "signed out, no application": (f) => pages.loggedOutPage({ backHref: "https://rp.test/bye" }, f),
  home: (f) => pages.homePage({ issuer: "https://id.test", discoveryHref: "https://id.test/d", needsSetup: true }, f),
  ...each(errorKinds, "error", (kind) => (f) => {
    const received = { parameter: "redirect_uri", value: EVIL } as const;
    const host = { came: EVIL, configured: "id.test", href: "https://id.test/" };
    const occurredAt = Date.UTC(2026, 0, 2, 3, 4, 5);
    const startAgainHref = "https://rp.test/";
    return pages.errorPage({ kind, description: EVIL, received, host, startAgainHref, occurredAt }, f);
  }),
};

/** A start tag: its attributes by lower-case name, its element as `tag`. */
export type Tag = Readonly<Record<string, string | undefined>>;

/** All start tags of the page, in order. */
export function tagsOf(html: string): Tag[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, tag, attributes = ""]) => {
      const pairs = [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
      return { ...Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name.toLowerCase(), value])), tag };
    },
  );
}

/** The one tag with this id, as it stands in the page. */
export function byId(html: string, id: string): Tag | undefined {
  return tagsOf(html).find((tag) => tag.id === id);
}
