/** Keys and personal access tokens of machines: of one machine, and in version 2 also searched among many. */
import { z } from "zod";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import { instant, pemKey } from "../../directory/key-fields";
import {
  addKeyToMachine,
  listKeysOfMachine,
  readKeyOfMachine,
  removeKeyOfMachine,
  searchMachineKeys,
} from "../../directory/user/machine-key";
import {
  type ListedToken,
  listPersonalAccessTokens,
  makePersonalAccessToken,
  readPersonalAccessToken,
  removePersonalAccessToken,
  searchPersonalAccessTokens,
} from "../../directory/user/personal-access-token";
import type { Details } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import { keyDetails, keyShape, newKeyShape, toKey, toWantedKey } from "../apps/key-answers";
import { answered, changedAnswer, detailsAnswer, pagedAnswer } from "../operation/answers";
import { filteredAnswer, filteredBody, filteredList, idFilter, timeFilter, toTimeMatch } from "../operation/filters";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";
import { type Called, ownedBy, readableUsers, userRefOf } from "./user-ref";

const tag = "Machines";
const PATH = "/management/v1/users/:userId";
const PATH_V2 = "/v2/users/:userId";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const WRITE_V2 = { scope: ownedBy("user.write") };
const machineSearch = searchBody({});

/** The response of a removal in version 2. */
export const deletion = {
  answer: z.object({ deletionDate: timestamp }),
  shows: ({ details }: { details: Details }) => ({ deletionDate: details.changeDate }),
};

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

const credential = {
  id: z.string(),
  userId: z.string(),
  organizationId: z.string(),
  creationDate: timestamp,
  changeDate: timestamp,
  expirationDate: timestamp.optional().meta({ description: "Left out if it does not expire" }),
};
interface Listed {
  id: string;
  userId: string;
  organizationId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  expiresAt: number | null;
}

const time = (at: number) => new Date(at).toISOString();

/** Converts a row. Keys and tokens never change after their creation. */
const toCredential = ({ id, userId, organizationId, createdAt, expiresAt }: Listed) => ({
  id,
  userId,
  organizationId,
  creationDate: time(createdAt),
  changeDate: time(createdAt),
  expirationDate: expiresAt === null ? undefined : time(expiresAt),
});

const filters = {
  userIdFilter: idFilter,
  organizationIdFilter: idFilter,
  createdDateFilter: timeFilter,
  expirationDateFilter: timeFilter,
};
type Filter = Partial<z.output<z.ZodObject<typeof filters>>>;

function toMatch({ userIdFilter, organizationIdFilter, createdDateFilter, expirationDateFilter }: Filter) {
  return {
    userId: userIdFilter?.id,
    organizationId: organizationIdFilter?.id,
    time:
      (createdDateFilter && { of: "createdAt" as const, ...toTimeMatch(createdDateFilter) }) ??
      (expirationDateFilter && { of: "expiresAt" as const, ...toTimeMatch(expirationDateFilter) }),
  };
}

const keySearch = filteredBody({ ...filters, keyIdFilter: idFilter });
const tokenSearch = filteredBody({ ...filters, tokenIdFilter: idFilter });
const keyList = filteredList("result", z.object(credential).meta({ id: "MachineKeyV2" }));
const tokenList = filteredList("result", z.object(credential).meta({ id: "PersonalAccessTokenV2" }));

/** Returns the limit of a search: the machine of the path, else the users that the caller may read. */
async function limitOf(ctx: Context, call: Called, filters: readonly Filter[]) {
  const { userId } = call.parameters;
  if (userId !== undefined) return { userId, organizationId: call.organizationId };
  return readableUsers(ctx, call, {
    organizationId: filters.find(({ organizationIdFilter }) => organizationIdFilter)?.organizationIdFilter?.id,
    userId: filters.find(({ userIdFilter }) => userIdFilter)?.userIdFilter?.id,
  });
}

async function keysFound(ctx: Context, call: Called & { body: z.output<typeof keySearch> }) {
  const { pagination, filters = [] } = call.body;
  const limit = await limitOf(ctx, call, filters);
  if (isApiError(limit)) return limit;
  const wanted = filters.map(({ keyIdFilter, ...filter }) => ({ ...toMatch(filter), id: keyIdFilter?.id }));
  return filteredAnswer(ctx, pagination, searchMachineKeys(ctx, [limit, ...wanted]), toCredential);
}

async function tokensFound(ctx: Context, call: Called & { body: z.output<typeof tokenSearch> }) {
  const { pagination, filters = [] } = call.body;
  const limit = await limitOf(ctx, call, filters);
  if (isApiError(limit)) return limit;
  const wanted = filters.map(({ tokenIdFilter, ...filter }) => ({ ...toMatch(filter), id: tokenIdFilter?.id }));
  return filteredAnswer(ctx, pagination, searchPersonalAccessTokens(ctx, [limit, ...wanted]), toCredential);
}

const ANYWHERE =
  "Searches the organization named by an `organizationIdFilter`, or that of the user named by a `userIdFilter`. Without a filter, it searches all organizations, or only the caller's own if the caller may not read all.";

/** PEM, or PEM in base64, as protocol buffers' JSON has bytes. */
const publicKey = z
  .string()
  .transform((text) => (text.includes("-----") ? text : Buffer.from(text, "base64").toString()))
  .pipe(pemKey);

export const machineCredentialOperations: readonly Operation[] = [
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
    also: {
      AddMachineKeyV2: {
        at: `POST ${PATH_V2}/keys`,
        ...WRITE_V2,
        body: strict({ expirationDate: instant.optional(), publicKey: publicKey.optional() }),
        bodyIsOptional: true,
        answer: z.object({ keyId: z.string(), keyContent: keyDetails, creationDate: timestamp }),
        shows: ({ keyId, keyDetails, details }) => ({
          keyId,
          keyContent: keyDetails,
          creationDate: details.changeDate,
        }),
      },
    },
    handle: (ctx, call) =>
      answered(addKeyToMachine(ctx, userRefOf(call), toWantedKey(call.body)), async ({ keyId, keyDetails }) => ({
        keyId,
        keyDetails,
        ...(await changedAnswer(ctx, "user", userRefOf(call).userId)),
      })),
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
    handle: (ctx, call) =>
      answered(readKeyOfMachine(ctx, userRefOf(call), call.parameters.keyId ?? ""), (found) => ({ key: toKey(found) })),
  }),
  operation("RemoveMachineKey", `DELETE ${PATH}/keys/:keyId`, {
    ...WRITE,
    summary: "Remove a key: its signatures are not accepted any more",
    also: { RemoveMachineKeyV2: { at: `DELETE ${PATH_V2}/keys/:keyId`, ...WRITE_V2, ...deletion } },
    handle: async (ctx, call) =>
      detailsAnswer(await removeKeyOfMachine(ctx, userRefOf(call), call.parameters.keyId ?? "")),
  }),
  operation("ListKeysV2", "POST /v2/users/keys/search", {
    tag,
    summary: "Search the keys of machines",
    description: ANYWHERE,
    scope: { level: "caller" },
    body: keySearch,
    bodyIsOptional: true,
    answer: keyList,
    also: {
      ListMachineKeysV2: {
        at: `POST ${PATH_V2}/keys/search`,
        aliases: [`${PATH_V2}/keys/_search`],
        summary: "Search the keys of a machine",
        description: undefined,
        scope: ownedBy("user.read"),
      },
    },
    handle: keysFound,
  }),
  operation("AddPersonalAccessToken", `POST ${PATH}/pats`, {
    ...WRITE,
    summary: "Create a personal access token; it is shown only once",
    description:
      "It gives access to the APIs of this service and, by introspection, to those of the organization's current projects. Without `expirationDate`, it expires after a year.",
    body: strict({ expirationDate: instant.optional() }),
    bodyIsOptional: true,
    answer: z.object({ tokenId: z.string(), token: z.string(), expirationDate: timestamp, details }),
    also: {
      AddPersonalAccessTokenV2: {
        at: `POST ${PATH_V2}/pats`,
        ...WRITE_V2,
        answer: z.object({ tokenId: z.string(), token: z.string(), creationDate: timestamp }),
        shows: ({ tokenId, token, details }) => ({ tokenId, token, creationDate: details.changeDate }),
      },
    },
    async handle(ctx, call) {
      const wanted = { expiresAt: call.body.expirationDate };
      const made = await makePersonalAccessToken(ctx, userRefOf(call), wanted);
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
    handle: (ctx, call) =>
      answered(readPersonalAccessToken(ctx, userRefOf(call), call.parameters.tokenId ?? ""), (found) => ({
        token: toToken(found),
      })),
  }),
  operation("RemovePersonalAccessToken", `DELETE ${PATH}/pats/:tokenId`, {
    ...WRITE,
    summary: "Revoke a personal access token",
    also: { RemovePersonalAccessTokenV2: { at: `DELETE ${PATH_V2}/pats/:tokenId`, ...WRITE_V2, ...deletion } },
    handle: async (ctx, call) =>
      detailsAnswer(await removePersonalAccessToken(ctx, userRefOf(call), call.parameters.tokenId ?? "")),
  }),
  operation("ListPersonalAccessTokensV2", "POST /v2/users/pats/search", {
    tag,
    summary: "Search the personal access tokens of machines, oldest first",
    description: ANYWHERE,
    scope: { level: "caller" },
    body: tokenSearch,
    bodyIsOptional: true,
    answer: tokenList,
    also: {
      ListMachineTokensV2: {
        at: `POST ${PATH_V2}/pats/search`,
        aliases: [`${PATH_V2}/pats/_search`],
        summary: "Search the personal access tokens of a machine, oldest first",
        description: undefined,
        scope: ownedBy("user.read"),
      },
    },
    handle: tokensFound,
  }),
];
