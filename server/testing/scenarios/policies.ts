/** Policies of the instance and of an organization, branding, and the allowed languages. */
import { png } from "../pictures";
import type { Step } from "./step";

/** Returns the steps for one kind of policy: the instance sets it, an organization overrides it and resets it. */
function walk(name: string, first: object, then: object): Step[] {
  return [
    { operation: `SetInstance${name}Policy`, body: first },
    { operation: `GetInstance${name}Policy` },
    { operation: `GetDefault${name}Policy`, as: "colleague" },
    { operation: `AddCustom${name}Policy`, as: "colleague", body: first },
    { operation: `UpdateCustom${name}Policy`, as: "colleague", body: then },
    { operation: `Get${name}Policy`, as: "colleague" },
    { operation: `Reset${name}PolicyToDefault`, as: "colleague" },
  ];
}

export const policySteps: Step[] = [
  ...walk(
    "Login",
    { allowRegister: false, forceMfa: false, passwordCheckLifetime: "864000s" },
    { allowUsernamePassword: true, hidePasswordReset: true, secondFactorCheckLifetime: "64800s" },
  ),
  { operation: "AddSecondFactorToLoginPolicy", body: { type: "SECOND_FACTOR_TYPE_OTP_SMS" } },
  { operation: "ListLoginPolicySecondFactors" },
  { operation: "RemoveSecondFactorFromLoginPolicy", body: { type: "SECOND_FACTOR_TYPE_OTP_SMS" } },
  { operation: "AddOwnSecondFactor", as: "colleague", body: { type: "SECOND_FACTOR_TYPE_OTP_SMS" } },
  { operation: "ListOwnSecondFactors", as: "colleague" },
  { operation: "RemoveOwnSecondFactor", as: "colleague", body: { type: "SECOND_FACTOR_TYPE_OTP_SMS" } },
  { operation: "ResetLoginPolicyToDefault", as: "colleague" },
  ...walk("PasswordComplexity", { minLength: "12", hasUppercase: false }, { minLength: 20 }),
  ...walk("PasswordAge", { maxAgeDays: "365", expireWarnDays: 14 }, { maxAgeDays: 0 }),
  ...walk("Lockout", { maxPasswordAttempts: 10 }, { maxPasswordAttempts: "50" }),
  ...walk(
    "Privacy",
    { tosLink: "https://acme.test/{{.Lang}}/terms" },
    { supportEmail: "help@acme.test", docsLink: "" },
  ),
  ...walk("Notification", { passwordChange: true }, { passwordChange: false }),
  ...walk("Texts", { requireTextApproval: true }, { requireTextApproval: false }),
  // The scenarios of texts work without it.
  { operation: "SetInstanceTextsPolicy", body: { requireTextApproval: false } },
  { operation: "GetRestrictions" },
  { operation: "SetRestrictions", body: { allowedLanguages: { list: ["en", "de"] } } },
];

const content = png(4, 2).toString("base64");
const pictures = ["Logo", "LogoDark", "Icon", "IconDark"];

export const labelSteps: Step[] = [
  { operation: "SetInstanceLabelPolicy", body: { primaryColor: "#d00000", themeMode: "THEME_MODE_LIGHT" } },
  ...pictures.map((name) => ({ operation: `SetInstanceLabelPolicy${name}`, body: { content } })),
  { operation: "GetInstancePreviewLabelPolicy" },
  { operation: "RenderInstanceLabelPolicy" },
  { operation: "ActivateInstanceLabelPolicy" },
  { operation: "GetInstanceLabelPolicy" },
  ...pictures.map((name) => ({ operation: `RemoveInstanceLabelPolicy${name}` })),
  { operation: "GetDefaultLabelPolicy", as: "colleague" },
  { operation: "AddCustomLabelPolicy", as: "colleague", body: { primaryColor: "#FFFF00", backgroundColor: "" } },
  { operation: "UpdateCustomLabelPolicy", as: "colleague", body: { fontColor: "#eeeeee", disableWatermark: true } },
  ...pictures.map((name) => ({
    operation: `SetCustomLabelPolicy${name}`,
    as: "colleague" as const,
    body: { content },
  })),
  { operation: "GetCustomPreviewLabelPolicy", as: "colleague" },
  { operation: "RenderCustomLabelPolicy", as: "colleague", body: { page: "mail", language: "de", fontColor: "" } },
  { operation: "ActivateCustomLabelPolicy", as: "colleague", body: {} },
  { operation: "GetLabelPolicy", as: "colleague" },
  ...pictures.map((name) => ({ operation: `RemoveCustomLabelPolicy${name}`, as: "colleague" as const })),
  { operation: "ResetLabelPolicyToDefault", as: "colleague" },
  { operation: "GetGeneralSettings", as: "colleague" },
  { operation: "GetLoginSettings", as: "colleague" },
  { operation: "GetBrandingSettings", as: "colleague" },
  { operation: "GetLockoutSettings", as: "colleague" },
  { operation: "GetLegalAndSupportSettings", as: "colleague" },
  { operation: "GetPasswordComplexitySettings", as: "colleague" },
  { operation: "GetDomainSettings", as: "colleague" },
  { operation: "GetActiveIdentityProviders", as: "colleague" },
  { operation: "GetPasswordExpirySettings", query: { "ctx.instance": "true" } },
];
