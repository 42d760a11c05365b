/** Samples of the account pages, for editors of their texts. */
import { activityKinds } from "../../../components/login/account/activity-page";
import type { AccountQuestion } from "../../../components/login/account/confirm-page";
import { locales } from "../../../messages/locales";
import * as pages from "../account/pages";
import { NOWHERE, type Render, SAMPLE_TIME, type SamplePage, type SampleValues, statesOf } from "./sample-page";

const about = { fields: {}, timeZone: "Europe/London", action: NOWHERE, confirmPath: NOWHERE, cancelHref: NOWHERE };
const DAY = 86_400_000;
const factor = (id: string, name: string) => ({ id, name, createdAt: SAMPLE_TIME - 90 * DAY, usedAt: SAMPLE_TIME });
/** Differs from the usual state of a page. */
type StateOf<Props> = (values: SampleValues) => Partial<Props>;
const usual = () => ({});

const emailPage =
  (state: StateOf<Parameters<typeof pages.accountEmailPage>[0]> = usual): Render =>
  (frame, values) => {
    const { organizationName, email, sender } = values;
    const props = { ...about, saved: false, value: email, isVerified: false, sender, changeHref: NOWHERE };
    return pages.accountEmailPage({ ...props, organizationName, ...state(values) }, frame);
  };
const phonePage =
  (state: StateOf<Parameters<typeof pages.accountPhonePage>[0]> = usual): Render =>
  (frame, values) => {
    const { organizationName, phone } = values;
    const props = { ...about, saved: false, value: phone, isVerified: false, isRemovable: true };
    return pages.accountPhonePage({ ...props, organizationName, ...state(values) }, frame);
  };
type Security = Parameters<typeof pages.accountSecurityPage>[0];
const security =
  (state: StateOf<Security> = usual): Render =>
  (frame, values) => {
    const sent: Security["sent"] = [
      { kind: "email", word: "email", isOffered: true, address: values.email },
      { kind: "sms", word: "sms", isOffered: true, address: values.phone },
    ];
    const hrefs = { changePasswordHref: NOWHERE, addAppHref: NOWHERE, addPasskeyHref: NOWHERE, linkAction: NOWHERE };
    const none = { apps: [], passkeys: [], links: [], linkable: [] };
    const nothing = { saved: false, ...none, sent, recoveryCodesLeft: 0, maximumNameLength: 60 };
    const { organizationName } = values;
    return pages.accountSecurityPage({ ...about, ...hrefs, ...nothing, organizationName, ...state(values) }, frame);
  };
const everything: StateOf<Security> = ({ email, factors }) => ({
  passwordChangedAt: SAMPLE_TIME - 30 * DAY,
  passwordExpiresAt: SAMPLE_TIME + 7 * DAY,
  apps: [factor("1", factors.app)],
  sent: [{ kind: "email", word: "email", isOffered: true, address: email, factor: factor("2", "") }],
  passkeys: [
    { ...factor("3", factors.passkey), synced: true },
    { id: "4", name: factors.securityKey, createdAt: SAMPLE_TIME, synced: false },
  ],
  links: [{ id: "5", provider: "GitHub", userName: email, createdAt: SAMPLE_TIME, tokenApps: ["ACME"] }],
  linkable: [{ id: "6", name: "Google" }],
  recoveryCodesLeft: 9,
});
const linkErrors = [
  ["failed", "account.linkFailed"],
  ["denied", "account.linkDenied"],
  ["refused", "account.linkRefused"],
  ["taken", "account.linkTaken"],
  ["last", "account.linkLast"],
] as const;
type Profile = Parameters<typeof pages.accountProfilePage>[0];
const profile =
  (errors?: Profile["errors"]): Render =>
  (frame, { organizationName, givenName, familyName, displayName }) => {
    const names = { givenName, familyName, nickname: "", displayName };
    const choices = { languages: locales, timeZones: ["UTC", "Europe/London"], maximumLength: 200 };
    const values = { ...names, language: "en", timeZone: "Europe/London" };
    return pages.accountProfilePage({ ...about, ...choices, saved: false, values, errors, organizationName }, frame);
  };
const changeEmail =
  (errors?: Parameters<typeof pages.changeEmailPage>[0]["errors"]): Render =>
  (frame, { organizationName, loginName, email }) => {
    const props = { ...about, loginName, email, hasPassword: true, maximumLength: 254 };
    return pages.changeEmailPage({ ...props, errors, organizationName }, frame);
  };
const overview =
  (hasContacts: boolean): Render =>
  (frame, { organizationName, displayName, loginName, ...contacts }) => {
    const [email, phone] = hasContacts ? [contacts.email, contacts.phone] : [];
    const person = { displayName, loginName, email, isEmailVerified: true, phone, isPhoneVerified: false };
    const protection = { passkeys: hasContacts ? 1 : 0, addPasskeyHref: NOWHERE, factors: hasContacts ? 2 : 0 };
    const counts = { ...protection, sessions: 3, apps: 4 };
    return pages.accountOverviewPage({ ...about, ...person, ...counts, saved: !hasContacts, organizationName }, frame);
  };
const question =
  (ask: (values: SampleValues) => AccountQuestion): Render =>
  (frame, values) =>
    pages.accountConfirmPage({ ...about, question: ask(values), organizationName: values.organizationName }, frame);

const sessions: Render = (frame, { organizationName }) => {
  const list = [
    { id: "1", device: "Firefox · Linux", lastSeenAt: SAMPLE_TIME, current: true },
    { id: "2", device: undefined, address: "192.0.2.7", lastSeenAt: SAMPLE_TIME - DAY, current: false },
    { id: "3", device: "Safari · iPhone", lastSeenAt: SAMPLE_TIME - 2 * DAY, current: false },
  ];
  return pages.accountSessionsPage({ ...about, saved: false, sessions: list, organizationName }, frame);
};
const apps =
  (isConnected: boolean): Render =>
  (frame, { organizationName, appName }) => {
    const times = { connectedAt: SAMPLE_TIME - DAY, usedAt: SAMPLE_TIME };
    const opened = { name: appName, startHref: NOWHERE };
    const app = { clientId: "1", ...opened, disclosures: [], projectScopes: [], ...times };
    const agent = { id: "1", name: appName, app };
    const shown = isConnected ? { apps: [app], agents: [agent], others: [opened] } : { apps: [], agents: [] };
    return pages.accountAppsPage({ ...about, saved: false, ...shown, organizationName }, frame);
  };
const activity: Render = (frame, { organizationName }) => {
  const entries = activityKinds.map((kind, index) => {
    const device = kind === "signedIn" ? "Firefox · Linux" : undefined;
    return { kind, at: SAMPLE_TIME - index * DAY, device, bySomebodyElse: index === 1 };
  });
  return pages.accountActivityPage({ ...about, entries, olderBefore: 1, isOlder: true, organizationName }, frame);
};

export const accountSamples: readonly SamplePage[] = [
  ...statesOf("account", "account.title", {
    "": [undefined, overview(true)],
    saved: ["account.saved", overview(false)],
  }),
  ...statesOf("account.profile", "account.profile", {
    "": [undefined, profile()],
    invalid: ["account.unknownChoice", profile({ displayName: "invalid", timeZone: "invalid", language: "invalid" })],
  }),
  ...statesOf("account.email", "common.email", {
    "": [undefined, emailPage(() => ({ isVerified: true }))],
    unconfirmed: ["account.emailUnconfirmed", emailPage()],
    none: ["account.noEmail", emailPage(() => ({ value: undefined }))],
    code: ["code.label", emailPage(({ email }) => ({ pending: email }))],
  }),
  ...statesOf("account.change-email", "account.changeEmail", {
    "": [undefined, changeEmail()],
    same: ["account.sameEmail", changeEmail({ email: "same", currentPassword: "wrong" })],
  }),
  {
    id: "account.link",
    title: "verifyEmail.linkTitle",
    state: "account.linkQuestion",
    render: (frame, { email, loginName, organizationName }) =>
      pages.addressLinkPage({ ...about, email, loginName, organizationName }, frame),
  },
  ...statesOf("account.phone", "account.phone", {
    "": [undefined, phonePage(() => ({ isVerified: true }))],
    unconfirmed: ["account.emailUnconfirmed", phonePage()],
    none: ["account.noPhone", phonePage(() => ({ value: undefined }))],
    code: ["account.phoneSent", phonePage(({ phone }) => ({ pending: phone }))],
    invalid: ["account.phoneInvalid", phonePage(() => ({ typed: "123", errors: { phone: "invalid" } }))],
  }),
  ...statesOf("account.security", "account.security", {
    "": [undefined, security(everything)],
    none: ["account.noPasskey", security()],
    link: ["account.noLinks", security(() => ({ linkable: [{ id: "6", name: "Google" }] }))],
    ...Object.fromEntries(
      linkErrors.map(([linkError, text]) => [`link-${linkError}`, [text, security(() => ({ linkError }))] as const]),
    ),
    unconfirmed: [
      "account.confirmFirst",
      security(() => ({
        sent: [
          { kind: "email", word: "email", isOffered: true },
          { kind: "sms", word: "sms", isOffered: true },
        ],
      })),
    ],
  }),
  { id: "account.sessions", title: "account.sessions", render: sessions },
  ...statesOf("account.apps", "account.connected", {
    "": [undefined, apps(true)],
    none: ["account.noApps", apps(false)],
  }),
  { id: "account.activity", title: "account.activity", render: activity },
  ...statesOf("account.confirm", "account.remove", {
    factor: [
      "account.removeText",
      question(({ factors }) => ({ what: "remove-factor", id: "1", name: { given: factors.app }, isLast: false })),
    ],
    last: [
      "account.removeLast",
      question(({ factors }) => {
        return { what: "remove-passkey", id: "1", name: { given: factors.securityKey }, isLast: true };
      }),
    ],
    link: ["account.removeText", question(() => ({ what: "remove-link", id: "1", provider: "GitHub" }))],
    codes: ["account.newCodesText", question(() => ({ what: "new-codes" }))],
    session: ["account.endText", question(() => ({ what: "end-session", id: "1", device: "Firefox · Linux" }))],
    others: ["account.endOthersText", question(() => ({ what: "end-others" }))],
    app: ["account.disconnectText", question(({ appName: name }) => ({ what: "disconnect-app", id: "1", name }))],
    agent: [
      "account.stopAgentText",
      question(({ appName: name }) => ({ what: "stop-agent", id: "1", name, appName: name })),
    ],
    administrator: [
      "account.stopAdministratorText",
      question(({ appName }) => ({ what: "stop-agent", id: "1", name: undefined, appName })),
    ],
  }),
];
