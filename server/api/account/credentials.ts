/** The caller's credentials: readable with any of their tokens, changeable only after a recent sign-in. */
import { z } from "zod";
import type { Context } from "../../context";
import { line, strict } from "../../directory/fields";
import { isPermittedIn } from "../../directory/policy/second-factors";
import { readAuthenticationMethods, removeFactorOf, removePasskeyOf } from "../../directory/user/credentials";
import { confirmAppEnrolment, enableCodes, removeApps, startAppEnrolment } from "../../directory/user/enrol-factor";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import type { FactorWay } from "../../protocol/second-factor";
import { authFactor, isOnlySecond, passkey, toAuthFactors, toPasskey } from "../credentials/factor-answers";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { changed, details } from "../operation/schemas";
import { noBody } from "../users/user-ref";
import { changedOwn, OWN, OWN_PATH, ownDetails, ownRef } from "./own-ref";
import { recentOwner } from "./refusals";

const tag = "Own account";
const FRESH =
  "The person must have signed in for the token within the last 15 minutes, with the second factor if there is one.";
type Call = OperationCall<unknown, unknown>;

/** Sets up a second factor, if the policy of the caller's organization allows it. */
async function setUp(ctx: Context, call: Call, way: FactorWay, change: () => Promise<undefined | ApiError>) {
  return (await refuseWay(ctx, call, way)) ?? freshly(ctx, call, change);
}

async function refuseWay(ctx: Context, { caller }: Call, way: FactorWay): Promise<ApiError | undefined> {
  if (await isPermittedIn(ctx, caller.organizationId, way)) return undefined;
  return failedPrecondition(
    "policy.factor_not_permitted",
    "The organization does not allow this second factor. Choose another one.",
  );
}

/** Changes the caller's credentials, if they signed in recently. */
async function freshly(ctx: Context, call: Call, change: () => Promise<undefined | ApiError>) {
  const owner = await recentOwner(ctx, call);
  return isApiError(owner) ? owner : changedOwn(ctx, call, change());
}

const removal = { method: "DELETE", tag, scope: OWN.scope, answer: changed, description: FRESH } as const;

export const ownCredentialOperations: readonly Operation[] = [
  operation("ListMyAuthFactors", `POST ${OWN_PATH}/auth_factors/_search`, {
    ...OWN,
    summary: "List the caller's second factors",
    ...noBody,
    answer: z.object({ result: z.array(authFactor) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, ownRef(call));
      return isApiError(methods) ? methods : { result: toAuthFactors(methods).map(({ shown }) => shown) };
    },
  }),
  operation("ListMyPasswordless", `POST ${OWN_PATH}/passwordless/_search`, {
    ...OWN,
    summary: "List the caller's passkeys",
    ...noBody,
    answer: z.object({ result: z.array(passkey.meta({ id: "OwnPasskey" })) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, ownRef(call));
      if (isApiError(methods)) return methods;
      return { result: methods.passkeys.filter((one) => !isOnlySecond(one)).map(toPasskey) };
    },
  }),
  operation({
    ...removal,
    id: "RemoveMyPasswordless",
    path: `${OWN_PATH}/passwordless/:passkeyId`,
    aliases: [`${OWN_PATH}/auth_factors/u2f/:passkeyId`],
    summary: "Remove a passkey of the caller's, or a key that only confirms a sign-in",
    handle: (ctx, call) =>
      freshly(ctx, call, () => removePasskeyOf(ctx, ownRef(call), call.parameters.passkeyId ?? "", call.origin)),
  }),
  operation({
    ...removal,
    id: "RemoveMyAuthFactorOTPEmail",
    path: `${OWN_PATH}/auth_factors/otp_email`,
    summary: "Stop mailing codes to the caller at sign-in",
    handle: (ctx, call) => freshly(ctx, call, () => removeFactorOf(ctx, ownRef(call), "email", call.origin)),
  }),
  operation("AddMyAuthFactorOTP", `POST ${OWN_PATH}/auth_factors/otp`, {
    ...OWN,
    summary: "Start setting up an authenticator app for the caller",
    description: `The key becomes a factor once it is confirmed with a code, within half an hour. ${FRESH}`,
    ...noBody,
    answer: z.object({ details, url: z.string(), secret: z.string() }),
    async handle(ctx, call) {
      const owner = (await refuseWay(ctx, call, "totp")) ?? (await recentOwner(ctx, call));
      if (isApiError(owner)) return owner;
      const key = await startAppEnrolment(ctx, ownRef(call), call.origin);
      if (isApiError(key)) return key;
      return { ...(await ownDetails(ctx, call)), url: key.uri, secret: key.secret };
    },
  }),
  operation("VerifyMyAuthFactorOTP", `POST ${OWN_PATH}/auth_factors/otp/_verify`, {
    ...OWN,
    summary: "Add the caller's authenticator app by a code made with its key",
    description: `The first factor comes with recovery codes, which cannot be read again. ${FRESH}`,
    body: strict({ code: line(20) }),
    answer: z.object({ details, recoveryCodes: z.array(z.string()).optional() }),
    async handle(ctx, call) {
      const owner = await recentOwner(ctx, call);
      if (isApiError(owner)) return owner;
      const added = await confirmAppEnrolment(ctx, ownRef(call), call.body, call.origin);
      if (isApiError(added)) return added;
      const { recoveryCodes } = added;
      return { ...(await ownDetails(ctx, call)), ...(recoveryCodes && { recoveryCodes }) };
    },
  }),
  operation({
    ...removal,
    id: "RemoveMyAuthFactorOTP",
    path: `${OWN_PATH}/auth_factors/otp`,
    summary: "Remove the caller's authenticator apps",
    handle: (ctx, call) => freshly(ctx, call, () => removeApps(ctx, ownRef(call), call.origin)),
  }),
  operation("AddMyAuthFactorOTPEmail", `POST ${OWN_PATH}/auth_factors/otp_email`, {
    ...OWN,
    summary: "Have codes mailed to the caller at sign-in",
    description: `Codes are sent to the address, which must be verified. ${FRESH}`,
    ...noBody,
    handle: (ctx, call) => setUp(ctx, call, "email", () => enableCodes(ctx, ownRef(call), "email", call.origin)),
  }),
  operation("AddMyAuthFactorOTPSMS", `POST ${OWN_PATH}/auth_factors/otp_sms`, {
    ...OWN,
    summary: "Have codes sent to the caller's phone at sign-in",
    description: `Codes are sent to the number, which must be verified. ${FRESH}`,
    ...noBody,
    handle: (ctx, call) => setUp(ctx, call, "sms", () => enableCodes(ctx, ownRef(call), "sms", call.origin)),
  }),
  operation({
    ...removal,
    id: "RemoveMyAuthFactorOTPSMS",
    path: `${OWN_PATH}/auth_factors/otp_sms`,
    summary: "Stop sending codes to the caller's phone at sign-in",
    handle: (ctx, call) => freshly(ctx, call, () => removeFactorOf(ctx, ownRef(call), "sms", call.origin)),
  }),
];
