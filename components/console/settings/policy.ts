// Policies as data: their settings and their addresses. They are the same for the instance and for organizations, which
// may have their own or inherit.

import type { Schemas } from "../../../server/api/generated/operations";
import * as operations from "../../../shared/generated/operations";

/** The operations on policies, at each level; they are the same for all kinds. */
export const POLICY_OPERATIONS = {
  instance: {
    read: operations.GetInstancePolicy,
    add: operations.SetInstancePolicy,
    change: operations.SetInstancePolicy,
  },
  organization: {
    read: operations.GetPolicy,
    inherited: operations.GetDefaultPolicy,
    add: operations.AddCustomPolicy,
    change: operations.UpdateCustomPolicy,
    reset: operations.ResetPolicyToDefault,
  },
} as const;

export type FieldKind = "switch" | "factors" | "number" | "duration" | "link" | "email";

export interface PolicyField {
  name: string;
  kind: FieldKind;
  /** The minimum of a duration, in seconds. A duration that may be 0 can be "never". */
  min?: number;
  max?: number;
  /** The key of its texts, if it is not the setting's own name. */
  text?: string;
  /** Whether the switch shows the opposite of the setting, because switches state what is allowed. */
  isInverted?: boolean;
  /** The effect of a change on existing users: the key of a text. */
  effect?: string;
}

/** The presets of a policy. */
export interface Presets {
  /** The key of their label. */
  text: "settings.howStrict" | "settings.sessionLifetime";
  /** Whether the fields that they set are shown only if their values match no preset. */
  areWhole?: boolean;
  /** The field that the presets precede; they may also set others. */
  before: string;
  /** The values that each preset sets, by the key of its text. */
  levels: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Ten years in seconds: a session ends earlier, by the service's own limits. */
const MAX_DURATION = 315_360_000;
/**
 * Returns the values of a preset for the lifetime of a session. NIST SP 800-63B §2.2.3 and §2.3.3: 24 h at AAL2, 12 h
 * at AAL3.
 */
const signInEvery = (duration: string) => ({
  passwordCheckLifetime: duration,
  externalLoginCheckLifetime: duration,
  secondFactorCheckLifetime: duration,
  multiFactorCheckLifetime: duration,
});
/** Returns the field for how long a sign-in is valid. */
const counting = (name: string, text: string) =>
  ({ name, text, kind: "duration", min: 60, max: MAX_DURATION, effect: "signedIn" }) as const;

/** The kinds of policies. `path` is the segment of the address after `/policies/`, and the key of their texts. */
export const POLICY_KINDS = [
  {
    path: "login",
    fields: [
      { name: "allowRegister", kind: "switch" },
      { name: "allowUsernamePassword", kind: "switch" },
      { name: "allowExternalIdp", kind: "switch" },
      { name: "identifierFirst", kind: "switch" },
      { name: "disableLoginWithEmail", text: "allowLoginWithEmail", kind: "switch", isInverted: true },
      { name: "hidePasswordReset", text: "offerPasswordReset", kind: "switch", isInverted: true },
      { name: "forceMfa", kind: "switch" },
      { name: "forceMfaLocalOnly", kind: "switch" },
      { name: "secondFactors", kind: "factors" },
      { name: "mfaInitSkipLifetime", text: "suggestFactorAgain", kind: "duration", min: 0, max: MAX_DURATION },
      { name: "passkeyOfferInterval", kind: "duration", min: 0, max: MAX_DURATION },
      counting("passwordCheckLifetime", "passwordAgain"),
      counting("externalLoginCheckLifetime", "providerAgain"),
      counting("secondFactorCheckLifetime", "secondFactorAgain"),
      counting("multiFactorCheckLifetime", "passkeyAgain"),
      { name: "endOfflineAccessOnSignOut", kind: "switch" },
      { name: "defaultRedirectUri", kind: "link" },
    ],
    presets: {
      text: "settings.sessionLifetime",
      areWhole: true,
      before: "passwordCheckLifetime",
      levels: {
        asService: signInEvery("315360000s"),
        week: signInEvery("604800s"),
        day: signInEvery("86400s"),
        halfDay: signInEvery("43200s"),
      },
    },
  },
  {
    path: "password/complexity",
    fields: [
      { name: "minLength", kind: "number", min: 8, max: 72, effect: "newPasswords" },
      { name: "hasUppercase", kind: "switch", effect: "newPasswords" },
      { name: "hasLowercase", kind: "switch", effect: "newPasswords" },
      { name: "hasNumber", kind: "switch", effect: "newPasswords" },
      { name: "hasSymbol", kind: "switch", effect: "newPasswords" },
    ],
    presets: {
      text: "settings.howStrict",
      before: "minLength",
      levels: { nist: { minLength: "15" }, strict: { minLength: "20" } },
    },
  },
  {
    path: "password/age",
    fields: [
      { name: "maxAgeDays", kind: "number", min: 0, max: 3_650 },
      { name: "expireWarnDays", kind: "number", min: 0, max: 3_650 },
    ],
  },
  {
    path: "lockout",
    fields: [
      {
        name: "maxPasswordAttempts",
        text: "failuresBeforeBlock",
        kind: "number",
        min: 0,
        max: 100,
        effect: "lowLimit",
      },
      { name: "maxOtpAttempts", kind: "number", min: 0, max: 10, effect: "lowLimit" },
    ],
    presets: {
      text: "settings.howStrict",
      before: "maxPasswordAttempts",
      levels: { standard: { maxPasswordAttempts: "100" }, strict: { maxPasswordAttempts: "10" } },
    },
  },
  {
    path: "notification",
    fields: [
      { name: "passwordChange", kind: "switch" },
      { name: "factorAdded", kind: "switch" },
      { name: "factorRemoved", kind: "switch" },
      { name: "emailChanged", kind: "switch" },
      { name: "phoneChanged", kind: "switch" },
      { name: "newDevice", kind: "switch" },
      { name: "accountLocked", kind: "switch" },
      { name: "recoveryCodesUsed", kind: "switch" },
      { name: "appConsent", kind: "switch" },
      { name: "accountDisowned", kind: "switch" },
    ],
  },
  {
    path: "privacy",
    fields: [
      { name: "tosLink", kind: "link" },
      { name: "privacyLink", kind: "link" },
      { name: "helpLink", kind: "link" },
      { name: "docsLink", kind: "link" },
      { name: "supportEmail", kind: "email" },
    ],
  },
  {
    path: "texts",
    fields: [{ name: "requireTextApproval", kind: "switch" }],
  },
] as const satisfies readonly {
  path: string;
  fields: readonly PolicyField[];
  presets?: Presets;
}[];
export type PolicyDeclaration = (typeof POLICY_KINDS)[number];
export type PolicyPath = PolicyDeclaration["path"];

/** Returns the id of a policy's card, which is also the key of its name. */
export const idOfPolicy = <Path extends PolicyPath>(path: Path) =>
  path.replace("/", "-") as Path extends `${infer Group}/${infer Name}` ? `${Group}-${Name}` : Path;

/** The views of the page of policies, each with its kinds; the first one opens without a name. */
export const POLICY_VIEWS = {
  login: ["login"],
  passwords: ["password/complexity", "password/age", "lockout"],
  notification: ["notification"],
  privacy: ["privacy"],
  texts: ["texts"],
} as const satisfies Readonly<Record<string, readonly [PolicyPath, ...PolicyPath[]]>>;
export type PolicyView = keyof typeof POLICY_VIEWS;
export const policyViewIn = (name: string | undefined): PolicyView =>
  name !== undefined && Object.hasOwn(POLICY_VIEWS, name) ? (name as PolicyView) : "login";

export type Policy = {
  details: Schemas["Details"];
  isDefault: boolean;
  ownSettings: readonly string[];
} & Readonly<Record<string, unknown>>;

/**
 * A policy and what it inherits.
 * @property path the segment of its address
 * @property inherited the policy of the level above; undefined if none exists, or if this level sets nothing itself
 */
export interface ReadPolicy {
  path: PolicyPath;
  policy: Policy;
  inherited: Policy | undefined;
}
