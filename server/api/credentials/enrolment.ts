/** Second factors of a person by version 2: authenticator apps and mailed codes. */
import { z } from "zod";
import * as field from "../../directory/fields";
import { removeFactorOf } from "../../directory/user/credentials";
import { confirmAppEnrolment, enableCodes, removeApps, startAppEnrolment } from "../../directory/user/enrol-factor";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";

const { strict } = field;
const tag = "User credentials";
const PATH = "/v2/users/:userId";
const scope = { tag, scope: ownedBy("user.write") };

export const userEnrolmentOperations: readonly Operation[] = [
  operation("RegisterTOTP", `POST ${PATH}/totp`, {
    ...scope,
    summary: "Start setting up an authenticator app for a person",
    description:
      "The key becomes a factor once it is confirmed with a code, within half an hour. An earlier unconfirmed key becomes invalid.",
    ...noBody,
    answer: z.object({ details, uri: z.string(), secret: z.string() }),
    async handle(ctx, call) {
      const key = await startAppEnrolment(ctx, userRefOf(call), call.origin);
      return isApiError(key) ? key : { ...(await changedAnswer(ctx, "user", userRefOf(call).userId)), ...key };
    },
  }),
  operation("VerifyTOTPRegistration", `POST ${PATH}/totp/verify`, {
    ...scope,
    summary: "Add the authenticator app by a code made with its key",
    description:
      "The person's first factor comes with recovery codes, which you show to them. Each replaces a code once, and they cannot be read again.",
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
  operation("RemoveTOTP", `DELETE ${PATH}/totp`, {
    ...scope,
    summary: "Remove the authenticator apps of a person",
    handle: (ctx, call) => changedUser(ctx, call, removeApps(ctx, userRefOf(call), call.origin)),
  }),
  operation("AddOTPEmail", `POST ${PATH}/otp_email`, {
    ...scope,
    summary: "Have codes mailed to a person at sign-in",
    description: "Codes are sent to the address, which must be verified.",
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, enableCodes(ctx, userRefOf(call), "email", call.origin)),
  }),
  operation("RemoveOTPEmail", `DELETE ${PATH}/otp_email`, {
    ...scope,
    summary: "Stop mailing codes to a person at sign-in",
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), "email", call.origin)),
  }),
  operation("AddOTPSMS", `POST ${PATH}/otp_sms`, {
    ...scope,
    summary: "Have codes sent to a person's phone at sign-in",
    description: "Codes are sent by the active provider to the number, which must be verified.",
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, enableCodes(ctx, userRefOf(call), "sms", call.origin)),
  }),
  operation("RemoveOTPSMS", `DELETE ${PATH}/otp_sms`, {
    ...scope,
    summary: "Stop sending codes to a person's phone at sign-in",
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), "sms", call.origin)),
  }),
];
