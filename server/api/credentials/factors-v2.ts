/** Version 2 of what a person authenticates with: the methods, the second factors, the passkeys. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import {
  type AuthenticationMethods,
  readAuthenticationMethods,
  removePasskeyOf,
  removeRecoveryCodesOf,
} from "../../directory/user/credentials";
import { isApiError } from "../../protocol/api-error";
import { type Operation, operation } from "../operation/operation";
import { changed, timestamp } from "../operation/schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";
import {
  authFactor,
  FACTOR_KINDS,
  FACTOR_STATES,
  isOnlySecond,
  passkey,
  toAuthFactors,
  toPasskey,
} from "./factor-answers";

const tag = "User credentials";
const PATH = "/v2/users/:userId";
const READ = { tag, scope: ownedBy("user.read") };
const WRITE = ownedBy("user.write");

const listDetails = z.object({
  totalResult: z.string().meta({ description: "uint64 as a string" }),
  timestamp,
});
const detailsOf = (list: readonly unknown[], now: number) => ({
  totalResult: String(list.length),
  timestamp: new Date(now).toISOString(),
});

const METHODS = ["PASSWORD", "PASSKEY", "TOTP", "U2F", "OTP_EMAIL", "OTP_SMS", "RECOVERY_CODE"] as const;
const TYPES = METHODS.map((name) => `AUTHENTICATION_METHOD_TYPE_${name}` as const);

function toMethodTypes({ hasPassword, passkeys, factors, hasRecoveryCodes }: AuthenticationMethods) {
  const has: Record<(typeof METHODS)[number], boolean> = {
    PASSWORD: hasPassword,
    PASSKEY: passkeys.some((one) => !isOnlySecond(one)),
    TOTP: factors.some(({ kind }) => kind === "totp"),
    U2F: passkeys.some(isOnlySecond),
    OTP_EMAIL: factors.some(({ kind }) => kind === "email"),
    OTP_SMS: factors.some(({ kind }) => kind === "sms"),
    RECOVERY_CODE: hasRecoveryCodes,
  };
  return METHODS.filter((name) => has[name]).map((name) => `AUTHENTICATION_METHOD_TYPE_${name}` as const);
}

const removal = { method: "DELETE", tag, scope: WRITE, answer: changed } as const;

export const userFactorV2Operations: readonly Operation[] = [
  operation("ListAuthenticationMethodTypes", `GET ${PATH}/authentication_methods`, {
    ...READ,
    summary: "List what a person can authenticate with",
    answer: z.object({ details: listDetails, authMethodTypes: z.array(z.enum(TYPES)) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, userRefOf(call));
      if (isApiError(methods)) return methods;
      const authMethodTypes = toMethodTypes(methods);
      return { details: detailsOf(authMethodTypes, ctx.clock()), authMethodTypes };
    },
  }),
  operation("ListAuthenticationFactors", `POST ${PATH}/authentication_factors/_search`, {
    ...READ,
    summary: "List a person's second factors",
    description: "Without `authFactors` and `states` all; every factor that is listed is ready.",
    body: strict({
      authFactors: z.array(z.enum(FACTOR_KINDS)).optional(),
      states: z.array(z.enum(FACTOR_STATES)).optional(),
    }),
    bodyIsOptional: true,
    answer: z.object({ result: z.array(authFactor) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, userRefOf(call));
      if (isApiError(methods)) return methods;
      const { authFactors = [], states = [] } = call.body;
      const found = toAuthFactors(methods).filter(
        ({ kind, shown }) =>
          (authFactors.length === 0 || authFactors.includes(kind)) &&
          (states.length === 0 || states.includes(shown.state)),
      );
      return { result: found.map(({ shown }) => shown) };
    },
  }),
  operation("ListPasskeysV2", `POST ${PATH}/passkeys/_search`, {
    ...READ,
    summary: "List a person's passkeys",
    ...noBody,
    answer: z.object({ details: listDetails, result: z.array(passkey.meta({ id: "PasskeyV2" })) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, userRefOf(call));
      if (isApiError(methods)) return methods;
      const result = methods.passkeys.filter((one) => !isOnlySecond(one)).map(toPasskey);
      return { details: detailsOf(result, ctx.clock()), result };
    },
  }),
  operation({
    ...removal,
    id: "RemovePasskeyV2",
    path: `${PATH}/passkeys/:passkeyId`,
    aliases: [`${PATH}/u2f/:passkeyId`],
    summary: "Remove a passkey of a person, or a key that only confirms a sign-in",
    handle: (ctx, call) =>
      changedUser(ctx, call, removePasskeyOf(ctx, userRefOf(call), call.parameters.passkeyId ?? "", call.origin)),
  }),
  operation({
    ...removal,
    id: "RemoveRecoveryCodesV2",
    path: `${PATH}/recovery_codes`,
    summary: "Remove a person's recovery codes",
    handle: (ctx, call) => changedUser(ctx, call, removeRecoveryCodesOf(ctx, userRefOf(call), call.origin)),
  }),
];
