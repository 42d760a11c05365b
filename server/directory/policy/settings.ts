/** The settings of policies by kind, by their names in the management API. */
import { z } from "zod";
import { issue } from "../../protocol/reason";
import { SECOND_FACTOR_TYPES } from "../../protocol/second-factor";
import { limits } from "../../throttle";
import { email, strict, webAddress } from "../fields";
import type { Colour } from "../palette/colour";
import { MIN_PASSWORD_LENGTH } from "../password-length";

/** Ten years. */
const MAX_PASSWORD_DAYS = 3_650;
/** Seconds. */
const YEAR = 31_536_000;
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
    /** Where "Continue" leads after a task without an application; empty for the own account. */
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
