/** The cause of each type of message: actions of users and administrators, not calls that create messages. */
import { changeDirectory } from "../directory/change";
import { addDomain, verifyDomain } from "../directory/organization/domain";
import { setPolicy } from "../directory/policy/policies";
import { rememberConsent } from "../directory/user/consent";
import { useRecoveryCode as spendRecoveryCode } from "../directory/user/recovery-codes";
import { addAuthenticatorApp, enableSentCodes } from "../directory/user/second-factor";
import type { MessageType } from "../message-types/table";
import { authenticate } from "../sessions/session";
import { emailStrings } from "../texts/built-in";
import { PASSWORD } from "./example";
import { enterPassword, hiddenFields, pageAt } from "./factors";
import { authorizePath } from "./flow";
import { lastMailTo } from "./mailed";
import { PERSON_NAME, type Stage, type StagePerson, type Trigger } from "./message-stage";
import { atHome } from "./own-account";

const SYSTEM = { actor: "system" };
const FIREFOX = { address: "192.0.2.7", name: "Mozilla/5.0 (X11; Linux) Firefox/149" };
const TYPED = /^[A-Z2-9]{4}-[A-Z2-9]{4}$/;
const ONE_TIME = /^\d{4} \d{4}$/;
const RESET = /^\/login\/reset-password\?token=[\w-]+$/;
const SECURITY = /^\/account\/security$/;
const SECURITY_NOTICE = { link: SECURITY, isDisownable: true } as const;
const unproven = ({ email }: StagePerson) => ({ email: { email, isEmailVerified: false } });

/** The triggers of emails. */
export const MAILS: Partial<Record<MessageType, Trigger>> = {
  // an administrator adds a user without a password
  init: {
    person: null,
    cause: ({ done }, { email, language }) =>
      done("POST", "/management/v1/users/human", {
        userName: email,
        profile: { firstName: "Fay", lastName: "Tor", displayName: PERSON_NAME, preferredLanguage: language },
        email: { email, isEmailVerified: false },
      }),
    link: RESET,
    code: TYPED,
  },
  // the user or an administrator requests a new password
  passwordreset: {
    cause: ({ done }, { id }) => done("POST", `/management/v1/users/${id}/password/_reset_notification`, {}),
    link: RESET,
    code: TYPED,
  },
  // someone registers with the address of an existing account
  account_exists: {
    async cause({ service }, { email, language }) {
      const browser = service.browser();
      const page = await pageAt(browser, await browser.get(authorizePath({ prompt: "create", ui_locales: language })));
      const form = { email, givenName: "Fay", familyName: "Tor", password: "a lamp, a river and a tram" };
      await browser.post("/login/create-account/submit", {
        ...hiddenFields(page, "/login/create-account/submit"),
        ...form,
      });
    },
    link: /^\/account\?login_hint=fay-\d+%40mail\.test$/,
    second: RESET,
    code: TYPED,
  },
  // there is a new address
  verifyemail: {
    person: unproven,
    cause: ({ done }, { id }) => done("POST", `/v2/users/${id}/email/resend`, { sendCode: {} }),
    link: /^\/account\/email\/confirm\?token=[\w-]+$/,
    code: TYPED,
  },
  // a sign-in requires a code
  verifyemailotp: {
    prepare: ({ done }, { id }) => done("POST", `/v2/users/${id}/otp_email`, {}),
    cause: askForCode,
    code: ONE_TIME,
  },
  // another organization proves the domain of the user name
  domainclaimed: {
    organizationId: () => "other",
    person: ({ id }) => ({ userName: `fay@${id}.claimed.test` }),
    cause: ({ service: { ctx } }, { id }) =>
      changeDirectory(ctx, async (ctx) => {
        await addDomain({ ...ctx, origin: SYSTEM }, "acme", `${id}.claimed.test`, false);
        await verifyDomain({ ...ctx, origin: SYSTEM }, "acme", `${id}.claimed.test`);
      }),
    link: /^\/account\?login_hint=[0-9a-f-]{36}%40temporary\.localhost$/,
    values: ({ id }) => ({ Domain: `${id}.claimed.test` }),
  },
  // an administrator sends the link
  passwordless_registration: {
    cause: ({ done }, { id }) => done("POST", `/management/v1/users/${id}/passwordless/_send_link`, {}),
    link: /^\/login\/\S+token=[\w-]+$/,
  },
  // the password was changed
  password_change: {
    cause: ({ done }, { id }) =>
      done("POST", `/v2/users/${id}/password`, { newPassword: { password: "a lamp, a river and a tram" } }),
    ...SECURITY_NOTICE,
  },
  // an administrator invites a user
  invite_user: {
    person: (person) => ({ password: undefined, ...unproven(person) }),
    cause: ({ done }, { id }) =>
      done("POST", `/v2/users/${id}/invite_code`, { sendCode: { applicationName: "Tram & River" } }),
    link: RESET,
    code: TYPED,
    values: () => ({ ApplicationName: "Tram & River", InviterName: "Ada Lovelace" }),
  },
  factor_added: {
    cause: ({ done }, { id }) => done("POST", `/v2/users/${id}/otp_email`, {}),
    ...SECURITY_NOTICE,
    values: ({ language }) => ({ Change: emailStrings(language).emailFactor }),
  },
  factor_removed: {
    prepare: ({ done }, { id }) => done("POST", `/v2/users/${id}/otp_email`, {}),
    cause: ({ done }, { id }) => done("DELETE", `/v2/users/${id}/otp_email`),
    ...SECURITY_NOTICE,
    values: ({ language }) => ({ Change: emailStrings(language).emailFactor }),
  },
  // the user changes the address; the old address is notified
  email_changed: {
    async cause({ service }, person) {
      const { browser, session } = await atHome(service, { ...person, loginName: person.email });
      const email = `new-${person.email}`;
      await browser.post("/account/email/change/submit", { session, email, currentPassword: PASSWORD });
      const { code } = await lastMailTo(service, email);
      await browser.post("/account/email/submit", { session, what: "confirm", code });
    },
    ...SECURITY_NOTICE,
    values: () => ({ Change: "n•••@mail.test" }),
  },
  // the user changes the number
  phone_changed: {
    async cause({ service }, person) {
      const home = await atHome(service, { ...person, loginName: person.email });
      const phone = `${person.phone.slice(0, -3)}9876`;
      await home.press(await home.page("phone"), "send", { phone });
      const { code } = await lastMailTo(service, phone);
      await home.press(await home.page("phone"), "submit", { code });
    },
    ...SECURITY_NOTICE,
    values: () => ({ Change: "••• 876" }),
  },
  // a sign-in with another browser, if the policy requires a notification
  new_device: {
    async prepare({ service: { ctx } }, person) {
      await changeDirectory(ctx, (ctx) =>
        setPolicy({ ...ctx, origin: SYSTEM }, "acme", "notification", { newDevice: true }),
      );
      await authenticate(ctx, { token: undefined, ...FIREFOX }, person, ["pwd"], {});
    },
    cause: ({ service: { ctx } }, person) => authenticate(ctx, { token: undefined, ...FIREFOX }, person, ["pwd"], {}),
    ...SECURITY_NOTICE,
    values: () => ({ Device: "Firefox · Linux", Address: FIREFOX.address }),
  },
  account_locked: {
    cause: ({ done }, { id }) => done("POST", `/management/v1/users/${id}/_lock`, {}),
    link: SECURITY,
  },
  // the last recovery code was used
  recovery_codes_used: {
    async prepare({ service: { ctx }, kept }, person) {
      const app = { id: `totp ${person.id}`, secret: "JBSWY3DPEHPK3PXP", timeStep: 1, name: "Phone" };
      const added = await addAuthenticatorApp({ ...ctx, origin: { actor: person.id } }, person, app);
      const [last = "", ...others] = added.kind === "added" ? (added.recoveryCodes ?? []) : [];
      for (const code of others) await spendRecoveryCode({ ...ctx, origin: { actor: person.id } }, person, code);
      kept.set(person.id, last);
    },
    cause: ({ service: { ctx }, kept }, person) =>
      spendRecoveryCode({ ...ctx, origin: { actor: person.id } }, person, kept.get(person.id) ?? ""),
    ...SECURITY_NOTICE,
  },
  // an app of another organization was admitted
  app_consent: {
    cause({ service: { ctx } }, { id: userId, organizationId }) {
      const agreement = { user: { userId, organizationId }, clientId: "web", scope: ["openid"] };
      return rememberConsent(ctx, agreement, { name: "Other shop", isForeign: true }, {});
    },
    ...SECURITY_NOTICE,
    values: () => ({ Change: "Other shop" }),
  },
  // a user reports an action as not their own; the owner of the organization is notified
  account_disowned: {
    organizationId: ({ id }) => `org-${id}`,
    person: () => ({ roles: ["ORG_OWNER"] }),
    async prepare(stage, { id, organizationId }) {
      const member = { id: `m-${id}`, organizationId, email: `m-${id}@mail.test`, phone: "+15550000001" };
      await stage.addPerson({ ...member, language: "en" });
      await enableSentCodes({ ...stage.service.ctx, origin: { actor: member.id } }, member, "email");
      const [notice] = await stage.service.ctx.db.prisma.outboxMessage.findMany({ where: { userId: member.id } });
      const { disown = "" } = (notice?.payload ?? {}) as { disown?: string };
      stage.kept.set(id, stage.service.ctx.secrets.open("mail", disown) ?? "");
    },
    async cause({ service, kept }, { id }) {
      const browser = service.browser();
      const page = await (await browser.get(kept.get(id) ?? "")).text();
      await browser.post("/login/not-me/submit", hiddenFields(page, "/login/not-me/submit"));
    },
    link: /^\/console\/organizations\/org-\S+\/users\/m-\S+$/,
    values: ({ id }) => ({ PersonName: PERSON_NAME, PersonLoginName: `m-${id}@mail.test` }),
  },
};

/** The triggers of text messages. */
export const TEXTS: Partial<Record<MessageType, Trigger>> = {
  // there is a new number
  verifyphone: {
    person: ({ phone }) => ({ phone: { phone, isPhoneVerified: false } }),
    cause: ({ done }, { id }) => done("POST", `/v2/users/${id}/phone/resend`, { sendCode: {} }),
    code: TYPED,
  },
  // a sign-in requires a code
  verifysmsotp: {
    prepare: ({ done }, { id }) => done("POST", `/v2/users/${id}/otp_sms`, {}),
    cause: askForCode,
    code: ONE_TIME,
  },
  // a new password, requested by text message
  passwordreset: {
    cause: ({ done }, { id }) =>
      done("POST", `/management/v1/users/${id}/password/_reset_notification`, { type: "TYPE_SMS" }),
    link: RESET,
    code: TYPED,
  },
};

async function askForCode({ service }: Stage, { email }: StagePerson): Promise<void> {
  const browser = service.browser();
  const page = await pageAt(browser, await enterPassword(browser, {}, { loginName: email, password: PASSWORD }));
  await browser.post("/login/mfa/send", hiddenFields(page, "/login/mfa/send"));
}
