// The texts of second factors by kind. A new factor is added to each list that it belongs to.
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

/** The texts for codes by any channel; the address or number replaces `email`. */
export const SENT_TO_TEXTS = {
  question: "secondFactor.emailQuestion",
  send: "secondFactor.emailSend",
  sent: "secondFactor.emailSent",
  setUp: "setUpFactor.emailText",
  listed: "account.mail",
} as const;

/** The texts by channel. `section`: the account page on which the address or number is verified. */
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

/** The texts of factors that have their own setup page. */
export const SET_UP_TEXTS = {
  app: { name: "setUpFactor.app", text: "setUpFactor.appText" },
  passkey: { name: "secondFactor.passkey", text: "passkey.addText" },
} as const;
