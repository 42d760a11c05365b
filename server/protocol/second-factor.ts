/**
 * The kinds of second factors and their names in storage, events, URLs, forms and APIs. Each kind is implemented in
 * login/factors.
 */

interface KindNames {
  /** Its name in the management API as a member of an object; `listedAs` is its name as a value. */
  apiType: string;
  listedAs: string;
  /** Its description in the API documentation. */
  about: string;
  /** Its name in ids and forms of the account's pages. */
  word: string;
  /** Where its codes are sent: the user's verified email address or phone number. Undefined if no codes are sent. */
  sentTo: "email" | "phone" | undefined;
}

/** The kinds that share one table; passkeys and recovery codes have tables of their own. */
export const factorKinds = {
  totp: { apiType: "otp", listedAs: "OTP", about: "An authenticator app", word: "app", sentTo: undefined },
  email: { apiType: "otpEmail", listedAs: "OTP_EMAIL", about: "Codes by email", word: "mail", sentTo: "email" },
  sms: { apiType: "otpSms", listedAs: "OTP_SMS", about: "Codes by text message", word: "sms", sentTo: "phone" },
} as const satisfies Record<string, KindNames>;

export type FactorKind = keyof typeof factorKinds;
/** The kinds whose codes are sent. */
export type SentKind = {
  [Kind in FactorKind]: (typeof factorKinds)[Kind]["sentTo"] extends string ? Kind : never;
}[FactorKind];
/** The ways to confirm a sign-in. */
export type FactorWay = "passkey" | FactorKind | "recovery";
export type CodeWay = Exclude<FactorWay, "passkey">;

/** The names of second factors in policies. Recovery codes may replace any of them and have no name. */
export const secondFactorTypes = {
  totp: "SECOND_FACTOR_TYPE_OTP",
  passkey: "SECOND_FACTOR_TYPE_U2F",
  email: "SECOND_FACTOR_TYPE_OTP_EMAIL",
  sms: "SECOND_FACTOR_TYPE_OTP_SMS",
} as const satisfies Record<Exclude<FactorWay, "recovery">, string>;
export type SecondFactorType = (typeof secondFactorTypes)[keyof typeof secondFactorTypes];

/** All names, in the order of their numbers in ZITADEL's API. */
export const SECOND_FACTOR_TYPES = [
  "SECOND_FACTOR_TYPE_OTP",
  "SECOND_FACTOR_TYPE_U2F",
  "SECOND_FACTOR_TYPE_OTP_EMAIL",
  "SECOND_FACTOR_TYPE_OTP_SMS",
] as const satisfies readonly SecondFactorType[];

/** Whether a policy with these types permits this way. */
export function isPermittedWay(permitted: readonly SecondFactorType[], way: FactorWay): boolean {
  return way === "recovery" || permitted.includes(secondFactorTypes[way]);
}

const kinds = Object.keys(factorKinds) as FactorKind[];

export const sentKinds: readonly SentKind[] = kinds.filter(isSentKind);

export function isSentKind(text: string | undefined): text is SentKind {
  return kinds.some((kind) => kind === text && factorKinds[kind].sentTo !== undefined);
}
