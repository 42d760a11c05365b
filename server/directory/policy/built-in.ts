/** The values of policies that apply where no level sets them. */
import { SECOND_FACTOR_TYPES } from "../../protocol/second-factor";
import { limits } from "../../throttle";
import { NEUTRAL } from "../palette/palette";
import { MIN_CHOSEN_PASSWORD_LENGTH } from "../password-length";
import type { LabelSettings, PolicyKind, PolicySettings } from "./settings";

/** Seconds. */
const YEAR = 31_536_000;
/** The default interval between offers of a passkey, in seconds. */
const PASSKEY_OFFER_INTERVAL = 30 * 86_400;

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
