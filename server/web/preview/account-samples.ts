/** Samples of the account pages, for editors of their texts. */
import { activityKinds } from "../../../components/login/account/activity-page";
import type { AccountQuestion } from "../../../components/login/account/confirm-page";
import { locales } from "../../../messages/locales";
import * as pages from "../account/pages";
import { NOWHERE, type Render, SAMPLE_APP, SAMPLE_PERSON, SAMPLE_TIME, type SamplePage, statesOf } from "./sample-page";

const { displayName, loginName, email, phone } = SAMPLE_PERSON;
const about = { fields: {}, timeZone: "Europe/London", action: NOWHERE, confirmPath: NOWHERE, cancelHref: NOWHERE };
const sender = "noreply@example.com";
const DAY = 86_400_000;
const factor = (id: string, name: string) => ({ id, name, createdAt: SAMPLE_TIME - 90 * DAY, usedAt: SAMPLE_TIME });

type Email = Parameters<typeof pages.accountEmailPage>[0];
const emailPage =
  (state: Partial<Email> = {}): Render =>
  (frame, organizationName) => {
    const props = { ...about, saved: false, email, isEmailVerified: false, sender, changeHref: NOWHERE };
    return pages.accountEmailPage({ ...props, organizationName, ...state }, frame);
  };
type Phone = Parameters<typeof pages.accountPhonePage>[0];
const phonePage =
  (state: Partial<Phone> = {}): Render =>
  (frame, organizationName) => {
    const props = { ...about, saved: false, phone, isPhoneVerified: false, isRemovable: true };
    return pages.accountPhonePage({ ...props, organizationName, ...state }, frame);
  };
type Security = Parameters<typeof pages.accountSecurityPage>[0];
const security =
  (state: Partial<Security> = {}): Render =>
  (frame, organizationName) => {
    const offered = [
      { kind: "email" as const, word: "email", isOffered: true, address: email },
      { kind: "sms" as const, word: "sms", isOffered: true, address: phone },
    ];
    const hrefs = { changePasswordHref: NOWHERE, addAppHref: NOWHERE, addPasskeyHref: NOWHERE };
    const nothing = {
      saved: false,
      apps: [],
      passkeys: [],
      sent: offered,
      recoveryCodesLeft: 0,
      maximumNameLength: 60,
    };
    return pages.accountSecurityPage({ ...about, ...hrefs, ...nothing, organizationName, ...state }, frame);
  };
const everything: Partial<Security> = {
  passwordChangedAt: SAMPLE_TIME - 30 * DAY,
  apps: [factor("1", "Phone")],
  sent: [{ kind: "email", word: "email", isOffered: true, address: email, factor: factor("2", "") }],
  passkeys: [
    { ...factor("3", "Laptop"), synced: true },
    { id: "4", name: "Key", createdAt: SAMPLE_TIME, synced: false },
  ],
  recoveryCodesLeft: 9,
};
type Profile = Parameters<typeof pages.accountProfilePage>[0];
const profile =
  (errors?: Profile["errors"]): Render =>
  (frame, organizationName) => {
    const names = { givenName: "Ada", familyName: "Lovelace", nickname: "", displayName };
    const choices = { languages: locales, timeZones: ["UTC", "Europe/London"], maximumLength: 200 };
    const values = { ...names, language: "en", timeZone: "Europe/London" };
    return pages.accountProfilePage({ ...about, ...choices, saved: false, values, errors, organizationName }, frame);
  };
type ChangeEmail = Parameters<typeof pages.changeEmailPage>[0];
const changeEmail =
  (errors?: ChangeEmail["errors"]): Render =>
  (frame, organizationName) => {
    const props = { ...about, loginName, email, hasPassword: true, maximumLength: 254 };
    return pages.changeEmailPage({ ...props, errors, organizationName }, frame);
  };
const overview =
  (email: string | undefined): Render =>
  (frame, organizationName) => {
    const person = {
      displayName,
      loginName,
      email,
      isEmailVerified: true,
      phone: email && phone,
      isPhoneVerified: false,
    };
    const counts = { factors: 2, sessions: 3, apps: 4, signOutHref: NOWHERE };
    return pages.accountOverviewPage(
      { ...about, ...person, ...counts, saved: email === undefined, organizationName },
      frame,
    );
  };
const question =
  (asked: AccountQuestion): Render =>
  (frame, organizationName) =>
    pages.accountConfirmPage({ ...about, question: asked, organizationName }, frame);

const sessions: Parameters<typeof pages.accountSessionsPage>[0]["sessions"] = [
  { id: "1", device: "Firefox, Linux", lastSeenAt: SAMPLE_TIME, current: true },
  { id: "2", device: undefined, address: "192.0.2.7", lastSeenAt: SAMPLE_TIME - DAY, current: false },
  { id: "3", device: "Safari, iPhone", lastSeenAt: SAMPLE_TIME - 2 * DAY, current: false },
];
const apps =
  (connected: boolean): Render =>
  (frame, organizationName) => {
    const app = { clientId: "1", name: SAMPLE_APP, disclosures: [], projectScopes: [], connectedAt: SAMPLE_TIME - DAY };
    const list = connected ? [{ ...app, usedAt: SAMPLE_TIME }] : [];
    return pages.accountAppsPage({ ...about, saved: false, apps: list, organizationName }, frame);
  };
const activity: Render = (frame, organizationName) => {
  const entries = activityKinds.map((kind, index) => {
    return { kind, at: SAMPLE_TIME - index * DAY, bySomebodyElse: index === 1 };
  });
  return pages.accountActivityPage({ ...about, entries, olderBefore: 1, isOlder: true, organizationName }, frame);
};

export const accountSamples: readonly SamplePage[] = [
  ...statesOf("account", "account.title", {
    "": [undefined, overview(email)],
    saved: ["account.saved", overview(undefined)],
  }),
  ...statesOf("account.profile", "account.profile", {
    "": [undefined, profile()],
    invalid: ["account.unknownChoice", profile({ displayName: "invalid", timeZone: "invalid", language: "invalid" })],
  }),
  ...statesOf("account.email", "common.email", {
    "": [undefined, emailPage({ isEmailVerified: true })],
    unconfirmed: ["account.emailUnconfirmed", emailPage()],
    none: ["account.noEmail", emailPage({ email: undefined })],
    code: ["code.label", emailPage({ pending: email })],
  }),
  ...statesOf("account.change-email", "account.changeEmail", {
    "": [undefined, changeEmail()],
    same: ["account.sameEmail", changeEmail({ email: "same", currentPassword: "wrong" })],
  }),
  {
    id: "account.link",
    title: "verifyEmail.linkTitle",
    state: "account.linkQuestion",
    render: (frame, organizationName) => pages.addressLinkPage({ ...about, email, loginName, organizationName }, frame),
  },
  ...statesOf("account.phone", "account.phone", {
    "": [undefined, phonePage({ isPhoneVerified: true })],
    unconfirmed: ["account.emailUnconfirmed", phonePage()],
    none: ["account.noPhone", phonePage({ phone: undefined })],
    code: ["account.phoneSent", phonePage({ pending: phone })],
    invalid: ["account.phoneInvalid", phonePage({ typed: "123", errors: { phone: "invalid" } })],
  }),
  ...statesOf("account.security", "account.security", {
    "": [undefined, security(everything)],
    none: ["account.none", security()],
    unconfirmed: [
      "account.confirmFirst",
      security({
        sent: [
          { kind: "email", word: "email", isOffered: true },
          { kind: "sms", word: "sms", isOffered: true },
        ],
      }),
    ],
  }),
  {
    id: "account.sessions",
    title: "account.sessions",
    render: (frame, organizationName) =>
      pages.accountSessionsPage({ ...about, saved: false, sessions, organizationName }, frame),
  },
  ...statesOf("account.apps", "account.connected", {
    "": [undefined, apps(true)],
    none: ["account.noApps", apps(false)],
  }),
  { id: "account.activity", title: "account.activity", render: activity },
  ...statesOf("account.confirm", "account.remove", {
    factor: [
      "account.removeText",
      question({ what: "remove-factor", id: "1", name: { given: "Phone" }, isLast: false }),
    ],
    last: ["account.removeLast", question({ what: "remove-passkey", id: "1", name: { given: "Key" }, isLast: true })],
    codes: ["account.newCodesText", question({ what: "new-codes" })],
    session: ["account.endText", question({ what: "end-session", id: "1", device: "Firefox, Linux" })],
    others: ["account.endOthersText", question({ what: "end-others" })],
    app: ["account.disconnectText", question({ what: "disconnect-app", id: "1", name: SAMPLE_APP })],
  }),
];
