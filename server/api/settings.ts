/**
 * Version 2 of reading settings (rule API-10): what is in force in an organization, or on the instance, under the
 * names of that version. They are the policies of version 1 (policies.ts, label.ts), read from the same place; what this
 * service does not have is shown as what it does instead.
 */
import { z } from "zod";
import type { Context } from "../context";
import { picturePath } from "../directory/branding/branding";
import { identifier } from "../directory/fields";
import { findInstance } from "../directory/instance";
import { readPolicyLevels } from "../directory/policy/policies";
import { policyDetails } from "../directory/policy/read";
import { allowedAmong } from "../directory/policy/restrictions";
import { type PolicyKind, type PolicySettings, resolvePolicy } from "../directory/policy/settings";
import type { Details } from "../events/record";
import { LANGUAGES } from "../texts/languages";
import { type Operation, operation } from "./operation";
import { details } from "./schemas";

const tag = "Settings";
const OWNERS = { true: "RESOURCE_OWNER_TYPE_INSTANCE", false: "RESOURCE_OWNER_TYPE_ORG" } as const;
const duration = z.string().meta({ example: "864000s" });
const count = z.string().meta({ description: "uint64 as a string" });

/** Whose settings are asked for. Not strict: clients send further parameters, which are ignored. */
const about = z.object({
  "ctx.orgId": identifier.or(z.literal("")).optional().meta({ description: "As the header `x-service-orgid`" }),
  "ctx.instance": z.enum(["true", "false"]).optional().meta({ description: "`true`: those of the instance" }),
});

interface SettingsOfKind<Kind extends PolicyKind> {
  kind: Kind;
  name: string;
  path: string;
  subject: string;
  shape: z.ZodRawShape;
  show(settings: PolicySettings<Kind>, ctx: Context): Record<string, unknown>;
}

/** What of a kind is in force. */
interface InForce {
  details: Details;
  settings: Record<string, unknown>;
}

async function inForceIn<Kind extends PolicyKind>(
  ctx: Context,
  { kind, show }: SettingsOfKind<Kind>,
  organizationId: string | undefined,
): Promise<InForce> {
  const { instance, organization } = await readPolicyLevels(ctx, kind, organizationId);
  const isInherited = organization === undefined;
  return {
    details: await policyDetails(ctx, kind, isInherited ? undefined : organizationId),
    settings: {
      ...show(resolvePolicy(kind, [instance, organization]), ctx),
      resourceOwnerType: OWNERS[`${isInherited}`],
    },
  };
}

function settingsOperation<Kind extends PolicyKind>(settings: SettingsOfKind<Kind>): Operation {
  const { name, path, subject, shape } = settings;
  return operation({
    id: `Get${name}Settings`,
    method: "GET",
    path: `/v2/settings/${path}`,
    tag,
    summary: `Read ${subject}, as in force`,
    scope: { level: "organization", permission: "policy.read" },
    organizationQuery: "ctx.orgId",
    query: about,
    answer: z.object({
      details,
      settings: z
        .object({ ...shape, resourceOwnerType: z.enum(Object.values(OWNERS)) })
        .meta({ id: `${name}Settings` }),
    }),
    handle: (ctx, { organizationId, query }) =>
      inForceIn(ctx, settings, query["ctx.instance"] === "true" ? undefined : organizationId) as never,
  });
}

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

const login: SettingsOfKind<"login"> = {
  kind: "login",
  name: "Login",
  path: "login",
  subject: "how people sign in",
  shape: {
    allowUsernamePassword: z.boolean(),
    allowRegister: z.boolean(),
    forceMfa: z.boolean(),
    hidePasswordReset: z.boolean(),
    passkeysType: z.literal("PASSKEYS_TYPE_ALLOWED"),
    ignoreUnknownUsernames: z.literal(true).meta({ description: "No page tells whether there is an account" }),
    mfaInitSkipLifetime: duration,
    passwordCheckLifetime: duration,
    secondFactorCheckLifetime: duration,
    multiFactorCheckLifetime: duration,
  },
  show: ({ identifierFirst: _, ...settings }) => ({
    ...settings,
    passkeysType: "PASSKEYS_TYPE_ALLOWED",
    ignoreUnknownUsernames: true,
    mfaInitSkipLifetime: seconds(settings.mfaInitSkipLifetime),
    passwordCheckLifetime: seconds(settings.passwordCheckLifetime),
    secondFactorCheckLifetime: seconds(settings.secondFactorCheckLifetime),
    multiFactorCheckLifetime: seconds(settings.multiFactorCheckLifetime),
  }),
};

const branding: SettingsOfKind<"label"> = {
  kind: "label",
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
};

const lockout: SettingsOfKind<"lockout"> = {
  kind: "lockout",
  name: "Lockout",
  path: "lockout",
  subject: "after how many wrong passwords people must wait",
  shape: { maxPasswordAttempts: count },
  show: ({ maxPasswordAttempts }) => ({ maxPasswordAttempts: String(maxPasswordAttempts) }),
};

const legalAndSupport: SettingsOfKind<"privacy"> = {
  kind: "privacy",
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
};

const COMPOSITION = ["requiresUppercase", "requiresLowercase", "requiresNumber", "requiresSymbol"];
const passwordComplexity: SettingsOfKind<"password"> = {
  kind: "password",
  name: "PasswordComplexity",
  path: "password/complexity",
  subject: "what passwords must be like",
  shape: { minLength: count, ...Object.fromEntries(COMPOSITION.map((name) => [name, z.literal(false)])) },
  show: ({ minLength }) => ({
    minLength: String(minLength),
    // NIST SP 800-63B §3.1.1.2: "SHALL NOT impose other composition rules".
    ...Object.fromEntries(COMPOSITION.map((name) => [name, false])),
  }),
};

const passwordExpiry: SettingsOfKind<"password"> = {
  kind: "password",
  name: "PasswordExpiry",
  path: "password/expiry",
  subject: "when passwords expire: never",
  shape: { maxAgeDays: z.literal("0"), expireWarnDays: z.literal("0") },
  // NIST SP 800-63B §3.1.1.2: "SHALL NOT require subscribers to change passwords periodically".
  show: () => ({ maxAgeDays: "0", expireWarnDays: "0" }),
};

export const settingsOperations: readonly Operation[] = [
  operation({
    id: "GetGeneralSettings",
    method: "GET",
    path: "/v2/settings",
    tag,
    summary: "Read the default organization and the languages",
    scope: { level: "organization", permission: "policy.read" },
    answer: z.object({
      defaultOrgId: z.string(),
      defaultLanguage: z.string(),
      supportedLanguages: z.array(z.string()),
      allowedLanguages: z.array(z.string()),
    }),
    async handle(ctx) {
      const { defaultOrganizationId, defaultLanguage } = await findInstance(ctx);
      return {
        defaultOrgId: defaultOrganizationId ?? "",
        defaultLanguage,
        supportedLanguages: [...LANGUAGES],
        allowedLanguages: [...(await allowedAmong(ctx, LANGUAGES))],
      };
    },
  }),
  settingsOperation(login),
  settingsOperation(branding),
  settingsOperation(lockout),
  settingsOperation(legalAndSupport),
  settingsOperation(passwordComplexity),
  settingsOperation(passwordExpiry),
];
