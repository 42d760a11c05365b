/** Machines and their credentials. They are searched, read and removed like people (users.ts). */

import { z } from "zod";
import * as field from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import { changeMachineOf } from "../../directory/user/change-machine";
import { createMachine } from "../../directory/user/create";
import {
  addKeyToMachine,
  listKeysOfMachine,
  readKeyOfMachine,
  removeKeyOfMachine,
} from "../../directory/user/machine-key";
import { makeMachineSecret, removeMachineSecret } from "../../directory/user/machine-secret";
import {
  type ListedToken,
  listPersonalAccessTokens,
  makePersonalAccessToken,
  readPersonalAccessToken,
  removePersonalAccessToken,
} from "../../directory/user/personal-access-token";
import { isApiError } from "../../protocol/api-error";
import { keyDetails, keyShape, newKeyShape, toKey, toWantedKey } from "../apps/key-answers";
import { changedAnswer, detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { pagedAnswer } from "../operation/paged";
import { details, listOf, timestamp } from "../operation/schemas";
import { TOKEN_TYPES } from "./schemas";
import { changedUser, noBody, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Machines";
const PATH = "/management/v1/users/:userId";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const CREATE = { tag, scope: { ...WRITE.scope, target: "nobody" } } as const;
const machineSearch = searchBody({});

const accessTokenType = z
  .enum(Object.values(TOKEN_TYPES))
  .transform((type) => (type === TOKEN_TYPES.jwt ? ("jwt" as const) : ("bearer" as const)));

const legacyAssertionAudience = z.boolean().meta({
  description: "Its assertions may name the endpoint's address as audience instead of the issuer",
});

const jwksUri = field.webAddress.meta({ description: "Where it publishes its keys, besides those registered" });

const time = (at: number) => new Date(at).toISOString();
const key = z.object(keyShape).meta({ id: "MachineKey" });

const token = z
  .object({ id: z.string(), creationDate: timestamp, expirationDate: timestamp, scopes: z.array(z.string()) })
  .meta({ id: "PersonalAccessToken" });

const toToken = ({ id, createdAt, expiresAt, scope }: ListedToken): z.input<typeof token> => ({
  id,
  creationDate: time(createdAt),
  expirationDate: time(expiresAt),
  scopes: scope.split(" "),
});

export const machineOperations: readonly Operation[] = [
  operation("AddMachineUser", "POST /management/v1/users/machine", {
    ...CREATE,
    summary: "Add a machine; its client id is its user name",
    body: strict({
      userId: field.identifier.optional(),
      userName: field.userName,
      name: field.name,
      description: field.text(500).optional(),
      accessTokenType: accessTokenType.optional(),
      legacyAssertionAudience: legacyAssertionAudience.optional(),
      jwksUri: jwksUri.optional(),
    }),
    answer: z.object({ userId: z.string(), details }),
    async handle(ctx, { body: { userId, ...machine }, organizationId, origin }) {
      const made = await createMachine(ctx, { ...machine, id: userId, organizationId }, origin);
      return isApiError(made) ? made : { userId: made.id, ...(await changedAnswer(ctx, "user", made.id)) };
    },
  }),
  operation("UpdateMachine", `PUT ${PATH}/machine`, {
    ...WRITE,
    summary: "Change a machine's name, description, token type, and what counts as its assertion",
    body: strict({
      name: field.name.optional(),
      description: field.text(500).nullable().optional(),
      accessTokenType: accessTokenType.optional(),
      legacyAssertionAudience: legacyAssertionAudience.optional(),
      jwksUri: jwksUri.nullable().optional(),
    }),
    handle: (ctx, call) => changedUser(ctx, call, changeMachineOf(ctx, userRefOf(call), call.body, call.origin)),
  }),
  operation("GenerateMachineSecret", `PUT ${PATH}/secret`, {
    ...WRITE,
    ...noBody,
    summary: "Create a secret, which replaces the previous one; it is shown only once",
    answer: z.object({ clientId: z.string(), clientSecret: z.string(), details }),
    handle: (ctx, call) => makeMachineSecret(ctx, userRefOf(call), call.origin),
  }),
  operation("RemoveMachineSecret", `DELETE ${PATH}/secret`, {
    ...WRITE,
    summary: "Remove the secret",
    handle: async (ctx, call) => detailsAnswer(await removeMachineSecret(ctx, userRefOf(call), call.origin)),
  }),
  operation("AddMachineKey", `POST ${PATH}/keys`, {
    ...WRITE,
    summary: "Add a key",
    description: "Without a public key, a key pair is generated and its key file returned, only this once.",
    body: strict(newKeyShape),
    answer: z.object({
      keyId: z.string(),
      keyDetails,
      details,
    }),
    async handle(ctx, call) {
      const added = await addKeyToMachine(ctx, userRefOf(call), toWantedKey(call.body), call.origin);
      if (isApiError(added)) return added;
      const { keyId, keyDetails } = added;
      return { keyId, keyDetails, ...(await changedAnswer(ctx, "user", userRefOf(call).userId)) };
    },
  }),
  operation("ListMachineKeys", `POST ${PATH}/keys/_search`, {
    ...READ,
    summary: "List the keys of a machine",
    body: machineSearch,
    bodyIsOptional: true,
    answer: listOf(key),
    handle: async (ctx, call) =>
      pagedAnswer(ctx, call.body.query, await listKeysOfMachine(ctx, userRefOf(call)), toKey),
  }),
  operation("GetMachineKeyByIDs", `GET ${PATH}/keys/:keyId`, {
    ...READ,
    summary: "Read a key",
    answer: z.object({ key }),
    async handle(ctx, call) {
      const found = await readKeyOfMachine(ctx, userRefOf(call), call.parameters.keyId ?? "");
      return isApiError(found) ? found : { key: toKey(found) };
    },
  }),
  operation("RemoveMachineKey", `DELETE ${PATH}/keys/:keyId`, {
    ...WRITE,
    summary: "Remove a key: its signatures are not accepted any more",
    handle: async (ctx, call) =>
      detailsAnswer(await removeKeyOfMachine(ctx, userRefOf(call), call.parameters.keyId ?? "", call.origin)),
  }),
  operation("AddPersonalAccessToken", `POST ${PATH}/pats`, {
    ...WRITE,
    summary: "Create a personal access token; it is shown only once",
    description:
      "It gives access to the APIs of this service and, by introspection, to those of the organization's current projects. Without `expirationDate`, it expires after a year.",
    body: strict({ expirationDate: instant.optional() }),
    bodyIsOptional: true,
    answer: z.object({ tokenId: z.string(), token: z.string(), expirationDate: timestamp, details }),
    async handle(ctx, call) {
      const wanted = { expiresAt: call.body.expirationDate };
      const made = await makePersonalAccessToken(ctx, userRefOf(call), wanted, call.origin);
      if (isApiError(made)) return made;
      const { tokenId, token, expiresAt, details } = made;
      return { tokenId, token, expirationDate: time(expiresAt), details };
    },
  }),
  operation("ListPersonalAccessTokens", `POST ${PATH}/pats/_search`, {
    ...READ,
    summary: "List the personal access tokens of a machine, oldest first",
    body: machineSearch,
    bodyIsOptional: true,
    answer: listOf(token),
    handle: async (ctx, call) =>
      pagedAnswer(ctx, call.body.query, await listPersonalAccessTokens(ctx, userRefOf(call)), toToken),
  }),
  operation("GetPersonalAccessTokenByIDs", `GET ${PATH}/pats/:tokenId`, {
    ...READ,
    summary: "Read a personal access token",
    answer: z.object({ token }),
    async handle(ctx, call) {
      const found = await readPersonalAccessToken(ctx, userRefOf(call), call.parameters.tokenId ?? "");
      return isApiError(found) ? found : { token: toToken(found) };
    },
  }),
  operation("RemovePersonalAccessToken", `DELETE ${PATH}/pats/:tokenId`, {
    ...WRITE,
    summary: "Revoke a personal access token",
    handle: async (ctx, call) =>
      detailsAnswer(await removePersonalAccessToken(ctx, userRefOf(call), call.parameters.tokenId ?? "", call.origin)),
  }),
];
