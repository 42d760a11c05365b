/**
 * The settings of policies by kind, with the names they have in the management API, and what holds where nobody says
 * anything.
 */
import { z } from "zod";
import type { Colour } from "../brand/colour";
import { NEUTRAL } from "../brand/palette";
import { email, strict, webAddress } from "../fields";
import { SHORTEST_CHOSEN_PASSWORD, SHORTEST_PASSWORD } from "../user/password-policy";

const YEAR = 31_536_000;
export const wholeNumber = (least: number, most: number) =>
  z
    .int({ error: "must be a whole number" })
    .min(least, { error: `must be at least ${least}` })
    .max(most, { error: `must be at most ${most}` });
/** Seconds. */
const lifetime = (least: number) => wholeNumber(least, 10 * YEAR);

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a colour as #rrggbb" })
  .transform((value) => value.toLowerCase() as Colour);

/** A kept picture; its address is made of its digest. */
const picture = z.strictObject({ digest: z.string(), width: z.int(), height: z.int() }).nullable();

/** Where light is shown by day and dark by night, or one of the two always. */
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
  /** Pages that say whose account it is leave out what follows the @ of the login name. */
  hideLoginNameSuffix: z.boolean(),
  /** The service's own sign does not stand on the pages. */
  disableWatermark: z.boolean(),
  logo: picture,
  logoDark: picture,
  icon: picture,
  iconDark: picture,
});

export const schemas = {
  login: strict({
    /** Whether people may create accounts themselves. */
    allowRegister: z.boolean(),
    /** Whether people sign in with a password; without, with a passkey only. */
    allowUsernamePassword: z.boolean(),
    /** Whether the login name is asked for on a page of its own, before the password. */
    identifierFirst: z.boolean(),
    /** Whether everybody needs a second factor; whoever has none sets one up before going on. */
    forceMfa: z.boolean(),
    /** Whether nobody is offered to reset a forgotten password. */
    hidePasswordReset: z.boolean(),
    /** Seconds for which "not now" counts where setting up a second factor is suggested; 0: it is not suggested. */
    mfaInitSkipLifetime: lifetime(0),
    /** Seconds after which the password is asked for again; the service's own session lifetime ends it in any case. */
    passwordCheckLifetime: lifetime(60),
    /** Seconds after which whoever showed a second factor signs in with both again. */
    secondFactorCheckLifetime: lifetime(60),
    /** Seconds after which a passkey is asked for again. */
    multiFactorCheckLifetime: lifetime(60),
  }),
  password: strict({
    /** Characters. NIST SP 800-63B §3.1.1.2: 15 where the password is the only factor, 8 in any case. */
    minLength: wholeNumber(SHORTEST_PASSWORD, 72),
  }),
  lockout: strict({
    /** Wrong passwords in a row for one account, from wherever; NIST SP 800-63B §3.2.2: no more than 100. */
    maxPasswordAttempts: wholeNumber(10, 100),
  }),
  notification: strict({
    /** Whether people are told that their password was changed. */
    passwordChange: z.boolean(),
  }),
  /** Links below the pages; an empty one is none. */
  privacy: strict({
    tosLink: webAddress.or(z.literal("")),
    privacyLink: webAddress.or(z.literal("")),
    helpLink: webAddress.or(z.literal("")),
    supportEmail: email.or(z.literal("")),
    docsLink: webAddress.or(z.literal("")),
  }),
  /** What the instance restricts for everybody; organizations say nothing about it. */
  restrictions: strict({
    /** Kept for programs that read it: no page of this service lets the public make organizations. */
    disallowPublicOrgRegistration: z.boolean(),
    /** Languages of pages and mails; none listed: all there are. */
    allowedLanguages: z.array(z.string()),
  }),
  /** The look of pages and mails. */
  label,
  /** The look that is tried out and not yet shown to people. */
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
 * What holds where nobody says anything. Registration is open: prompt=create must lead to the form (Spec: prompt), and
 * an account alone gives access to nothing but itself.
 */
export const builtIn: { readonly [Kind in PolicyKind]: PolicySettings<Kind> } = {
  login: {
    allowRegister: true,
    allowUsernamePassword: true,
    identifierFirst: false,
    forceMfa: false,
    hidePasswordReset: false,
    mfaInitSkipLifetime: 0,
    passwordCheckLifetime: 10 * YEAR,
    secondFactorCheckLifetime: 10 * YEAR,
    multiFactorCheckLifetime: 10 * YEAR,
  },
  password: { minLength: SHORTEST_CHOSEN_PASSWORD },
  lockout: { maxPasswordAttempts: 100 },
  // It is how people learn of a theft.
  notification: { passwordChange: true },
  privacy: { tosLink: "", privacyLink: "", helpLink: "", supportEmail: "", docsLink: "" },
  restrictions: { disallowPublicOrgRegistration: false, allowedLanguages: [] },
  label: neutralLabel,
  labelPreview: neutralLabel,
};

/**
 * What the levels say, from the instance downwards, laid over what is built in.
 */
export function resolvePolicy<Kind extends PolicyKind>(
  kind: Kind,
  said: readonly (Record<string, unknown> | undefined)[],
): PolicySettings<Kind> {
  const levels =
    kind === "label" || kind === "labelPreview" ? said.map((level) => level && withDarkTwins(level)) : said;
  return Object.assign({}, builtIn[kind], ...levels) as PolicySettings<Kind>;
}

/** What follows from the settings: where nobody signs in with a password, nobody makes one or resets one. */
export function inForce<Kind extends PolicyKind>(kind: Kind, settings: PolicySettings<Kind>): PolicySettings<Kind> {
  if (kind !== "login" || (settings as PolicySettings<"login">).allowUsernamePassword) return settings;
  return { ...settings, allowRegister: false, hidePasswordReset: true };
}

/**
 * A level that says how something looks by day and not how by night means its own, not what the level above has by
 * night: the colour is made readable in the dark, and without a dark logo there is the one.
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
