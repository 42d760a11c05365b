/** Profile, e-mail address and phone number of a person, and the mails about them. */

import { z } from "zod";
import * as field from "../../directory/fields";
import { noSuchUser } from "../../directory/not-found";
import { sendPasswordResetBySms } from "../../directory/user/contact/ask-for-password";
import {
  changeEmail,
  removePhone,
  replaceProfile,
  verifyEmail,
  verifyPhone,
} from "../../directory/user/contact/change";
import { changePhone, resendPhoneCode, verifyPhoneByCode } from "../../directory/user/contact/prove-phone";
import { resendAddressCode, resendInvitation, sendPasswordReset } from "../../directory/user/contact/send";
import { type ListedUser, readListedUser } from "../../directory/user/list";
import { toDetails } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { type Operation, operation } from "../operation/operation";
import { changed, details } from "../operation/schemas";
import { verificationCode } from "./code-ways";
import { emailBody, phoneBody, profileBody } from "./schemas";
import { changedUser, noBody, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Users";
const PATH = "/management/v1/users/:userId";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", target: "user" } as const;

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

export const userContactOperations: readonly Operation[] = [
  operation({
    id: "UpdateHumanProfile",
    method: "PUT",
    path: `${PATH}/profile`,
    tag,
    scope: WRITE,
    summary: "Replace a person's profile",
    body: profileBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, replaceProfile(ctx, userRefOf(call), call.body, call.origin)),
  }),
  operation({
    id: "GetHumanEmail",
    method: "GET",
    path: `${PATH}/email`,
    tag,
    scope: READ,
    summary: "Read a person's email address",
    answer: emailAnswer,
    async handle(ctx, call) {
      const person = await readListedUser(ctx, userRefOf(call));
      if (isApiError(person)) return person;
      return person.kind === "human" ? { email: toEmail(person) } : noSuchUser();
    },
  }),
  operation({
    id: "UpdateHumanEmail",
    method: "PUT",
    path: `${PATH}/email`,
    tag,
    scope: WRITE,
    summary: "Change a person's email address",
    description: "Unless `isEmailVerified` is set, the message `verifyemail` is sent to the new address.",
    body: emailBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, changeEmail(ctx, userRefOf(call), call.body, call.origin)),
  }),
  operation({
    id: "VerifyHumanEmail",
    method: "POST",
    path: `${PATH}/email/_verify`,
    tag,
    scope: WRITE,
    summary: "Mark a person's email address as verified",
    ...noBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, verifyEmail(ctx, userRefOf(call), call.origin)),
  }),
  operation({
    id: "ResendHumanEmailVerification",
    method: "POST",
    path: `${PATH}/email/_resend_verification`,
    tag,
    summary: "Send the code for a person's email address again",
    scope: WRITE,
    ...noBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, resendAddressCode(ctx, userRefOf(call), call.origin)),
  }),
  operation({
    id: "GetHumanPhone",
    method: "GET",
    path: `${PATH}/phone`,
    tag,
    scope: READ,
    summary: "Read a person's phone number",
    answer: phoneAnswer,
    async handle(ctx, call) {
      const person = await readListedUser(ctx, userRefOf(call));
      if (isApiError(person)) return person;
      return person.kind === "human" ? { phone: toPhone(person) } : noSuchUser();
    },
  }),
  operation({
    id: "UpdateHumanPhone",
    method: "PUT",
    path: `${PATH}/phone`,
    tag,
    scope: WRITE,
    answer: changed,
    summary: "Change a person's phone number",
    description: "Unless `isPhoneVerified` is set, the message `verifyphone` is sent to the new number.",
    body: phoneBody,
    handle: (ctx, call) => changedUser(ctx, call, changePhone(ctx, userRefOf(call), call.body, call.origin)),
  }),
  operation({
    id: "VerifyHumanPhone",
    method: "POST",
    path: `${PATH}/phone/_verify`,
    tag,
    scope: WRITE,
    summary: "Verify a person's phone number",
    description: "Requires the code that was sent to the number. Without a code, the number is marked as verified.",
    body: strict({ verificationCode: verificationCode.optional() }),
    bodyIsOptional: true,
    answer: changed,
    handle(ctx, call) {
      const code = call.body?.verificationCode;
      const ref = userRefOf(call);
      const verified =
        code === undefined ? verifyPhone(ctx, ref, call.origin) : verifyPhoneByCode(ctx, ref, code, call.origin);
      return changedUser(ctx, call, verified);
    },
  }),
  operation({
    id: "ResendHumanPhoneVerification",
    method: "POST",
    path: `${PATH}/phone/_resend_verification`,
    tag,
    summary: "Send the code for a person's phone number again",
    scope: WRITE,
    ...noBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, resendPhoneCode(ctx, userRefOf(call), call.origin)),
  }),
  operation({
    id: "RemoveHumanPhone",
    method: "DELETE",
    path: `${PATH}/phone`,
    tag,
    scope: WRITE,
    answer: changed,
    summary: "Remove a person's phone number",
    handle: (ctx, call) => changedUser(ctx, call, removePhone(ctx, userRefOf(call), call.origin)),
  }),
  operation({
    id: "SendHumanResetPasswordNotification",
    method: "POST",
    tag,
    scope: WRITE,
    answer: changed,
    path: `${PATH}/password/_reset_notification`,
    summary: "Send a person a link to choose a new password",
    description:
      "Sent by email, or with `TYPE_SMS` to the verified phone number, unless the codes of the second factor are sent there.",
    body: strict({ type: z.enum(["TYPE_EMAIL", "TYPE_SMS"]).optional() }),
    bodyIsOptional: true,
    handle: (ctx, call) =>
      changedUser(
        ctx,
        call,
        call.body.type === "TYPE_SMS"
          ? sendPasswordResetBySms(ctx, userRefOf(call), call.origin)
          : sendPasswordReset(ctx, userRefOf(call), call.origin),
      ),
  }),
  operation({
    id: "ResendHumanInitialization",
    method: "POST",
    path: `${PATH}/_resend_initialization`,
    tag,
    scope: WRITE,
    summary: "Send the invitation to a person without a password again",
    body: strict({ email: field.email.optional() }),
    bodyIsOptional: true,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, resendInvitation(ctx, userRefOf(call), call.body, call.origin)),
  }),
];
