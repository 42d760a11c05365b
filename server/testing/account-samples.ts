// The account pages of a user in every state.
import type { AccountQuestion } from "../../components/login/account/confirm-page";
import type {
  AccountEmailProps,
  AccountPhoneProps,
  ChangeEmailProps,
} from "../../components/login/account/contact-pages";
import type { AccountProfileProps } from "../../components/login/account/profile-page";
import type { AccountSecurityProps } from "../../components/login/account/security-page";
import { locales } from "../../messages/locales";
import { disclosures } from "../protocol/consent-required";
import { deviceName } from "../protocol/device-name";
import * as pages from "../web/account/pages";
import type { PageFrame, PageResponse } from "../web/pages/render";

type Render = (frame: PageFrame) => PageResponse;

const AT = 1_760_000_000_000;
const NAMES = ["givenName", "familyName", "nickname", "displayName"] as const;

/** Returns the pages. @param hostile the value of every text that users choose */
export function ownPages(hostile: string): Record<string, Render> {
  const about = {
    fields: { session: "s1", ui_locales: "en" },
    organizationName: hostile,
    saved: true,
    timeZone: "Europe/Berlin",
    confirmPath: "/account/confirm",
  };
  const factor = (id: string) => ({ id, name: hostile, createdAt: 1_700_000_000_000, usedAt: AT });
  const security: AccountSecurityProps = {
    ...about,
    action: "/account/submit",
    saved: false,
    changePasswordHref: "/login/change-password",
    apps: [],
    addAppHref: "/account/app?session=s1",
    passkeys: [],
    addPasskeyHref: "/account/passkey?session=s1",
    maximumNameLength: 60,
    recoveryCodesLeft: 0,
    sent: [{ kind: "email", word: "mail", isOffered: true }],
  };
  const everything: AccountSecurityProps = {
    ...security,
    saved: true,
    passwordChangedAt: 1_700_000_000_000,
    apps: [factor("f1"), factor("f2")],
    sent: [{ kind: "email", word: "mail", isOffered: true, address: hostile, factor: factor("f3") }],
    passkeys: [
      { ...factor("p1"), synced: true },
      { ...factor("p2"), synced: false },
    ],
    recoveryCodesLeft: 9,
  };
  const profile: AccountProfileProps = {
    ...about,
    action: "/account/profile/submit",
    values: {
      givenName: hostile,
      familyName: hostile,
      nickname: hostile,
      displayName: hostile,
      language: "de",
      timeZone: "Europe/Berlin",
    },
    languages: locales,
    timeZones: ["UTC", ...Intl.supportedValuesOf("timeZone")],
    maximumLength: 200,
  };
  const email: AccountEmailProps = {
    ...about,
    action: "/account/email/submit",
    email: hostile,
    isEmailVerified: false,
    sender: hostile,
    changeHref: "/account/email/change?session=s1",
  };
  const changeEmail: ChangeEmailProps = {
    ...about,
    action: "/account/email/change/submit",
    loginName: hostile,
    email: hostile,
    hasPassword: true,
    maximumLength: 254,
    cancelHref: "/account/email?session=s1",
  };
  const questions: AccountQuestion[] = [
    { what: "remove-factor", id: "f", name: { given: hostile }, isLast: false },
    { what: "remove-factor", id: "f", name: { kind: "email" }, isLast: true },
    { what: "remove-passkey", id: "p", name: { given: hostile }, isLast: true },
    { what: "new-codes" },
    { what: "end-session", id: "s", device: hostile },
    { what: "end-others" },
    { what: "disconnect-app", id: "web", name: hostile },
  ];
  const overview = {
    ...about,
    displayName: hostile,
    loginName: hostile,
    isPhoneVerified: false,
    factors: 2,
    sessions: 3,
    apps: 4,
  };
  const phone: AccountPhoneProps = {
    ...about,
    action: "/account/phone/submit",
    saved: false,
    phone: hostile,
    isPhoneVerified: false,
    isRemovable: false,
  };
  const session = { id: "s1", device: deviceName("curl/8"), lastSeenAt: AT, current: true };
  const elsewhere = { id: "s2", device: deviceName("Firefox/1 Linux"), address: "::1", lastSeenAt: 1, current: false };
  const app = { clientId: "web", name: hostile, connectedAt: 1, usedAt: AT };
  const entries = [
    { kind: "signedIn", at: AT, detail: "::1", bySomebodyElse: false },
    { kind: "appDisconnected", at: 1, detail: hostile, bySomebodyElse: true },
  ] as const;
  const confirm = { ...about, action: "/account/submit", cancelHref: "/account/security?session=s1" };
  const link = { ...about, action: "/account/email/confirm/submit", email: hostile, loginName: hostile };
  return {
    "own overview": (f) => pages.accountOverviewPage({ ...overview, isEmailVerified: false }, f),
    "own overview, address": (f) =>
      pages.accountOverviewPage(
        { ...overview, email: hostile, isEmailVerified: true, phone: hostile, saved: false },
        f,
      ),
    "own profile": (f) => pages.accountProfilePage(profile, f),
    "own profile, refused": (f) => {
      const invalid = Object.fromEntries(NAMES.map((name) => [name, "invalid"] as const));
      const errors = { ...invalid, nickname: "too-long", language: "invalid", timeZone: "invalid" } as const;
      return pages.accountProfilePage({ ...profile, saved: false, errors }, f);
    },
    "own address": (f) => pages.accountEmailPage(email, f),
    "own address, confirmed": (f) => pages.accountEmailPage({ ...email, isEmailVerified: true }, f),
    "own address, none": (f) => pages.accountEmailPage({ ...email, email: undefined }, f),
    ...Object.fromEntries(
      ([undefined, "missing", "wrong", "blocked"] as const).map((error) => [
        `own address, code sent: ${error ?? ""}`,
        (f: PageFrame) => pages.accountEmailPage({ ...email, pending: hostile, note: "again", error }, f),
      ]),
    ),
    "own number": (f) => pages.accountPhonePage(phone, f),
    "own number, confirmed": (f) => pages.accountPhonePage({ ...phone, isPhoneVerified: true, isRemovable: true }, f),
    "own number, none": (f) => pages.accountPhonePage({ ...phone, phone: undefined }, f),
    ...Object.fromEntries(
      (["invalid", "too-many"] as const).map((error) => [
        `own number, refused: ${error}`,
        (f: PageFrame) => pages.accountPhonePage({ ...phone, typed: hostile, errors: { phone: error } }, f),
      ]),
    ),
    ...Object.fromEntries(
      ([undefined, "missing", "wrong", "blocked"] as const).map((error) => [
        `own number, code sent: ${error ?? ""}`,
        (f: PageFrame) => pages.accountPhonePage({ ...phone, pending: hostile, errors: { code: error } }, f),
      ]),
    ),
    "change address": (f) => pages.changeEmailPage(changeEmail, f),
    "change address without a password": (f) => pages.changeEmailPage({ ...changeEmail, hasPassword: false }, f),
    ...Object.fromEntries(
      (["missing", "invalid", "too-long", "same"] as const).map((error) => [
        `change address: ${error}`,
        (f: PageFrame) => pages.changeEmailPage({ ...changeEmail, errors: { email: error } }, f),
      ]),
    ),
    ...Object.fromEntries(
      (["missing", "wrong", "throttled"] as const).map((currentPassword) => [
        `change address: password ${currentPassword}`,
        (f: PageFrame) =>
          pages.changeEmailPage({ ...changeEmail, errors: { currentPassword }, retryAfterMinutes: 2 }, f),
      ]),
    ),
    "mailed link of an address": (f) => pages.addressLinkPage({ ...link, cancelHref: "/account/email" }, f),
    "own protection": (f) => pages.accountSecurityPage(security, f),
    "own protection, everything": (f) => pages.accountSecurityPage(everything, f),
    "own protection, codes by mail only": (f) =>
      pages.accountSecurityPage(
        {
          ...security,
          sent: [{ kind: "email", word: "mail", isOffered: true, address: hostile, factor: factor("f") }],
        },
        f,
      ),
    "own sessions": (f) => pages.accountSessionsPage({ ...about, sessions: [session] }, f),
    "own sessions, several": (f) => pages.accountSessionsPage({ ...about, sessions: [session, elsewhere] }, f),
    "own apps": (f) => {
      const apps = [
        {
          ...app,
          organizationName: hostile,
          disclosures,
          projectScopes: [{ projectName: hostile, scopes: [{ name: hostile, text: hostile }] }],
        },
        { ...app, clientId: hostile, disclosures: [], projectScopes: [] },
      ];
      return pages.accountAppsPage({ ...about, apps }, f);
    },
    "own apps, none": (f) => pages.accountAppsPage({ ...about, apps: [] }, f),
    "own activity": (f) => pages.accountActivityPage({ ...about, entries, olderBefore: 7, isOlder: true }, f),
    "own activity, short": (f) => pages.accountActivityPage({ ...about, entries, isOlder: false }, f),
    ...Object.fromEntries(
      questions.map((question) => [
        `question: ${JSON.stringify(question)}`,
        (f: PageFrame) => pages.accountConfirmPage({ ...confirm, question }, f),
      ]),
    ),
  };
}
