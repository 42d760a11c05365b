/**
 * The response schemas of the settings in version 2 of the API, by kind. Unsupported settings are returned with the
 * fixed value that describes the actual behavior.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { picturePath } from "../../directory/branding/branding";
import { identifier } from "../../directory/fields";
import { builtIn } from "../../directory/policy/built-in";
import type { PolicyKind, PolicySettings } from "../../directory/policy/settings";
import { SECOND_FACTOR_TYPES } from "../../protocol/second-factor";
import { MULTI_FACTORS } from "./policy-schemas";

/** The requested level. Not strict: clients send further parameters, which are ignored. */
export const settingsOwner = z.object({
  "ctx.orgId": identifier.or(z.literal("")).optional().meta({ description: "As the header `x-service-orgid`" }),
  "ctx.instance": z.enum(["true", "false"]).optional().meta({ description: "`true`: those of the instance" }),
});

const duration = z.string().meta({ example: "864000s" });
const count = z.string().meta({ description: "uint64 as a string" });

export interface SettingsOfKind<Kind extends PolicyKind = PolicyKind> {
  /** The policy they are read from. */
  kind: Kind;
  id: string;
  /** The name of its schema, without Settings. */
  name: string;
  /** The part of the address after /v2/settings/. */
  path: string;
  subject: string;
  /** Members of the answer, besides resourceOwnerType. */
  shape: z.ZodRawShape;
  show(settings: PolicySettings<Kind>, ctx: Context): Record<string, unknown>;
}

const describe = <Kind extends PolicyKind>(settings: SettingsOfKind<Kind>): SettingsOfKind =>
  settings as unknown as SettingsOfKind;

const seconds = (value: number) => `${value}s`;
const theme = z
  .object({
    primaryColor: z.string(),
    warnColor: z.string(),
    backgroundColor: z.string(),
    fontColor: z.string(),
    logoUrl: z.string().optional(),
    iconUrl: z.string().optional(),
  })
  .meta({ id: "Theme" });

const login = describe<"login">({
  kind: "login",
  id: "GetLoginSettings",
  name: "Login",
  path: "login",
  subject: "how users sign in",
  shape: {
    allowUsernamePassword: z.boolean(),
    allowLocalAuthentication: z.literal(true).meta({ description: "Passkeys are always accepted" }),
    allowRegister: z.boolean(),
    allowExternalIdp: z.boolean(),
    forceMfa: z.boolean(),
    forceMfaLocalOnly: z.boolean(),
    hidePasswordReset: z.boolean(),
    passkeysType: z.literal("PASSKEYS_TYPE_ALLOWED"),
    ignoreUnknownUsernames: z.literal(true).meta({ description: "No page reveals whether an account exists" }),
    allowDomainDiscovery: z.literal(false),
    disableLoginWithEmail: z.boolean(),
    disableLoginWithPhone: z.literal(true),
    secondFactors: z.array(z.enum(SECOND_FACTOR_TYPES)),
    multiFactors: z.array(z.enum(MULTI_FACTORS)),
    mfaInitSkipLifetime: duration,
    passkeyOfferInterval: duration.meta({
      description: "Until a passkey is offered again after a password; 0s: never",
    }),
    passwordCheckLifetime: duration,
    externalLoginCheckLifetime: duration,
    secondFactorCheckLifetime: duration,
    multiFactorCheckLifetime: duration,
    endOfflineAccessOnSignOut: z.boolean(),
    defaultRedirectUri: z.string(),
  },
  show: ({ identifierFirst: _, passwordlessType: __, ...settings }) => ({
    ...settings,
    allowLocalAuthentication: true,
    allowDomainDiscovery: false,
    disableLoginWithPhone: true,
    multiFactors: [...MULTI_FACTORS],
    passkeysType: "PASSKEYS_TYPE_ALLOWED",
    ignoreUnknownUsernames: true,
    mfaInitSkipLifetime: seconds(settings.mfaInitSkipLifetime),
    passkeyOfferInterval: seconds(settings.passkeyOfferInterval),
    passwordCheckLifetime: seconds(settings.passwordCheckLifetime),
    externalLoginCheckLifetime: seconds(settings.externalLoginCheckLifetime),
    secondFactorCheckLifetime: seconds(settings.secondFactorCheckLifetime),
    multiFactorCheckLifetime: seconds(settings.multiFactorCheckLifetime),
  }),
});

const branding = describe<"label">({
  kind: "label",
  id: "GetBrandingSettings",
  name: "Branding",
  path: "branding",
  subject: "the branding of pages and mails",
  shape: {
    lightTheme: theme,
    darkTheme: theme,
    hideLoginNameSuffix: z.boolean(),
    disableWatermark: z.boolean(),
    themeMode: z.string().meta({ example: "THEME_MODE_AUTO" }),
  },
  show(settings, { config }) {
    const address = (picture: { digest: string } | null) =>
      picture === null ? undefined : `${config.baseUrl}${picturePath(picture.digest)}`;
    const { logo, logoDark, icon, iconDark } = settings;
    return {
      lightTheme: {
        primaryColor: settings.primaryColor,
        warnColor: settings.warnColor,
        backgroundColor: settings.backgroundColor,
        fontColor: settings.fontColor,
        logoUrl: address(logo),
        iconUrl: address(icon),
      },
      darkTheme: {
        primaryColor: settings.primaryColorDark,
        warnColor: settings.warnColorDark,
        backgroundColor: settings.backgroundColorDark,
        fontColor: settings.fontColorDark,
        logoUrl: address(logoDark ?? logo),
        iconUrl: address(iconDark ?? icon),
      },
      hideLoginNameSuffix: settings.hideLoginNameSuffix,
      disableWatermark: settings.disableWatermark,
      themeMode: `THEME_MODE_${settings.themeMode}`,
    };
  },
});

const lockout = describe<"lockout">({
  kind: "lockout",
  id: "GetLockoutSettings",
  name: "Lockout",
  path: "lockout",
  subject: "the number of wrong passwords that blocks an account",
  shape: { maxPasswordAttempts: count, maxOtpAttempts: count },
  show: ({ maxPasswordAttempts, maxOtpAttempts }) => ({
    maxPasswordAttempts: String(maxPasswordAttempts || builtIn.lockout.maxPasswordAttempts),
    maxOtpAttempts: String(maxOtpAttempts || builtIn.lockout.maxOtpAttempts),
  }),
});

const legalAndSupport = describe<"privacy">({
  kind: "privacy",
  id: "GetLegalAndSupportSettings",
  name: "LegalAndSupport",
  path: "legal_support",
  subject: "the links below the pages",
  shape: {
    tosLink: z.string(),
    privacyPolicyLink: z.string(),
    helpLink: z.string(),
    supportEmail: z.string(),
    docsLink: z.string(),
  },
  show: ({ privacyLink, ...links }) => ({ ...links, privacyPolicyLink: privacyLink }),
});

const passwordComplexity = describe<"password">({
  kind: "password",
  id: "GetPasswordComplexitySettings",
  name: "PasswordComplexity",
  path: "password/complexity",
  subject: "what passwords must be like",
  shape: {
    minLength: count,
    requiresUppercase: z.boolean(),
    requiresLowercase: z.boolean(),
    requiresNumber: z.boolean(),
    requiresSymbol: z.boolean(),
  },
  show: ({ minLength, hasUppercase, hasLowercase, hasNumber, hasSymbol }) => ({
    minLength: String(minLength),
    requiresUppercase: hasUppercase,
    requiresLowercase: hasLowercase,
    requiresNumber: hasNumber,
    requiresSymbol: hasSymbol,
  }),
});

const passwordExpiry = describe<"passwordAge">({
  kind: "passwordAge",
  id: "GetPasswordExpirySettings",
  name: "PasswordExpiry",
  path: "password/expiry",
  subject: "when passwords expire",
  shape: { maxAgeDays: count, expireWarnDays: count },
  show: ({ maxAgeDays, expireWarnDays }) => ({
    maxAgeDays: String(maxAgeDays),
    expireWarnDays: String(expireWarnDays),
  }),
});

export const settingsOfKinds: readonly SettingsOfKind[] = [
  login,
  branding,
  lockout,
  legalAndSupport,
  passwordComplexity,
  passwordExpiry,
];
