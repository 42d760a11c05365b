// The states of the account pages that the previews do not show.
import type {
  AccountEmailProps,
  AccountPhoneProps,
  ChangeEmailProps,
} from "../../components/login/account/contact-pages";
import type { AccountProfileProps } from "../../components/login/account/profile-page";
import type { AccountSecurityProps } from "../../components/login/account/security-page";
import { locales } from "../../messages/locales";
import { disclosures } from "../protocol/consent-required";
import * as pages from "../web/account/pages";
import type { PageFrame, PageResponse } from "../web/pages/render";

type Render = (frame: PageFrame) => PageResponse;

const AT = 1_760_000_000_000;

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
    links: [{ id: "idp/sub", provider: hostile, userName: hostile, createdAt: AT, tokenApps: [hostile] }],
    linkable: [{ id: "idp", name: hostile }],
    linkAction: "/account/link/submit",
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
    value: hostile,
    isVerified: false,
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
  const phone: AccountPhoneProps = {
    ...about,
    action: "/account/phone/submit",
    saved: false,
    value: hostile,
    isVerified: false,
    isRemovable: false,
  };
  const app = { clientId: "web", name: hostile, connectedAt: 1, usedAt: AT };
  const entries = [
    { kind: "signedIn", at: AT, detail: "::1", bySomebodyElse: false },
    { kind: "appDisconnected", at: 1, detail: hostile, bySomebodyElse: true },
  ] as const;
  const confirm = { ...about, action: "/account/submit", cancelHref: "/account/security?session=s1" };
  return {
    "own profile": (f) => pages.accountProfilePage(profile, f),
    ...Object.fromEntries(
      ([undefined, "missing", "wrong", "blocked"] as const).map((error) => [
        `own address, code sent: ${error ?? ""}`,
        (f: PageFrame) => pages.accountEmailPage({ ...email, pending: hostile, note: "again", error }, f),
      ]),
    ),
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
    "own protection, codes by mail only": (f) =>
      pages.accountSecurityPage(
        {
          ...security,
          sent: [{ kind: "email", word: "mail", isOffered: true, address: hostile, factor: factor("f") }],
        },
        f,
      ),
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
      const [first = { ...app, disclosures: [], projectScopes: [] }] = apps;
      const agents = [
        { id: hostile, name: hostile, app: first },
        { id: "a", app: first },
      ];
      return pages.accountAppsPage({ ...about, apps, agents }, f);
    },
    "own activity": (f) => pages.accountActivityPage({ ...about, entries, olderBefore: 7, isOlder: true }, f),
    "own activity, short": (f) => pages.accountActivityPage({ ...about, entries, isOlder: false }, f),
    "question: a session": (f) => {
      const question = { what: "end-session", id: "s", device: hostile } as const;
      return pages.accountConfirmPage({ ...confirm, question }, f);
    },
    "question: the last factor": (f) => {
      const question = { what: "remove-factor", id: "f", name: { kind: "email" }, isLast: true } as const;
      return pages.accountConfirmPage({ ...confirm, question }, f);
    },
  };
}
