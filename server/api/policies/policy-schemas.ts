/**
 * Policies as the management API has them: the fields of requests and of answers. Which values are allowed is defined
 * in directory/policy/settings.
 */
import { z } from "zod";
import { strict } from "../../directory/fields";
import type { PolicyKind, PolicySettings } from "../../directory/policy/policies";
import { SETTINGS_WITHOUT_EFFECT, schemas } from "../../directory/policy/settings";
import { issue } from "../../protocol/reason";
import { details } from "../operation/schemas";

/** The ids of the operations of one kind. */
interface PolicyIds {
  getInstance: string;
  setInstance: string;
  get: string;
  getDefault: string;
  add: string;
  update: string;
  reset: string;
}

export interface DeclaredPolicy<Kind extends PolicyKind = PolicyKind> {
  kind: Kind;
  /** The name of its schema, without Policy. */
  name: string;
  ids: PolicyIds;
  /** The address at which people read the one that they are under, below /auth/v1/policies/. */
  own?: { id: string; path: string };
  /** The part of the address after /policies/. */
  path: string;
  subject: string;
  description?: string;
  /** The body of a request; settings that are left out are inherited. */
  body: z.ZodType<Partial<PolicySettings<Kind>>>;
  /** Settings that are stored and have no effect. */
  withoutEffect?: readonly string[];
  /** Members of the answer, besides details and isDefault. */
  shape: z.ZodRawShape;
  show(settings: PolicySettings<Kind>): Record<string, unknown>;
}

/** Seconds as protocol buffers' JSON has them. */
const duration = z
  .string()
  .regex(/^\d+s$/)
  .meta({ example: "864000s" });
const seconds = z
  .string()
  .regex(/^\d{1,10}s$/, { error: issue("seconds") })
  .transform((text) => Number(text.slice(0, -1)));
/** uint64, which is a string in protocol buffers' JSON; clients send numbers too. */
const count = z.string().regex(/^\d+$/).meta({ description: "uint64 as a string" });
const counted = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,9}$/, { error: issue("whole_number") })
    .transform(Number),
]);

const login = schemas.login.shape;
const LIFETIMES = [
  "mfaInitSkipLifetime",
  "passkeyOfferInterval",
  "passwordCheckLifetime",
  "externalLoginCheckLifetime",
  "secondFactorCheckLifetime",
  "multiFactorCheckLifetime",
] as const;

/** A passkey by itself, always; version 1 and 2 name it alike. */
export const MULTI_FACTORS = ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"] as const;

const { maxPasswordAttempts, maxOtpAttempts } = schemas.lockout.shape;
const { maxAgeDays, expireWarnDays } = schemas.passwordAge.shape;
const counts = <Settings extends object>(settings: Settings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  );

const describe = <Kind extends PolicyKind>(words: DeclaredPolicy<Kind>): DeclaredPolicy =>
  words as unknown as DeclaredPolicy;

export const declaredPolicies: readonly DeclaredPolicy[] = [
  describe<"login">({
    kind: "login",
    name: "Login",
    ids: {
      getInstance: "GetInstanceLoginPolicy",
      setInstance: "SetInstanceLoginPolicy",
      get: "GetLoginPolicy",
      getDefault: "GetDefaultLoginPolicy",
      add: "AddCustomLoginPolicy",
      update: "UpdateCustomLoginPolicy",
      reset: "ResetLoginPolicyToDefault",
    },
    own: { id: "GetMyLoginPolicy", path: "login" },
    path: "login",
    subject: "the login policy",
    description:
      "The lifetimes specify after how long the password, the second factor or a passkey is requested again. " +
      'mfaInitSkipLifetime is how long "Not now" counts, until a second factor is suggested again; 0s: none is suggested. ' +
      "passkeyOfferInterval is how long it takes until a passkey is offered again after a password, in browsers that can keep " +
      "one; 0s: never. Where a second factor is suggested, passkeys come first in that suggestion and are not offered by themselves. " +
      "Settings that clients of ZITADEL know and that have no effect here are stored, returned, and named in x-service-ignored.",
    body: strict({
      ...login,
      mfaInitSkipLifetime: seconds.pipe(login.mfaInitSkipLifetime),
      passkeyOfferInterval: seconds.pipe(login.passkeyOfferInterval),
      passwordCheckLifetime: seconds.pipe(login.passwordCheckLifetime),
      externalLoginCheckLifetime: seconds.pipe(login.externalLoginCheckLifetime),
      secondFactorCheckLifetime: seconds.pipe(login.secondFactorCheckLifetime),
      multiFactorCheckLifetime: seconds.pipe(login.multiFactorCheckLifetime),
    }).partial(),
    withoutEffect: SETTINGS_WITHOUT_EFFECT,
    shape: {
      ...login,
      ...Object.fromEntries(LIFETIMES.map((name) => [name, duration])),
      multiFactors: z.array(z.enum(MULTI_FACTORS)),
    },
    show: (settings) => ({
      ...settings,
      multiFactors: [...MULTI_FACTORS],
      ...Object.fromEntries(LIFETIMES.map((name) => [name, `${settings[name]}s`])),
    }),
  }),
  describe<"password">({
    kind: "password",
    name: "PasswordComplexity",
    ids: {
      getInstance: "GetInstancePasswordComplexityPolicy",
      setInstance: "SetInstancePasswordComplexityPolicy",
      get: "GetPasswordComplexityPolicy",
      getDefault: "GetDefaultPasswordComplexityPolicy",
      add: "AddCustomPasswordComplexityPolicy",
      update: "UpdateCustomPasswordComplexityPolicy",
      reset: "ResetPasswordComplexityPolicyToDefault",
    },
    own: { id: "GetMyPasswordComplexityPolicy", path: "passwords/complexity" },
    path: "password/complexity",
    subject: "the password policy",
    description:
      "Common passwords and the user's own names are refused in any case. The kinds of characters apply to every password that is set, " +
      "the length to those that users choose. NIST SP 800-63B advises against required kinds, so none is by default.",
    body: strict({
      ...schemas.password.shape,
      minLength: counted.pipe(schemas.password.shape.minLength),
    }).partial(),
    shape: { ...schemas.password.shape, minLength: count },
    show: counts,
  }),
  describe<"passwordAge">({
    kind: "passwordAge",
    name: "PasswordAge",
    ids: {
      getInstance: "GetInstancePasswordAgePolicy",
      setInstance: "SetInstancePasswordAgePolicy",
      get: "GetPasswordAgePolicy",
      getDefault: "GetDefaultPasswordAgePolicy",
      add: "AddCustomPasswordAgePolicy",
      update: "UpdateCustomPasswordAgePolicy",
      reset: "ResetPasswordAgePolicyToDefault",
    },
    path: "password/age",
    subject: "the password age policy",
    description:
      "maxAgeDays: who signs in with an older password chooses another one first; 0: passwords do not expire. expireWarnDays: how long before " +
      "that the account says so. NIST SP 800-63B advises against changes at intervals.",
    body: strict({ maxAgeDays: counted.pipe(maxAgeDays), expireWarnDays: counted.pipe(expireWarnDays) }).partial(),
    shape: { maxAgeDays: count, expireWarnDays: count },
    show: counts,
  }),
  describe<"lockout">({
    kind: "lockout",
    name: "Lockout",
    ids: {
      getInstance: "GetInstanceLockoutPolicy",
      setInstance: "SetInstanceLockoutPolicy",
      get: "GetLockoutPolicy",
      getDefault: "GetDefaultLockoutPolicy",
      add: "AddCustomLockoutPolicy",
      update: "UpdateCustomLockoutPolicy",
      reset: "ResetLockoutPolicyToDefault",
    },
    path: "lockout",
    subject: "the lockout policy (wrong passwords and codes in a row)",
    description:
      "0 is the service's own limit: 100 passwords, 10 codes. The lower a limit, the easier it is to block the account of someone else. " +
      "Attempts from one network are slowed down after 5 in any case.",
    body: strict({
      maxPasswordAttempts: counted.pipe(maxPasswordAttempts),
      maxOtpAttempts: counted.pipe(maxOtpAttempts),
    }).partial(),
    shape: { maxPasswordAttempts: count, maxOtpAttempts: count },
    show: counts,
  }),
  describe<"privacy">({
    kind: "privacy",
    name: "Privacy",
    ids: {
      getInstance: "GetInstancePrivacyPolicy",
      setInstance: "SetInstancePrivacyPolicy",
      get: "GetPrivacyPolicy",
      getDefault: "GetDefaultPrivacyPolicy",
      add: "AddCustomPrivacyPolicy",
      update: "UpdateCustomPrivacyPolicy",
      reset: "ResetPrivacyPolicyToDefault",
    },
    own: { id: "GetMyPrivacyPolicy", path: "privacy" },
    path: "privacy",
    subject: "the privacy policy (links below the pages)",
    description: "In a link, {{.Lang}} is replaced by the language of the page.",
    body: schemas.privacy.partial(),
    shape: Object.fromEntries(Object.keys(schemas.privacy.shape).map((name) => [name, z.string()])),
    show: (settings) => ({ ...settings }),
  }),
  describe<"notification">({
    kind: "notification",
    name: "Notification",
    ids: {
      getInstance: "GetInstanceNotificationPolicy",
      setInstance: "SetInstanceNotificationPolicy",
      get: "GetNotificationPolicy",
      getDefault: "GetDefaultNotificationPolicy",
      add: "AddCustomNotificationPolicy",
      update: "UpdateCustomNotificationPolicy",
      reset: "ResetNotificationPolicyToDefault",
    },
    path: "notification",
    subject: "the notification policy (which changes users get an email about)",
    description: "passwordChange: that their password was changed; the others: the notice of the same name.",
    body: schemas.notification.partial(),
    shape: schemas.notification.shape,
    show: (settings) => ({ ...settings }),
  }),
  describe<"texts">({
    kind: "texts",
    name: "Texts",
    ids: {
      getInstance: "GetInstanceTextsPolicy",
      setInstance: "SetInstanceTextsPolicy",
      get: "GetTextsPolicy",
      getDefault: "GetDefaultTextsPolicy",
      add: "AddCustomTextsPolicy",
      update: "UpdateCustomTextsPolicy",
      reset: "ResetTextsPolicyToDefault",
    },
    path: "texts",
    subject: "the policy of texts (who changes what messages and pages say)",
    description:
      "requireTextApproval: a change of a text waits until another user approves it (…/text/drafts). On the instance, it applies to the service's own texts and to all organizations, which can enable it but not disable it. Disabling it does not approve pending changes.",
    body: schemas.texts.partial(),
    shape: schemas.texts.shape,
    show: (settings) => ({ ...settings }),
  }),
];

export const ownSettings = z
  .array(z.string())
  .meta({ description: "The settings that this level sets itself; the others are inherited" });

/** The answer to a request for a policy. */
export function policyAnswer(name: string, shape: z.ZodRawShape, more: z.ZodRawShape = {}) {
  const isDefault = z.boolean().meta({ description: "Whether it is inherited from the instance" });
  const policy = z.object({ details, ...shape, isDefault }).meta({ id: `${name}Policy` });
  return z.object({ policy, ...more });
}
