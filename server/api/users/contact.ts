/**
 * The email address and the phone number of a person, by both versions: read, set, and verified by a code that is sent
 * or returned. Also the profile and the messages about a password.
 */
import { z } from "zod";
import * as field from "../../directory/fields";
import { type ContactChannel, emailContact, phoneContact } from "../../directory/mailed-code/contact-code";
import { noSuchUser } from "../../directory/not-found";
import { askForPassword, resendInvitation } from "../../directory/user/contact/ask-for-password";
import { markVerified, removePhone, replaceProfile } from "../../directory/user/contact/change";
import {
  changeContact,
  proveContactAgain,
  setContact,
  verifyContactByCode,
  type WantedContact,
} from "../../directory/user/contact/prove";
import { type ListedUser, readListedUser } from "../../directory/user/list";
import { toDetails } from "../../events/record";
import { answered } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { answerWithCode, checkWays, codeAnswer, deliveryOf, phoneWays, verificationCode, ways } from "./code-ways";
import { emailV2, phoneV2 } from "./named-fields";
import { OWN, OWN_PATH, OWN_RECENT } from "./own";
import { emailBody, phoneBody, profileBody } from "./schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const PATH = "/management/v1/users/:userId";
const READ = { tag: "Users", scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag: "Users", scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const WRITE_V2 = { tag: "Users", scope: ownedBy("user.write") } as const;

export const emailAnswer = z.object({
  email: z.object({ details, email: z.string().optional(), isEmailVerified: z.boolean() }),
});
export const phoneAnswer = z.object({
  phone: z.object({ details, phone: z.string().optional(), isPhoneVerified: z.boolean() }),
});

export function toEmail({ email, isEmailVerified, ...row }: ListedUser) {
  const shown = email === null ? {} : { email };
  return { details: toDetails(row), ...shown, isEmailVerified: Boolean(isEmailVerified) };
}

export function toPhone({ phone, isPhoneVerified, ...row }: ListedUser) {
  const shown = phone === null ? {} : { phone };
  return { details: toDetails(row), ...shown, isPhoneVerified: Boolean(isPhoneVerified) };
}

/** The ids, schemas and texts of one channel. */
interface ContactWords {
  channel: ContactChannel;
  ids: Record<"get" | "update" | "resend" | "set" | "makeCode" | "verify", string>;
  /** The short name of the value in texts. */
  noun: string;
  answer: z.ZodType;
  show(person: ListedUser): object;
  body: z.ZodType<{ value: string; isVerified?: boolean }>;
  bodyV2: z.ZodType<WantedContact>;
  codeBody: z.ZodType<Pick<WantedContact, "delivery">>;
  /** What happens to a code. */
  sent: string;
  making: Pick<Operation, "summary" | "description" | "aliases">;
  verifying: string;
}

const EMAIL: ContactWords = {
  channel: emailContact,
  ids: {
    get: "GetHumanEmail",
    update: "UpdateHumanEmail",
    resend: "ResendHumanEmailVerification",
    set: "SetEmail",
    makeCode: "ResendEmailCode",
    verify: "VerifyEmail",
  },
  noun: "address",
  answer: emailAnswer,
  show: toEmail,
  body: emailBody.transform(({ email: value, isEmailVerified: isVerified }) => ({ value, isVerified })),
  bodyV2: emailV2,
  codeBody: strict(ways)
    .superRefine(checkWays)
    .transform((given) => ({ delivery: deliveryOf(given, "mail") })),
  sent: "Nothing is mailed unless `sendCode` asks for the message `verifyemail`; `returnCode` returns the code.",
  making: {
    aliases: ["/v2/users/:userId/email/send"],
    summary: "Create another code for a user's email address",
    description: "The code is mailed unless `returnCode` is given. Earlier codes for the address become invalid.",
  },
  verifying: "A code works once and allows ten tries.",
};

const SENT =
  "`sendCode` sends the verification code to the number in the message `verifyphone`; `returnCode` returns it.";
const PHONE: ContactWords = {
  channel: phoneContact,
  ids: {
    get: "GetHumanPhone",
    update: "UpdateHumanPhone",
    resend: "ResendHumanPhoneVerification",
    set: "SetPhone",
    makeCode: "ResendPhoneCode",
    verify: "VerifyPhone",
  },
  noun: "number",
  answer: phoneAnswer,
  show: toPhone,
  body: phoneBody.transform(({ phone: value, isPhoneVerified: isVerified }) => ({ value, isVerified })),
  bodyV2: phoneV2,
  codeBody: strict(phoneWays)
    .superRefine(checkWays)
    .transform((given) => ({ delivery: deliveryOf(given, "sms") })),
  sent: SENT,
  making: {
    summary: "Send another code to a user's phone number, or return it",
    description: `${SENT} Without either, it is sent. Earlier codes for the number become invalid.`,
  },
  verifying: "A code works once, for an hour (`PHONE_CODE_LIFETIME`), and allows six tries.",
};

function contactOperations({ channel, ids, noun, ...words }: ContactWords): readonly Operation[] {
  const { column } = channel;
  const path = `${PATH}/${column}`;
  const pathV2 = `/v2/users/:userId/${column}`;
  return [
    operation(ids.get, `GET ${path}`, {
      ...READ,
      summary: `Read a user's ${channel.noun}`,
      answer: words.answer,
      handle: (ctx, call) =>
        answered(readListedUser(ctx, userRefOf(call)), (person) =>
          person.kind === "human" ? { [column]: words.show(person) } : noSuchUser(),
        ),
    }),
    operation(ids.update, `PUT ${path}`, {
      ...WRITE,
      summary: `Change a user's ${channel.noun}`,
      description: `Unless \`${channel.verified}\` is set, the message \`verify${column}\` is sent to the new ${noun}.`,
      body: words.body,
      handle: (ctx, call) => changedUser(ctx, call, changeContact(ctx, userRefOf(call), channel, call.body)),
    }),
    operation(ids.resend, `POST ${path}/_resend_verification`, {
      ...WRITE,
      summary: `Send the code for a user's ${channel.noun} again`,
      ...noBody,
      handle: (ctx, call) =>
        changedUser(ctx, call, proveContactAgain(ctx, userRefOf(call), channel, { keepsLink: true })),
    }),
    operation(ids.set, `POST ${pathV2}`, {
      ...WRITE_V2,
      summary: `Set a user's ${channel.noun}`,
      description: `${words.sent} Without either, and without \`isVerified\`, the ${noun} waits to be verified.`,
      body: words.bodyV2,
      answer: codeAnswer,
      handle: (ctx, call) => answerWithCode(ctx, call, setContact(ctx, userRefOf(call), channel, call.body)),
    }),
    operation(ids.makeCode, `POST ${pathV2}/resend`, {
      ...WRITE_V2,
      ...words.making,
      body: words.codeBody,
      bodyIsOptional: true,
      answer: codeAnswer,
      handle: (ctx, call) => answerWithCode(ctx, call, proveContactAgain(ctx, userRefOf(call), channel, call.body)),
    }),
    operation(ids.verify, `POST ${pathV2}/verify`, {
      ...WRITE_V2,
      summary: `Verify a user's ${channel.noun} by the code that was sent or returned`,
      description: words.verifying,
      body: strict({ verificationCode }),
      handle(ctx, call) {
        const { verificationCode: code } = call.body;
        return changedUser(ctx, call, verifyContactByCode(ctx, userRefOf(call), channel, code));
      },
    }),
  ];
}

export const userContactOperations: readonly Operation[] = [
  operation("UpdateHumanProfile", `PUT ${PATH}/profile`, {
    ...WRITE,
    summary: "Replace a user's profile",
    body: profileBody,
    also: { UpdateMyProfile: { at: `PUT ${OWN_PATH}/profile`, ...OWN, summary: "Replace the caller's profile" } },
    handle: (ctx, call) => changedUser(ctx, call, replaceProfile(ctx, userRefOf(call), call.body)),
  }),
  ...contactOperations(EMAIL),
  ...contactOperations(PHONE),
  operation("VerifyHumanEmail", `POST ${PATH}/email/_verify`, {
    ...WRITE,
    summary: "Mark a user's email address as verified",
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, markVerified(ctx, userRefOf(call), emailContact)),
  }),
  operation("VerifyHumanPhone", `POST ${PATH}/phone/_verify`, {
    ...WRITE,
    summary: "Verify a user's phone number",
    description: "Requires the code that was sent to the number. Without a code, the number is marked as verified.",
    body: strict({ verificationCode: verificationCode.optional() }),
    bodyIsOptional: true,
    handle(ctx, call) {
      const code = call.body?.verificationCode;
      const ref = userRefOf(call);
      const verified =
        code === undefined ? markVerified(ctx, ref, phoneContact) : verifyContactByCode(ctx, ref, phoneContact, code);
      return changedUser(ctx, call, verified);
    },
  }),
  operation("RemoveHumanPhone", `DELETE ${PATH}/phone`, {
    ...WRITE,
    summary: "Remove a user's phone number",
    also: {
      RemovePhone: {
        at: "DELETE /v2/users/:userId/phone",
        ...WRITE_V2,
        summary: "Remove the phone number of a user",
      },
      RemoveMyPhone: { at: `DELETE ${OWN_PATH}/phone`, ...OWN_RECENT, summary: "Remove the caller's phone number" },
    },
    handle: (ctx, call) => changedUser(ctx, call, removePhone(ctx, userRefOf(call))),
  }),
  operation("SendHumanResetPasswordNotification", `POST ${PATH}/password/_reset_notification`, {
    ...WRITE,
    summary: "Send a user a link to choose a new password",
    description:
      "Sent by email, or with `TYPE_SMS` to the verified phone number, unless the codes of the second factor are sent there.",
    body: strict({ type: z.enum(["TYPE_EMAIL", "TYPE_SMS"]).optional() }),
    bodyIsOptional: true,
    handle(ctx, call) {
      const by = call.body.type === "TYPE_SMS" ? "sms" : "mail";
      return changedUser(ctx, call, askForPassword(ctx, userRefOf(call), { by }));
    },
  }),
  operation("ResendHumanInitialization", `POST ${PATH}/_resend_initialization`, {
    ...WRITE,
    summary: "Send the invitation to a user without a password again",
    body: strict({ email: field.email.optional() }),
    bodyIsOptional: true,
    handle: (ctx, call) => changedUser(ctx, call, resendInvitation(ctx, userRefOf(call), call.body)),
  }),
];
