/** Lists and removes the authentication methods, second factors and recovery codes of a user. */
import { z } from "zod";
import { strict } from "../../directory/fields";
import {
  type AuthenticationMethods,
  type ListedFactor,
  listFactorsOf,
  noteFactorSkipped,
  readAuthenticationMethods,
  removeFactorOf,
  removeRecoveryCodesOf,
  renewRecoveryCodesOf,
} from "../../directory/user/credentials";
import { isApiError } from "../../protocol/api-error";
import { factorKinds } from "../../protocol/second-factor";
import { answered, changedAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { OWN, OWN_PATH } from "../users/own";
import { changedUser, noBody, ownedBy, userRefOf } from "../users/user-ref";
import {
  authFactor,
  detailsOf,
  FACTOR_KINDS,
  FACTOR_STATES,
  isOnlySecond,
  listDetails,
  toAuthFactors,
} from "./factor-answers";

const tag = "User credentials";
const PATH = "/management/v1/users/:userId";
const PATH_V2 = "/v2/users/:userId";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const READ_V2 = { tag, scope: ownedBy("user.read") };

const time = (at: number) => new Date(at).toISOString();
const used = (at: number | null) => (at === null ? {} : { lastUsedDate: time(at) });
const times = { creationDate: timestamp, lastUsedDate: timestamp.optional() };
function toFactor({ id, kind, name, createdAt, usedAt }: ListedFactor) {
  return {
    id,
    type: factorKinds[kind].apiType,
    ...(name !== null && { name }),
    creationDate: time(createdAt),
    ...used(usedAt),
  };
}

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

export const factorOperations: readonly Operation[] = [
  operation("ListHumanAuthFactors", `POST ${PATH}/auth_factors/_search`, {
    ...READ,
    summary: "List a user's second factors",
    ...noBody,
    answer: z.object({
      result: z.array(
        z.object({
          id: z.string(),
          type: z.enum(Object.values(factorKinds).map(({ apiType }) => apiType)),
          name: z.string().optional(),
          ...times,
        }),
      ),
    }),
    handle: (ctx, call) => answered(listFactorsOf(ctx, userRefOf(call)), (rows) => ({ result: rows.map(toFactor) })),
  }),
  operation("RemoveHumanAuthFactor", `DELETE ${PATH}/auth_factors/:factorId`, {
    ...WRITE,
    summary: "Remove a second factor of a user",
    handle: (ctx, call) => changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), call.parameters.factorId ?? "")),
  }),
  operation("RemoveHumanRecoveryCodes", `DELETE ${PATH}/recovery_codes`, {
    ...WRITE,
    summary: "Remove a user's recovery codes",
    also: { RemoveRecoveryCodesV2: { at: `DELETE ${PATH_V2}/recovery_codes`, scope: ownedBy("user.write") } },
    handle: (ctx, call) => changedUser(ctx, call, removeRecoveryCodesOf(ctx, userRefOf(call))),
  }),
  operation("GenerateRecoveryCodes", `POST ${PATH_V2}/recovery_codes`, {
    tag,
    scope: ownedBy("user.write"),
    summary: "Replace a user's recovery codes",
    description:
      "You show them to the user; they cannot be read again. Each replaces a code once. There are always ten, so `count` is ignored.",
    body: strict({ count: z.int().optional() }),
    bodyIsOptional: true,
    answer: z.object({ details, recoveryCodes: z.array(z.string()) }),
    handle: (ctx, call) =>
      answered(renewRecoveryCodesOf(ctx, userRefOf(call)), async (recoveryCodes) => ({
        ...(await changedAnswer(ctx, "user", userRefOf(call).userId)),
        recoveryCodes,
      })),
  }),
  operation("HumanMFAInitSkipped", `POST ${PATH_V2}/mfa_init_skipped`, {
    tag,
    scope: ownedBy("user.write"),
    summary: "Note that a user chose not to set up a second factor now",
    description: "The user is not asked again for `mfaInitSkipLifetime` of the login policy.",
    ...noBody,
    handle: (ctx, call) => changedUser(ctx, call, noteFactorSkipped(ctx, userRefOf(call))),
  }),
  operation("ListAuthenticationMethodTypes", `GET ${PATH_V2}/authentication_methods`, {
    ...READ_V2,
    summary: "List the authentication methods of a user",
    query: z.object({
      "domainQuery.domain": z
        .string()
        .max(255)
        .optional()
        .meta({ description: "Passkeys are those of this service's host" }),
      "domainQuery.includeWithoutDomain": z.enum(["true", "false"]).optional().meta({ description: "There are none" }),
    }),
    answer: z.object({ details: listDetails, authMethodTypes: z.array(z.enum(TYPES)) }),
    async handle(ctx, call) {
      const methods = await readAuthenticationMethods(ctx, userRefOf(call));
      if (isApiError(methods)) return methods;
      const domain = call.query["domainQuery.domain"];
      const isElsewhere = Boolean(domain) && domain !== new URL(ctx.config.baseUrl).hostname;
      const authMethodTypes = toMethodTypes(isElsewhere ? { ...methods, passkeys: [] } : methods);
      return { details: detailsOf(authMethodTypes, ctx.clock()), authMethodTypes };
    },
  }),
  operation("ListAuthenticationFactors", `POST ${PATH_V2}/authentication_factors/_search`, {
    ...READ_V2,
    summary: "List a user's second factors",
    description: "Without `authFactors` and `states` all; every factor that is listed is ready.",
    body: strict({
      authFactors: z.array(z.enum(FACTOR_KINDS)).optional(),
      states: z.array(z.enum(FACTOR_STATES)).optional(),
    }),
    bodyIsOptional: true,
    answer: z.object({ result: z.array(authFactor) }),
    also: {
      ListMyAuthFactors: {
        at: `POST ${OWN_PATH}/auth_factors/_search`,
        ...OWN,
        summary: "List the caller's second factors",
        ...noBody,
      },
    },
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
];
