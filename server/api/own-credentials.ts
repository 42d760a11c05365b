/** What the caller authenticates with: seen by any token of theirs, removed with one for which they signed in minutes ago. */
import { z } from "zod";
import type { Context } from "../context";
import { readAuthenticationMethods, removeFactorOf, removePasskeyOf } from "../directory/user/credentials";
import { type ApiError, isApiError } from "../protocol/api-error";
import { authFactor, isOnlySecond, passkey, toAuthFactors, toPasskey } from "./auth-factors";
import { type Operation, type OperationCall, operation } from "./operation";
import { changedOwn, OWN, OWN_PATH, ownPlace } from "./own-place";
import { recentOwner } from "./own-refusals";
import { changed } from "./schemas";
import { noBody } from "./user-place";

const tag = "Own account";
const FRESH =
  "The person must have signed in for the token within the last 15 minutes, with the second factor if there is one.";
type Call = OperationCall<unknown, unknown>;

/** A change of the caller's credentials, by somebody who signed in minutes ago. */
async function freshly(ctx: Context, call: Call, change: () => Promise<undefined | ApiError>) {
  const owner = await recentOwner(ctx, call);
  return isApiError(owner) ? owner : changedOwn(ctx, call, change());
}

const removal = { method: "DELETE", tag, scope: OWN, answer: changed, description: FRESH } as const;

export const ownCredentialOperations: readonly Operation[] = [
  operation({
    id: "ListMyAuthFactors",
    method: "POST",
    path: `${OWN_PATH}/auth_factors/_search`,
    tag,
    summary: "List the caller's second factors",
    scope: OWN,
    ...noBody,
    answer: z.object({ result: z.array(authFactor) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, ownPlace(call));
      return isApiError(methods) ? methods : { result: toAuthFactors(methods).map(({ shown }) => shown) };
    },
  }),
  operation({
    id: "ListMyPasswordless",
    method: "POST",
    path: `${OWN_PATH}/passwordless/_search`,
    tag,
    summary: "List the caller's passkeys",
    scope: OWN,
    ...noBody,
    answer: z.object({ result: z.array(passkey.meta({ id: "OwnPasskey" })) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, ownPlace(call));
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
      freshly(ctx, call, () => removePasskeyOf(ctx, ownPlace(call), call.parameters.passkeyId ?? "", call.origin)),
  }),
  operation({
    ...removal,
    id: "RemoveMyAuthFactorOTPEmail",
    path: `${OWN_PATH}/auth_factors/otp_email`,
    summary: "Have no codes mailed to the caller at sign-in any more",
    handle: (ctx, call) => freshly(ctx, call, () => removeFactorOf(ctx, ownPlace(call), "email", call.origin)),
  }),
];
