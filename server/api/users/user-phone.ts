/** The phone number of a person by version 2: set, removed, and verified by a code that is sent or returned. */
import * as field from "../../directory/fields";
import { removePhone } from "../../directory/user/contact/change";
import { provePhoneAgain, setPhone, verifyPhoneByCode } from "../../directory/user/contact/prove-phone";
import { type Operation, operation } from "../operation/operation";
import { changed } from "../operation/schemas";
import {
  answerWithCode,
  checkWays,
  codeAnswer,
  phoneDeliveryOf,
  phoneWays,
  verificationCode,
  verifiedPhoneWays,
} from "./code-ways";
import { changedUser, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Users";
const PATH = "/v2/users/:userId/phone";
const scope = ownedBy("user.write");
const SENT =
  "`sendCode` sends the verification code to the number in the message `verifyphone`; `returnCode` returns it.";

export const userPhoneOperations: readonly Operation[] = [
  operation({
    id: "SetPhone",
    method: "POST",
    path: PATH,
    tag,
    summary: "Set a person's phone number",
    description: `${SENT} Without either, and without \`isVerified\`, the number waits to be verified.`,
    scope,
    body: strict({ phone: field.phone, ...verifiedPhoneWays }).superRefine(checkWays),
    answer: codeAnswer,
    handle(ctx, call) {
      const { phone, isVerified } = call.body;
      const wanted = { phone, isVerified, delivery: phoneDeliveryOf(call.body) };
      return answerWithCode(ctx, call, setPhone(ctx, userRefOf(call), wanted, call.origin));
    },
  }),
  operation({
    id: "RemovePhone",
    method: "DELETE",
    path: PATH,
    tag,
    summary: "Remove the phone number of a person",
    scope,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, removePhone(ctx, userRefOf(call), call.origin)),
  }),
  operation({
    id: "ResendPhoneCode",
    method: "POST",
    path: `${PATH}/resend`,
    tag,
    summary: "Send another code to a person's phone number, or return it",
    description: `${SENT} Without either, it is sent. Earlier codes for the number become invalid.`,
    scope,
    body: strict(phoneWays).superRefine(checkWays),
    bodyIsOptional: true,
    answer: codeAnswer,
    handle(ctx, call) {
      const delivery = phoneDeliveryOf(call.body) ?? { by: "sms" };
      return answerWithCode(ctx, call, provePhoneAgain(ctx, userRefOf(call), delivery, call.origin));
    },
  }),
  operation({
    id: "VerifyPhone",
    method: "POST",
    path: `${PATH}/verify`,
    tag,
    summary: "Verify a person's phone number by the code that was sent or returned",
    description: "A code works once, for an hour (`PHONE_CODE_LIFETIME`), and allows six tries.",
    scope,
    body: strict({ verificationCode }),
    answer: changed,
    handle: (ctx, call) =>
      changedUser(ctx, call, verifyPhoneByCode(ctx, userRefOf(call), call.body.verificationCode, call.origin)),
  }),
];
