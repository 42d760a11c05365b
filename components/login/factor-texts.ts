// The texts of second factors by kind. A new factor is a row in each list that it belongs to.
import type { CodeWay, FactorWay, SentKind } from "../../server/protocol/second-factor";

export const WAY_NAMES = {
  passkey: "secondFactor.passkey",
  totp: "secondFactor.totp",
  email: "secondFactor.email",
  sms: "secondFactor.sms",
  recovery: "secondFactor.recovery",
} as const satisfies Record<FactorWay, string>;

export const CODE_TEXTS = {
  totp: { hint: "secondFactor.totpHint", wrong: "secondFactor.wrongTotp" },
  email: { hint: "secondFactor.emailHint", wrong: "secondFactor.wrong" },
  sms: { hint: "secondFactor.emailHint", wrong: "secondFactor.wrong" },
  recovery: { hint: "secondFactor.recoveryHint", wrong: "secondFactor.wrong" },
} as const satisfies Record<CodeWay, Record<string, string>>;

/** Wherever codes go: what the address or number is, is said by itself, in the place of `email`. */
export const SENT_TO_TEXTS = {
  question: "secondFactor.emailQuestion",
  send: "secondFactor.emailSend",
  sent: "secondFactor.emailSent",
  setUp: "setUpFactor.emailText",
  listed: "account.mail",
} as const;

/** `section`: the page of the account where the address or number is confirmed. */
export const SENT_TEXTS = {
  email: {
    notThere: "code.notThere",
    add: "account.addMail",
    confirmFirst: "account.confirmFirst",
    section: "email",
  },
  sms: {
    notThere: "code.notThereSms",
    add: "account.addSms",
    confirmFirst: "account.confirmPhoneFirst",
    section: "phone",
  },
} as const satisfies Record<SentKind, Record<string, string>>;

/** Of the factors that a page of their own sets up. */
export const SET_UP_TEXTS = {
  app: { name: "setUpFactor.app", text: "setUpFactor.appText" },
  passkey: { name: "secondFactor.passkey", text: "passkey.addText" },
} as const;
