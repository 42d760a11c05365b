/** Second factors of a person by version 2: authenticator apps and mailed codes. */
import { z } from "zod";
import * as field from "../../directory/fields";
import { removeFactorOf } from "../../directory/user/credentials";
import { confirmAppEnrolment, enableCodes, removeApps, startAppEnrolment } from "../../directory/user/enrol-factor";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { changed, details } from "../operation/schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";

const { strict } = field;
const tag = "User credentials";
const PATH = "/v2/users/:userId";
const scope = ownedBy("user.write");

export const userEnrolmentOperations: readonly Operation[] = [
  operation({
    id: "RegisterTOTP",
    method: "POST",
    path: `${PATH}/totp`,
    tag,
    summary: "Start setting up an authenticator app for a person",
    description:
      "The key becomes a factor once it is confirmed with a code, within half an hour. An earlier unconfirmed key becomes invalid.",
    scope,
    ...noBody,
    answer: z.object({ details, uri: z.string(), secret: z.string() }),
    async handle(ctx, call) {
      const key = await startAppEnrolment(ctx, userRefOf(call), call.origin);
      return isApiError(key) ? key : { ...(await changedAnswer(ctx, "user", userRefOf(call).userId)), ...key };
    },
  }),
  operation({
    id: "VerifyTOTPRegistration",
    method: "POST",
    path: `${PATH}/totp/verify`,
    tag,
    summary: "Add the authenticator app by a code made with its key",
    description:
      "The person's first factor comes with recovery codes, which you show to them. Each replaces a code once, and they cannot be read again.",
    scope,
    body: strict({
      code: field.line(20),
      name: field.line(60).optional().meta({ description: "A name by which the person recognizes the app" }),
    }),
    answer: z.object({ details, recoveryCodes: z.array(z.string()).optional() }),
    async handle(ctx, call) {
      const added = await confirmAppEnrolment(ctx, userRefOf(call), call.body, call.origin);
      if (isApiError(added)) return added;
      const { recoveryCodes } = added;
      return { ...(await changedAnswer(ctx, "user", userRefOf(call).userId)), ...(recoveryCodes && { recoveryCodes }) };
    },
  }),
  operation({
    id: "RemoveTOTP",
    method: "DELETE",
    path: `${PATH}/totp`,
    tag,
    summary: "Remove the authenticator apps of a person",
    scope,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, removeApps(ctx, userRefOf(call), call.origin)),
  }),
  operation({
    id: "AddOTPEmail",
    method: "POST",
    path: `${PATH}/otp_email`,
    tag,
    summary: "Have codes mailed to a person at sign-in",
    description: "Codes are sent to the address, which must be verified.",
    scope,
    ...noBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, enableCodes(ctx, userRefOf(call), "email", call.origin)),
  }),
  operation({
    id: "RemoveOTPEmail",
    method: "DELETE",
    path: `${PATH}/otp_email`,
    tag,
    summary: "Stop mailing codes to a person at sign-in",
    scope,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), "email", call.origin)),
  }),
  operation({
    id: "AddOTPSMS",
    method: "POST",
    path: `${PATH}/otp_sms`,
    tag,
    summary: "Have codes sent to a person's phone at sign-in",
    description: "Codes are sent by the active provider to the number, which must be verified.",
    scope,
    ...noBody,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, enableCodes(ctx, userRefOf(call), "sms", call.origin)),
  }),
  operation({
    id: "RemoveOTPSMS",
    method: "DELETE",
    path: `${PATH}/otp_sms`,
    tag,
    summary: "Stop sending codes to a person's phone at sign-in",
    scope,
    answer: changed,
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), "sms", call.origin)),
  }),
];
