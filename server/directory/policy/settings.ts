/** The settings of policies by kind, by their names in the management API, and the built-in values. */
import { z } from "zod";
import { issue } from "../../protocol/reason";
import { SECOND_FACTOR_TYPES } from "../../protocol/second-factor";
import { limits } from "../../throttle";
import { email, strict, webAddress } from "../fields";
import type { Colour } from "../palette/colour";
import { NEUTRAL } from "../palette/palette";
import { MIN_CHOSEN_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../password-length";

/** Ten years. */
const MAX_PASSWORD_DAYS = 3_650;
/** Seconds. */
const YEAR = 31_536_000;
/** The default interval between offers of a passkey, in seconds. */
const PASSKEY_OFFER_INTERVAL = 30 * 86_400;
export const wholeNumber = (least: number, most: number) =>
  z
    .int({ error: issue("whole_number") })
    .min(least, { error: issue("least", { n: least }) })
    .max(most, { error: issue("most", { n: most }) });
/** Seconds. */
const lifetime = (least: number) => wholeNumber(least, 10 * YEAR);

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: issue("colour") })
  .transform((value) => value.toLowerCase() as Colour);

/** A stored picture; its path is derived from its digest. */
const picture = z.strictObject({ digest: z.string(), width: z.int(), height: z.int() }).nullable();

/** AUTO follows the system's setting. */
export const THEME_MODES = ["AUTO", "LIGHT", "DARK"] as const;
/** The four pictures of a brand. */
export const PICTURES = ["logo", "logoDark", "icon", "iconDark"] as const;
export type PictureName = (typeof PICTURES)[number];

const label = strict({
  primaryColor: colour,
  backgroundColor: colour,
  warnColor: colour,
  fontColor: colour,
  primaryColorDark: colour,
  backgroundColorDark: colour,
  warnColorDark: colour,
  fontColorDark: colour,
  themeMode: z.enum(THEME_MODES),
  /** Whether pages show login names without the @ and the part after it. */
  hideLoginNameSuffix: z.boolean(),
  /** Whether pages omit the service's own mark. */
  disableWatermark: z.boolean(),
  logo: picture,
  logoDark: picture,
  icon: picture,
  iconDark: picture,
});

/** What clients of ZITADEL set and read back. Nothing here depends on it; `builtIn` has what always applies. */
const withoutEffect = {
  /** No page reveals whether an account exists. */
  ignoreUnknownUsernames: z.boolean(),
  /** The organization of a sign-in is that of the app, or the one that its request names. */
  allowDomainDiscovery: z.boolean(),
  /** Numbers do not find users at the sign-in. */
  disableLoginWithPhone: z.boolean(),
  /** Passkeys are always accepted, as they are the safest way to sign in. */
  passwordlessType: z.enum(["PASSWORDLESS_TYPE_NOT_ALLOWED", "PASSWORDLESS_TYPE_ALLOWED"]),
};
export const SETTINGS_WITHOUT_EFFECT: readonly string[] = Object.keys(withoutEffect);

export const schemas = {
  login: strict({
    /** Whether people may create accounts themselves. */
    allowRegister: z.boolean(),
    /** Whether users may sign in with a password; otherwise only with a passkey. */
    allowUsernamePassword: z.boolean(),
    /** Whether identity providers are offered, and sign anyone in. */
    allowExternalIdp: z.boolean(),
    /** Whether the login name is asked for on a separate page before the password. */
    identifierFirst: z.boolean(),
    /** Whether all users need a second factor; users without one must set it up to continue. */
    forceMfa: z.boolean(),
    /** Whether users who signed in here need a second factor, but not those who signed in with an identity provider. */
    forceMfaLocalOnly: z.boolean(),
    /** The second factors that users may set up; see `permittedWays` for those they have already. */
    secondFactors: z
      .array(z.enum(SECOND_FACTOR_TYPES))
      .transform((types) => SECOND_FACTOR_TYPES.filter((type) => types.includes(type))),
    /** Whether a verified email address that is not the login name does not find its user at the sign-in. */
    disableLoginWithEmail: z.boolean(),
    /** Whether resetting a forgotten password is not offered. */
    hidePasswordReset: z.boolean(),
    /** Seconds after "not now" until a second factor is suggested again; 0 to suggest none. */
    mfaInitSkipLifetime: lifetime(0),
    /**
     * Seconds until a passkey is offered again after a password, in browsers that can store one; 0 for never. If a
     * second factor is suggested, passkeys come first in that suggestion and are not offered separately, so that users
     * get one question, not two.
     */
    passkeyOfferInterval: lifetime(0),
    /** Seconds after which the password is asked for again; sessions also have the service's own lifetime. */
    passwordCheckLifetime: lifetime(60),
    /** Seconds after which a sign-in with an identity provider has to be repeated. */
    externalLoginCheckLifetime: lifetime(60),
    /** Seconds after which a sign-in with a second factor has to be repeated. */
    secondFactorCheckLifetime: lifetime(60),
    /** Seconds after which a passkey is asked for again. */
    multiFactorCheckLifetime: lifetime(60),
    /**
     * Whether signing out also ends the offline access of all apps and devices that were granted access from that
     * session (rule SIGNOUT-4).
     */
    endOfflineAccessOnSignOut: z.boolean(),
    /** Where "Continue" leads after a task without an application, instead of the own account; empty for the account. */
    defaultRedirectUri: webAddress.or(z.literal("")),
    ...withoutEffect,
  }),
  /** The ids of the identity providers on sign-in pages, in the order of their buttons. */
  identityProviders: strict({ offered: z.array(z.string()) }),
  password: strict({
    /** Characters. NIST SP 800-63B §3.1.1.2: 15 if the password is the only factor, 8 in any case. */
    minLength: wholeNumber(MIN_PASSWORD_LENGTH, 72),
    /** The kinds of characters that a password needs (password-length.ts). */
    hasUppercase: z.boolean(),
    hasLowercase: z.boolean(),
    hasNumber: z.boolean(),
    hasSymbol: z.boolean(),
  }),
  passwordAge: strict({
    /** Days after which a password must be changed at the next sign-in with it; 0 for never. */
    maxAgeDays: wholeNumber(0, MAX_PASSWORD_DAYS),
    /** Days before that in which the account says when the password expires. */
    expireWarnDays: wholeNumber(0, MAX_PASSWORD_DAYS),
  }),
  lockout: strict({
    /**
     * Consecutive wrong passwords for one account, from anywhere; NIST SP 800-63B §3.2.2: no more than 100. 0 for the
     * limit that always applies, like that of `maxOtpAttempts`.
     */
    maxPasswordAttempts: wholeNumber(0, limits.password.blockAt),
    /** Consecutive wrong codes of one kind of second factor of one account. */
    maxOtpAttempts: wholeNumber(0, limits.factorsOf.blockAt),
  }),
  notification: strict({
    /** Whether users are notified that their password was changed, and so on; these are the names of the notices. */
    passwordChange: z.boolean(),
    factorAdded: z.boolean(),
    factorRemoved: z.boolean(),
    emailChanged: z.boolean(),
    phoneChanged: z.boolean(),
    newDevice: z.boolean(),
    accountLocked: z.boolean(),
    recoveryCodesUsed: z.boolean(),
    appConsent: z.boolean(),
    /** Whether the owners of an organization are notified that one of its users reported "This wasn't me". */
    accountDisowned: z.boolean(),
  }),
  /** Links at the bottom of pages; empty for none. */
  privacy: strict({
    tosLink: webAddress.or(z.literal("")),
    privacyLink: webAddress.or(z.literal("")),
    helpLink: webAddress.or(z.literal("")),
    supportEmail: email.or(z.literal("")),
    docsLink: webAddress.or(z.literal("")),
  }),
  /** The process for changing texts of messages and pages. */
  texts: strict({
    /** Whether a change waits until a second person approves it (texts/drafts); on if any level requires it. */
    requireTextApproval: z.boolean(),
  }),
  /** Restrictions of the instance, which organizations cannot change. */
  restrictions: strict({
    /** Stored for clients that read it; this service has no page for the public to create organizations. */
    disallowPublicOrgRegistration: z.boolean(),
    /** Languages of pages and mails; empty for all supported ones. */
    allowedLanguages: z.array(z.string()),
    /** Languages that are not built in (languages.ts): the BCP 47 tag, and the language's name in itself. */
    addedLanguages: z.array(strict({ tag: z.string(), name: z.string() })),
  }),
  /** The look of pages and mails. */
  label,
  /** The draft of the look, not yet active. */
  labelPreview: label,
} as const;

export type PolicyKind = keyof typeof schemas;
export type PolicySettings<Kind extends PolicyKind> = z.output<(typeof schemas)[Kind]>;
export type LabelSettings = PolicySettings<"label">;

const neutralLabel: LabelSettings = {
  primaryColor: NEUTRAL.light.primary,
  backgroundColor: NEUTRAL.light.ground,
  warnColor: NEUTRAL.light.danger,
  fontColor: NEUTRAL.light.ink,
  primaryColorDark: NEUTRAL.dark.primary,
  backgroundColorDark: NEUTRAL.dark.ground,
  warnColorDark: NEUTRAL.dark.danger,
  fontColorDark: NEUTRAL.dark.ink,
  themeMode: "AUTO",
  hideLoginNameSuffix: false,
  disableWatermark: false,
  logo: null,
  logoDark: null,
  icon: null,
  iconDark: null,
};

/**
 * The built-in values. Registration is open: prompt=create must lead to the form (rule PAGE-4), and an account by
 * itself gives access to nothing else.
 */
export const builtIn: { readonly [Kind in PolicyKind]: PolicySettings<Kind> } = {
  login: {
    allowRegister: true,
    allowUsernamePassword: true,
    allowExternalIdp: true,
    identifierFirst: false,
    forceMfa: false,
    forceMfaLocalOnly: false,
    // Codes by text message cost money, and a number can be taken over (NIST SP 800-63B §3.1.3.3: restricted).
    secondFactors: SECOND_FACTOR_TYPES.filter((type) => type !== "SECOND_FACTOR_TYPE_OTP_SMS"),
    disableLoginWithEmail: false,
    hidePasswordReset: false,
    mfaInitSkipLifetime: 0,
    passkeyOfferInterval: PASSKEY_OFFER_INTERVAL,
    passwordCheckLifetime: 10 * YEAR,
    externalLoginCheckLifetime: 10 * YEAR,
    secondFactorCheckLifetime: 10 * YEAR,
    multiFactorCheckLifetime: 10 * YEAR,
    endOfflineAccessOnSignOut: false,
    defaultRedirectUri: "",
    ignoreUnknownUsernames: true,
    allowDomainDiscovery: false,
    disableLoginWithPhone: true,
    passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
  },
  identityProviders: { offered: [] },
  password: {
    minLength: MIN_CHOSEN_PASSWORD_LENGTH,
    // NIST SP 800-63B §3.1.1.2: "Verifiers and CSPs SHALL NOT impose other composition rules", and the same of changes
    // at intervals.
    hasUppercase: false,
    hasLowercase: false,
    hasNumber: false,
    hasSymbol: false,
  },
  passwordAge: { maxAgeDays: 0, expireWarnDays: 0 },
  lockout: { maxPasswordAttempts: limits.password.blockAt, maxOtpAttempts: limits.factorsOf.blockAt },
  // These notices inform users of a theft. The one for new devices is off, because they are common where browsers
  // forget their cookies.
  notification: {
    passwordChange: true,
    factorAdded: true,
    factorRemoved: true,
    emailChanged: true,
    phoneChanged: true,
    newDevice: false,
    accountLocked: true,
    recoveryCodesUsed: true,
    appConsent: true,
    accountDisowned: true,
  },
  privacy: { tosLink: "", privacyLink: "", helpLink: "", supportEmail: "", docsLink: "" },
  texts: { requireTextApproval: false },
  restrictions: { disallowPublicOrgRegistration: false, allowedLanguages: [], addedLanguages: [] },
  label: neutralLabel,
  labelPreview: neutralLabel,
};

/** Returns the built-in values overridden by the levels, from the instance downwards. */
export function resolvePolicy<Kind extends PolicyKind>(
  kind: Kind,
  said: readonly (Record<string, unknown> | undefined)[],
): PolicySettings<Kind> {
  const adapt = ADAPTED[kind];
  const levels = adapt ? said.map((level) => level && adapt(level)) : said;
  const settings = Object.assign({}, builtIn[kind], ...levels) as PolicySettings<Kind>;
  return kind === "texts" ? { ...settings, ...withoutLoosening(levels) } : settings;
}

/** How what a level sets also applies to settings that it does not mention, instead of the value of the level above. */
const ADAPTED: { readonly [Kind in PolicyKind]?: (level: object) => Record<string, unknown> } = {
  label: withDarkTwins,
  labelPreview: withDarkTwins,
  // Sign-ins with an identity provider last as long as those with a password.
  login: ({ passwordCheckLifetime: externalLoginCheckLifetime, ...level }: Partial<PolicySettings<"login">>) => ({
    ...(externalLoginCheckLifetime && {
      passwordCheckLifetime: externalLoginCheckLifetime,
      externalLoginCheckLifetime,
    }),
    ...level,
  }),
};

/** Returns the text settings that a lower level cannot loosen; otherwise the editor whom they restrict could do so. */
function withoutLoosening(levels: readonly (Record<string, unknown> | undefined)[]): PolicySettings<"texts"> {
  return { requireTextApproval: levels.some((level) => level?.requireTextApproval === true) };
}

/**
 * Applies settings implied by others. Without password sign-in, passwords can be neither created nor reset. If a second
 * factor is required but none is permitted, the built-in ones are.
 */
export function inForce<Kind extends PolicyKind>(kind: Kind, settings: PolicySettings<Kind>): PolicySettings<Kind> {
  if (kind !== "login") return settings;
  const { allowUsernamePassword, forceMfa, forceMfaLocalOnly, secondFactors } = settings as PolicySettings<"login">;
  return {
    ...settings,
    ...(!allowUsernamePassword && { allowRegister: false, hidePasswordReset: true }),
    ...((forceMfa || forceMfaLocalOnly) &&
      secondFactors.length === 0 && { secondFactors: builtIn.login.secondFactors }),
  };
}

/**
 * Applies light-mode values to dark mode. If a level sets something for light mode only, its value also applies in dark
 * mode, instead of the dark value of the level above: the colour is adapted to dark mode, and the logo is the light
 * one.
 */
function withDarkTwins(level: Partial<LabelSettings>): Partial<LabelSettings> {
  const { primaryColor, warnColor, logo, icon } = level;
  return {
    ...(primaryColor && { primaryColorDark: primaryColor }),
    ...(warnColor && { warnColorDark: warnColor }),
    ...(logo && { logoDark: null }),
    ...(icon && { iconDark: null }),
    ...level,
  };
}
