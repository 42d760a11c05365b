/** The phone number of a person by version 2: set, removed, and verified by a code that the caller passes on. */
import * as field from "../directory/fields";
import { removePhone } from "../directory/user/contact/change";
import { provePhoneAgain, setPhone, verifyPhoneByCode } from "../directory/user/contact/prove-phone";
import {
  answerWithCode,
  checkWays,
  codeAnswer,
  passingToPhone,
  phoneWays,
  verificationCode,
  verifiedPhoneWays,
} from "./code-ways";
import { type Operation, operation } from "./operation";
import { changed } from "./schemas";
import { changedUser, ownedBy, placeOf } from "./user-place";

const { strict } = field;
const tag = "Users";
const PATH = "/v2/users/:userId/phone";
const scope = ownedBy("user.write");
const NO_SMS = "`sendCode` is refused, as no provider for text messages can be set up yet: pass the code on yourself.";

export const userPhoneOperations: readonly Operation[] = [
  operation({
    id: "SetPhone",
    method: "POST",
    path: PATH,
    tag,
    summary: "Set a person's phone number",
    description: `\`returnCode\` returns the code that verifies it. ${NO_SMS} Without either, and without \`isVerified\`, the number waits to be verified.`,
    scope,
    body: strict({ phone: field.phone, ...verifiedPhoneWays }).superRefine(checkWays),
    answer: codeAnswer,
    handle(ctx, call) {
      const { phone, isVerified } = call.body;
      const wanted = { phone, isVerified, passing: passingToPhone(call.body) };
      return answerWithCode(ctx, call, setPhone(ctx, placeOf(call), wanted, call.origin));
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
    handle: (ctx, call) => changedUser(ctx, call, removePhone(ctx, placeOf(call), call.origin)),
  }),
  operation({
    id: "ResendPhoneCode",
    method: "POST",
    path: `${PATH}/resend`,
    tag,
    summary: "Make another code for a person's phone number",
    description: `Ask for it with \`returnCode\`. ${NO_SMS} Earlier codes for the number work no longer.`,
    scope,
    body: strict(phoneWays).superRefine(checkWays),
    bodyIsOptional: true,
    answer: codeAnswer,
    handle(ctx, call) {
      const passing = passingToPhone(call.body) ?? { by: "sms" };
      return answerWithCode(ctx, call, provePhoneAgain(ctx, placeOf(call), passing, call.origin));
    },
  }),
  operation({
    id: "VerifyPhone",
    method: "POST",
    path: `${PATH}/verify`,
    tag,
    summary: "Verify a person's phone number by the code that was returned",
    description: "A code works once, for an hour, and allows ten tries.",
    scope,
    body: strict({ verificationCode }),
    answer: changed,
    handle: (ctx, call) =>
      changedUser(ctx, call, verifyPhoneByCode(ctx, placeOf(call), call.body.verificationCode, call.origin)),
  }),
];
