/**
 * The kinds of second factors: how they are called where they are stored, in events, in addresses and forms, and by the
 * APIs. What each of them does is its file in login/factors.
 */

interface KindNames {
  /** Of the management API, where a factor is a member of an object and where it is a value. */
  apiType: string;
  listedAs: string;
  /** What that says of it in its documentation. */
  about: string;
  /** Of the account's own pages, in ids and forms. */
  word: string;
  /** Where its codes are sent each time they are needed: the person's verified address or number; undefined if none are. */
  sentTo: "email" | "phone" | undefined;
}

/** Those that are rows of one table; passkeys and recovery codes have tables of their own. */
export const factorKinds = {
  totp: { apiType: "otp", listedAs: "OTP", about: "An authenticator app", word: "app", sentTo: undefined },
  email: { apiType: "otpEmail", listedAs: "OTP_EMAIL", about: "Codes by email", word: "mail", sentTo: "email" },
  sms: { apiType: "otpSms", listedAs: "OTP_SMS", about: "Codes by text message", word: "sms", sentTo: "phone" },
} as const satisfies Record<string, KindNames>;

export type FactorKind = keyof typeof factorKinds;
/** Codes that are sent. */
export type SentKind = {
  [Kind in FactorKind]: (typeof factorKinds)[Kind]["sentTo"] extends string ? Kind : never;
}[FactorKind];
/** What a person can confirm a sign-in with. */
export type FactorWay = "passkey" | FactorKind | "recovery";
export type CodeWay = Exclude<FactorWay, "passkey">;

/** How policies call what can be set up (recovery codes stand in for all of them). */
export const secondFactorTypes = {
  totp: "SECOND_FACTOR_TYPE_OTP",
  passkey: "SECOND_FACTOR_TYPE_U2F",
  email: "SECOND_FACTOR_TYPE_OTP_EMAIL",
  sms: "SECOND_FACTOR_TYPE_OTP_SMS",
} as const satisfies Record<Exclude<FactorWay, "recovery">, string>;
export type SecondFactorType = (typeof secondFactorTypes)[keyof typeof secondFactorTypes];

/** All of them, in the order of the numbers that they have in ZITADEL's API. */
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
