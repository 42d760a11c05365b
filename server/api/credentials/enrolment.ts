/** Sets up second factors of a user (version 2) or of the caller: authenticator apps, and codes that are sent. */
import { z } from "zod";
import type { Context } from "../../context";
import * as field from "../../directory/fields";
import { isPermittedIn } from "../../directory/policy/second-factors";
import { removeFactorOf } from "../../directory/user/credentials";
import { confirmAppEnrolment, enableCodes, removeApps, startAppEnrolment } from "../../directory/user/enrol-factor";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import type { FactorWay } from "../../protocol/second-factor";
import { answered, changedAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details } from "../operation/schemas";
import { FRESH, OWN_PATH, OWN_RECENT, refuseLate } from "../users/own";
import { type Called, changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";

const { strict } = field;
const tag = "User credentials";
const PATH = "/v2/users/:userId";
const scope = { tag, scope: ownedBy("user.write") };

const OWN_FACTORS = `${OWN_PATH}/auth_factors`;

/** The caller must have signed in recently, and the policy of the organization must permit the factor. */
const setUp = (way: FactorWay) => ({
  ...OWN_RECENT,
  precondition: async (ctx: Context, call: Called) =>
    (await refuseWay(ctx, call.caller.organizationId, way)) ?? refuseLate(ctx, call),
});

async function refuseWay(ctx: Context, organizationId: string, way: FactorWay): Promise<ApiError | undefined> {
  if (await isPermittedIn(ctx, organizationId, way)) return undefined;
  return failedPrecondition(
    "policy.factor_not_permitted",
    "The organization does not allow this second factor. Choose another one.",
  );
}

export const enrolmentOperations: readonly Operation[] = [
  operation("RegisterTOTP", `POST ${PATH}/totp`, {
    ...scope,
    summary: "Start setting up an authenticator app for a user",
    description:
      "The key becomes a factor once it is confirmed with a code, within half an hour. An earlier unconfirmed key becomes invalid.",
    ...noBody,
    answer: z.object({ details, uri: z.string(), secret: z.string() }),
    also: {
      AddMyAuthFactorOTP: {
        at: `POST ${OWN_FACTORS}/otp`,
        ...setUp("totp"),
        summary: "Start setting up an authenticator app for the caller",
        description: `The key becomes a factor once it is confirmed with a code, within half an hour. ${FRESH}`,
        answer: z.object({ details, url: z.string(), secret: z.string() }),
        shows: ({ details, uri: url, secret }) => ({ details, url, secret }),
      },
    },
    handle: (ctx, call) =>
      answered(startAppEnrolment(ctx, userRefOf(call)), async (key) => ({
        ...(await changedAnswer(ctx, "user", userRefOf(call).userId)),
        ...key,
      })),
  }),
  operation("VerifyTOTPRegistration", `POST ${PATH}/totp/verify`, {
    ...scope,
    summary: "Add the authenticator app by a code made with its key",
    description:
      "The user's first factor comes with recovery codes, which you show to them. Each replaces a code once, and they cannot be read again.",
    body: strict({
      code: field.line(20),
      name: field.line(60).optional().meta({ description: "A name by which the user recognizes the app" }),
    }),
    answer: z.object({ details, recoveryCodes: z.array(z.string()).optional() }),
    also: {
      VerifyMyAuthFactorOTP: {
        at: `POST ${OWN_FACTORS}/otp/_verify`,
        ...OWN_RECENT,
        summary: "Add the caller's authenticator app by a code made with its key",
        description: `The first factor comes with recovery codes, which cannot be read again. ${FRESH}`,
        body: strict({ code: field.line(20) }),
      },
    },
    async handle(ctx, call) {
      const added = await confirmAppEnrolment(ctx, userRefOf(call), call.body);
      if (isApiError(added)) return added;
      const { recoveryCodes } = added;
      return { ...(await changedAnswer(ctx, "user", userRefOf(call).userId)), ...(recoveryCodes && { recoveryCodes }) };
    },
  }),
  operation("RemoveTOTP", `DELETE ${PATH}/totp`, {
    ...scope,
    summary: "Remove the authenticator apps of a user",
    also: {
      RemoveMyAuthFactorOTP: {
        at: `DELETE ${OWN_FACTORS}/otp`,
        ...OWN_RECENT,
        summary: "Remove the caller's authenticator apps",
      },
    },
    handle: (ctx, call) => changedUser(ctx, call, removeApps(ctx, userRefOf(call))),
  }),
  operation("AddOTPEmail", `POST ${PATH}/otp_email`, {
    ...scope,
    summary: "Turn on codes by email for a user",
    description: "Codes are sent to the address, which must be verified.",
    also: {
      AddMyAuthFactorOTPEmail: {
        at: `POST ${OWN_FACTORS}/otp_email`,
        ...setUp("email"),
        summary: "Have codes mailed to the caller at sign-in",
        description: `Codes are sent to the address, which must be verified. ${FRESH}`,
      },
    },
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, enableCodes(ctx, userRefOf(call), "email")),
  }),
  operation("RemoveOTPEmail", `DELETE ${PATH}/otp_email`, {
    ...scope,
    summary: "Turn off codes by email for a user",
    also: {
      RemoveMyAuthFactorOTPEmail: {
        at: `DELETE ${OWN_FACTORS}/otp_email`,
        ...OWN_RECENT,
        summary: "Stop mailing codes to the caller at sign-in",
      },
    },
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), "email")),
  }),
  operation("AddOTPSMS", `POST ${PATH}/otp_sms`, {
    ...scope,
    summary: "Turn on codes by text message for a user",
    description: "Codes are sent by the active provider to the number, which must be verified.",
    also: {
      AddMyAuthFactorOTPSMS: {
        at: `POST ${OWN_FACTORS}/otp_sms`,
        ...setUp("sms"),
        summary: "Have codes sent to the caller's phone at sign-in",
        description: `Codes are sent to the number, which must be verified. ${FRESH}`,
      },
    },
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, enableCodes(ctx, userRefOf(call), "sms")),
  }),
  operation("RemoveOTPSMS", `DELETE ${PATH}/otp_sms`, {
    ...scope,
    summary: "Turn off codes by text message for a user",
    also: {
      RemoveMyAuthFactorOTPSMS: {
        at: `DELETE ${OWN_FACTORS}/otp_sms`,
        ...OWN_RECENT,
        summary: "Stop sending codes to the caller's phone at sign-in",
      },
    },
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), "sms")),
  }),
];
