/** Version 2 of the credentials of machines: keys, personal access tokens, the secret; of one machine or of many. */
import { z } from "zod";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import { instant, pemKey } from "../../directory/key-fields";
import { addKeyToMachine, removeKeyOfMachine, searchMachineKeys } from "../../directory/user/machine-key";
import { makeMachineSecret, removeMachineSecret } from "../../directory/user/machine-secret";
import {
  makePersonalAccessToken,
  removePersonalAccessToken,
  searchPersonalAccessTokens,
} from "../../directory/user/personal-access-token";
import type { Details } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { keyDetails } from "../apps/key-answers";
import { changedAnswer } from "../operation/answers";
import { filteredAnswer, filteredBody, filteredList, idFilter, timeFilter, toTimeMatch } from "../operation/filters";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { noBody, ownedBy, readableUsers, userRefOf } from "./user-ref";

const PATH = "/v2/users/:userId";
const tag = "Machines";
const scope = { tag, scope: ownedBy("user.write") };

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

/** They never change. */
const toCredential = ({ id, userId, organizationId, createdAt, expiresAt }: Listed) => ({
  id,
  userId,
  organizationId,
  creationDate: time(createdAt),
  changeDate: time(createdAt),
  expirationDate: expiresAt === null ? undefined : time(expiresAt),
});

const deleted = z.object({ deletionDate: timestamp });
const deletedAt = (outcome: Details | ApiError) =>
  isApiError(outcome) ? outcome : { deletionDate: outcome.changeDate };

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

type Call = Pick<OperationCall<unknown, unknown>, "caller" | "parameters" | "organizationId">;

/** What a search is limited to: the machine of the address, if it has one, else what the caller may see. */
async function limitOf(ctx: Context, call: Call, filters: readonly Filter[]) {
  const { userId } = call.parameters;
  if (userId !== undefined) return { userId, organizationId: call.organizationId };
  return readableUsers(ctx, call, {
    organizationId: filters.find(({ organizationIdFilter }) => organizationIdFilter)?.organizationIdFilter?.id,
    userId: filters.find(({ userIdFilter }) => userIdFilter)?.userIdFilter?.id,
  });
}

async function keysFound(ctx: Context, call: Call & { body: z.output<typeof keySearch> }) {
  const { pagination, filters = [] } = call.body;
  const limit = await limitOf(ctx, call, filters);
  if (isApiError(limit)) return limit;
  const wanted = filters.map(({ keyIdFilter, ...filter }) => ({ ...toMatch(filter), id: keyIdFilter?.id }));
  return filteredAnswer(ctx, pagination, searchMachineKeys(ctx, [limit, ...wanted]), toCredential);
}

async function tokensFound(ctx: Context, call: Call & { body: z.output<typeof tokenSearch> }) {
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

export const machineV2Operations: readonly Operation[] = [
  operation("AddMachineKeyV2", `POST ${PATH}/keys`, {
    ...scope,
    summary: "Add a key",
    description: "Without a public key, a key pair is generated and its key file returned, only this once.",
    body: strict({ expirationDate: instant.optional(), publicKey: publicKey.optional() }),
    bodyIsOptional: true,
    answer: z.object({ keyId: z.string(), keyContent: keyDetails, creationDate: timestamp }),
    async handle(ctx, call) {
      const { expirationDate: expiresAt, publicKey } = call.body;
      const added = await addKeyToMachine(ctx, userRefOf(call), { expiresAt, publicKey }, call.origin);
      if (isApiError(added)) return added;
      const { details } = await changedAnswer(ctx, "user", userRefOf(call).userId);
      return { keyId: added.keyId, keyContent: added.keyDetails, creationDate: details.changeDate };
    },
  }),
  operation("RemoveMachineKeyV2", `DELETE ${PATH}/keys/:keyId`, {
    ...scope,
    summary: "Remove a key: its signatures are not accepted any more",
    answer: deleted,
    handle: async (ctx, call) =>
      deletedAt(await removeKeyOfMachine(ctx, userRefOf(call), call.parameters.keyId ?? "", call.origin)),
  }),
  operation("ListKeysV2", "POST /v2/users/keys/search", {
    tag,
    summary: "Search the keys of machines",
    description: ANYWHERE,
    scope: { level: "caller" },
    body: keySearch,
    bodyIsOptional: true,
    answer: keyList,
    handle: keysFound,
  }),
  operation("ListMachineKeysV2", `POST ${PATH}/keys/search`, {
    aliases: [`${PATH}/keys/_search`],
    tag,
    summary: "Search the keys of a machine",
    scope: ownedBy("user.read"),
    body: keySearch,
    bodyIsOptional: true,
    answer: keyList,
    handle: keysFound,
  }),
  operation("AddPersonalAccessTokenV2", `POST ${PATH}/pats`, {
    ...scope,
    summary: "Create a personal access token; it is shown only once",
    description:
      "It gives access to the APIs of this service and, by introspection, to those of the organization's current projects. Without `expirationDate`, it expires after a year.",
    body: strict({ expirationDate: instant.optional() }),
    bodyIsOptional: true,
    answer: z.object({ tokenId: z.string(), token: z.string(), creationDate: timestamp }),
    async handle(ctx, call) {
      const wanted = { expiresAt: call.body.expirationDate };
      const made = await makePersonalAccessToken(ctx, userRefOf(call), wanted, call.origin);
      if (isApiError(made)) return made;
      return { tokenId: made.tokenId, token: made.token, creationDate: made.details.changeDate };
    },
  }),
  operation("RemovePersonalAccessTokenV2", `DELETE ${PATH}/pats/:tokenId`, {
    ...scope,
    summary: "Revoke a personal access token",
    answer: deleted,
    handle: async (ctx, call) =>
      deletedAt(await removePersonalAccessToken(ctx, userRefOf(call), call.parameters.tokenId ?? "", call.origin)),
  }),
  operation("ListPersonalAccessTokensV2", "POST /v2/users/pats/search", {
    tag,
    summary: "Search the personal access tokens of machines, oldest first",
    description: ANYWHERE,
    scope: { level: "caller" },
    body: tokenSearch,
    bodyIsOptional: true,
    answer: tokenList,
    handle: tokensFound,
  }),
  operation("ListMachineTokensV2", `POST ${PATH}/pats/search`, {
    aliases: [`${PATH}/pats/_search`],
    tag,
    summary: "Search the personal access tokens of a machine, oldest first",
    scope: ownedBy("user.read"),
    body: tokenSearch,
    bodyIsOptional: true,
    answer: tokenList,
    handle: tokensFound,
  }),
  operation("AddSecretV2", `POST ${PATH}/secret`, {
    ...scope,
    summary: "Create a secret, which replaces the previous one; it is shown only once",
    ...noBody,
    answer: z.object({ clientId: z.string(), clientSecret: z.string(), creationDate: timestamp }),
    async handle(ctx, call) {
      const made = await makeMachineSecret(ctx, userRefOf(call), call.origin);
      if (isApiError(made)) return made;
      return { clientId: made.clientId, clientSecret: made.clientSecret, creationDate: made.details.changeDate };
    },
  }),
  operation("RemoveSecretV2", `DELETE ${PATH}/secret`, {
    ...scope,
    summary: "Remove the secret",
    answer: deleted,
    handle: async (ctx, call) => deletedAt(await removeMachineSecret(ctx, userRefOf(call), call.origin)),
  }),
];
