/**
 * The kinds of second factors: how they are called where they are stored, in events, in addresses and forms, and by the
 * APIs. What each of them does is its file in login/factors.
 */

interface KindNames {
  /** Of the management API. */
  apiType: string;
  /** Of the account's own pages, in ids and forms. */
  word: string;
  /** Whether its codes are sent to an address of the person's each time they are needed. */
  isSent: boolean;
}

/** Those that are rows of one table; passkeys and recovery codes have tables of their own. */
export const factorKinds = {
  totp: { apiType: "otp", word: "app", isSent: false },
  email: { apiType: "otpEmail", word: "mail", isSent: true },
} as const satisfies Record<string, KindNames>;

export type FactorKind = keyof typeof factorKinds;
/** Codes that are sent. */
export type SentKind = {
  [Kind in FactorKind]: (typeof factorKinds)[Kind]["isSent"] extends true ? Kind : never;
}[FactorKind];
/** What a person can confirm a sign-in with. */
export type FactorWay = "passkey" | FactorKind | "recovery";
export type CodeWay = Exclude<FactorWay, "passkey">;

const kinds = Object.keys(factorKinds) as FactorKind[];

export const sentKinds: readonly SentKind[] = kinds.filter(isSentKind);

export function isSentKind(text: string | undefined): text is SentKind {
  return kinds.some((kind) => kind === text && factorKinds[kind].isSent);
}
