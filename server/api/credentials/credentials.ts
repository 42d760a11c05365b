/** The credentials of a person, which administrators can list and remove. */

import { z } from "zod";
import * as field from "../../directory/fields";
import {
  type ListedFactor,
  type ListedPasskey,
  listFactorsOf,
  listPasskeysOf,
  removeFactorOf,
  removePasskeyOf,
  removeRecoveryCodesOf,
  setPassword,
} from "../../directory/user/credentials";
import { isApiError } from "../../protocol/api-error";
import { factorKinds } from "../../protocol/second-factor";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { password } from "../users/schemas";
import { changedUser, noBody, userRefOf } from "../users/user-ref";

const { strict } = field;
const tag = "User credentials";
const PATH = "/management/v1/users/:userId";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;

const time = (at: number) => new Date(at).toISOString();
const used = (at: number | null) => (at === null ? {} : { lastUsedDate: time(at) });
const times = { creationDate: timestamp, lastUsedDate: timestamp.optional() };
const passkeyShape = z.object({
  id: z.string(),
  name: z.string(),
  isMultiDevice: z.boolean().meta({ description: "Whether it may be copied to the person's other devices" }),
  isBackedUp: z.boolean().meta({ description: "Whether it was on another device when it was last used" }),
  ...times,
});

function toFactor({ id, kind, name, createdAt, usedAt }: ListedFactor) {
  return {
    id,
    type: factorKinds[kind].apiType,
    ...(name !== null && { name }),
    creationDate: time(createdAt),
    ...used(usedAt),
  };
}

function toPasskey(row: ListedPasskey) {
  return {
    id: row.id,
    name: row.name,
    isMultiDevice: Boolean(row.isMultiDevice),
    isBackedUp: Boolean(row.isBackedUp),
    creationDate: time(row.createdAt),
    ...used(row.usedAt),
  };
}

export const userCredentialOperations: readonly Operation[] = [
  operation("SetHumanPassword", `POST ${PATH}/password`, {
    ...WRITE,
    summary: "Set a person's password",
    description:
      "The person must change it at the next sign-in unless `noChangeRequired` is set. All existing sessions and tokens end. Sending a link is preferable, because then no one else knows the password.",
    body: strict({ password, noChangeRequired: z.boolean().optional() }),
    handle(ctx, call) {
      const { password, noChangeRequired = false } = call.body;
      const wanted = { password, changeRequired: !noChangeRequired };
      return changedUser(ctx, call, setPassword(ctx, userRefOf(call), wanted, call.origin));
    },
  }),
  operation("ListHumanAuthFactors", `POST ${PATH}/auth_factors/_search`, {
    ...READ,
    summary: "List a person's second factors",
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
    async handle(ctx, call) {
      const rows = await listFactorsOf(ctx, userRefOf(call));
      return isApiError(rows) ? rows : { result: rows.map(toFactor) };
    },
  }),
  operation("RemoveHumanAuthFactor", `DELETE ${PATH}/auth_factors/:factorId`, {
    ...WRITE,
    summary: "Remove a second factor of a person",
    handle: (ctx, call) =>
      changedUser(ctx, call, removeFactorOf(ctx, userRefOf(call), call.parameters.factorId ?? "", call.origin)),
  }),
  operation("ListHumanPasswordless", `POST ${PATH}/passwordless/_search`, {
    ...READ,
    summary: "List a person's passkeys",
    ...noBody,
    answer: z.object({
      result: z.array(passkeyShape),
    }),
    async handle(ctx, call) {
      const rows = await listPasskeysOf(ctx, userRefOf(call));
      return isApiError(rows) ? rows : { result: rows.map(toPasskey) };
    },
  }),
  operation("RemoveHumanPasswordless", `DELETE ${PATH}/passwordless/:passkeyId`, {
    ...WRITE,
    summary: "Remove a passkey of a person",
    handle: (ctx, call) =>
      changedUser(ctx, call, removePasskeyOf(ctx, userRefOf(call), call.parameters.passkeyId ?? "", call.origin)),
  }),
  operation("RemoveHumanRecoveryCodes", `DELETE ${PATH}/recovery_codes`, {
    ...WRITE,
    summary: "Remove a person's recovery codes",
    handle: (ctx, call) => changedUser(ctx, call, removeRecoveryCodesOf(ctx, userRefOf(call), call.origin)),
  }),
];
