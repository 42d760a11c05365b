/** The e-mail address of a person by version 2: set, and verified by a code that is mailed or returned. */
import * as field from "../../directory/fields";
import { proveEmailAgain, setEmail, verifyEmailByCode } from "../../directory/user/contact/prove-email";
import { type Operation, operation } from "../operation/operation";
import { changed } from "../operation/schemas";
import {
  answerWithCode,
  checkWays,
  codeAnswer,
  codeDeliveryOf,
  deliveryOf,
  verificationCode,
  verifiedWays,
  ways,
} from "./code-ways";
import { changedUser, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Users";
const PATH = "/v2/users/:userId/email";
const scope = ownedBy("user.write");

export const userEmailOperations: readonly Operation[] = [
  operation({
    id: "SetEmail",
    method: "POST",
    path: PATH,
    tag,
    scope,
    summary: "Set a person's email address",
    description:
      "Nothing is mailed unless `sendCode` asks for the message `verifyemail`; `returnCode` returns the code. Without either, and without `isVerified`, the address waits to be verified.",
    body: strict({ email: field.email, ...verifiedWays }).superRefine(checkWays),
    answer: codeAnswer,
    handle(ctx, call) {
      const { email, isVerified } = call.body;
      const wanted = { email, isVerified, delivery: deliveryOf(call.body) };
      return answerWithCode(ctx, call, setEmail(ctx, userRefOf(call), wanted, call.origin));
    },
  }),
  operation({
    id: "ResendEmailCode",
    method: "POST",
    path: `${PATH}/resend`,
    aliases: [`${PATH}/send`],
    tag,
    scope,
    summary: "Create another code for a person's email address",
    description: "The code is mailed unless `returnCode` is given. Earlier codes for the address become invalid.",
    body: strict(ways).superRefine(checkWays),
    bodyIsOptional: true,
    answer: codeAnswer,
    handle: (ctx, call) =>
      answerWithCode(ctx, call, proveEmailAgain(ctx, userRefOf(call), codeDeliveryOf(call.body), call.origin)),
  }),
  operation({
    id: "VerifyEmail",
    method: "POST",
    path: `${PATH}/verify`,
    tag,
    scope,
    summary: "Verify a person's email address by the code that was mailed or returned",
    description: "A code works once and allows ten tries.",
    body: strict({ verificationCode }),
    answer: changed,
    handle: (ctx, call) =>
      changedUser(ctx, call, verifyEmailByCode(ctx, userRefOf(call), call.body.verificationCode, call.origin)),
  }),
];
