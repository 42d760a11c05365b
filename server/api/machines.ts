/** Machines and their credentials. They are searched, read and removed like people (users.ts). */

import { z } from "zod";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import * as field from "../directory/fields";
import { instant, pemKey } from "../directory/key-fields";
import { makeKeyFile } from "../directory/key-file";
import { noSuchUser } from "../directory/not-found";
import { changeUser, wrongKind } from "../directory/user/change";
import { createMachine } from "../directory/user/create";
import { changeMachine } from "../directory/user/machine";
import {
  makeMachineSecret,
  makePersonalAccessToken,
  noSuchKey,
  noSuchToken,
  registerMachineKey,
  removeMachineKey,
  removeMachineSecret,
  removePersonalAccessToken,
} from "../directory/user/machine-credentials";
import { failedPrecondition, isApiError } from "../protocol/api-error";
import type { Conditions, Page } from "../storage/listing";
import {
  countMachineKeys,
  countTokens,
  listMachineKeys,
  listTokens,
  ofMachine,
  type ShownMachineKey,
  type ShownToken,
} from "../storage/machine-credentials";
import type { Reading } from "../storage/projects";
import { findShownUser } from "../storage/user-list";
import { changedAnswer, detailsAnswer } from "./answers";
import { listAnswer, searchBody } from "./lists";
import { type Operation, type OperationCall, operation } from "./operation";
import { changed, details, listOf, moment } from "./schemas";
import { noBody } from "./user-place";
import { TOKEN_TYPES } from "./user-schemas";

const { strict } = field;
const tag = "Machines";
const PATH = "/management/v1/users/:userId";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", over: "user" } as const;
const CREATE = { ...WRITE, over: "nobody" } as const;
const machineSearch = searchBody({});
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId">;

const placeOf = ({ parameters: { userId = "" }, organizationId }: Call) => ({ userId, organizationId });

async function findMachineOf(ctx: Context, call: Call) {
  const { userId, organizationId } = placeOf(call);
  const row = await findShownUser(ctx.db, userId, organizationId);
  if (!row) return noSuchUser();
  return row.kind === "machine" ? row : wrongKind("machine");
}

const accessTokenType = z
  .enum(Object.values(TOKEN_TYPES))
  .transform((type) => (type === TOKEN_TYPES.jwt ? ("jwt" as const) : ("bearer" as const)));

interface Credentials<Row, Item> {
  list(db: Context["db"], where: Conditions, reading: Reading): Promise<Page<Row>>;
  count(db: Context["db"], where: Conditions): Promise<number>;
  shown(row: Row): Item;
}

/** Lists credentials of a machine, oldest first. */
async function listAtMachine<Row, Item>(
  ctx: Context,
  call: Call & { body: z.output<typeof machineSearch> },
  { list, count, shown }: Credentials<Row, Item>,
) {
  const machine = await findMachineOf(ctx, call);
  if (isApiError(machine)) return machine;
  const where = ofMachine(machine.id);
  return listAnswer(ctx, call.body.query, {
    places: ["string", "string"],
    page: ({ ascending, ...wanted }) => list(ctx.db, where, { ...wanted, descending: ascending === false }),
    count: () => count(ctx.db, where),
    items: (rows) => rows.map(shown),
  });
}

const time = (at: number) => new Date(at).toISOString();
const keyType = z.enum(["KEY_TYPE_JSON"]);
const key = z
  .object({
    id: z.string().meta({ description: "The `kid` of the tokens it signs" }),
    type: keyType,
    algorithm: z.string().meta({ example: "RSA", description: "RSA or the curve" }),
    creationDate: moment,
    expirationDate: moment.optional(),
  })
  .meta({ id: "MachineKey" });

function toKey({ id, publicJwk, createdAt, expiresAt }: ShownMachineKey): z.input<typeof key> {
  const expires = expiresAt === null ? {} : { expirationDate: time(expiresAt) };
  const algorithm = publicJwk.crv ?? publicJwk.kty ?? "";
  return { id, type: "KEY_TYPE_JSON", algorithm, creationDate: time(createdAt), ...expires };
}

const token = z
  .object({ id: z.string(), creationDate: moment, expirationDate: moment, scopes: z.array(z.string()) })
  .meta({ id: "PersonalAccessToken" });

const toToken = ({ id, createdAt, expiresAt, scope }: ShownToken): z.input<typeof token> => ({
  ...{ id, creationDate: time(createdAt), expirationDate: time(expiresAt), scopes: scope.split(" ") },
});

/** Milliseconds. Choice: a token without a given expiry expires after a year, so that none is forgotten for ever. */
const YEAR = 365 * 24 * 3_600_000;
const ONE = { after: undefined, offset: 0, limit: 1, descending: false };

export const machineOperations: readonly Operation[] = [
  operation({
    ...{ id: "AddMachineUser", method: "POST", path: "/management/v1/users/machine", tag, scope: CREATE },
    summary: "Add a machine; its client id is its user name",
    body: strict({
      userId: field.identifier.optional(),
      userName: field.userName,
      name: field.name,
      description: field.text(500).optional(),
      accessTokenType: accessTokenType.optional(),
    }),
    answer: z.object({ userId: z.string(), details }),
    async handle(ctx, { body: { userId, ...machine }, organizationId, origin }) {
      const made = await createMachine(ctx, { ...machine, id: userId, organizationId }, origin);
      return isApiError(made) ? made : { userId: made.id, ...(await changedAnswer(ctx, "user", made.id)) };
    },
  }),
  operation({
    ...{ id: "UpdateMachine", method: "PUT", path: `${PATH}/machine`, tag, scope: WRITE, answer: changed },
    summary: "Change a machine's name, description and token type",
    body: strict({
      name: field.name.optional(),
      description: field.text(500).nullable().optional(),
      accessTokenType: accessTokenType.optional(),
    }),
    async handle(ctx, call) {
      const { body, origin } = call;
      const place = { ...placeOf(call), kind: "machine" } as const;
      const refusal = await changeUser(ctx, place, origin, async (tx, stored) => {
        await changeMachine(ctx, tx, stored, body, origin);
        return undefined;
      });
      return refusal ?? changedAnswer(ctx, "user", place.userId);
    },
  }),
  operation({
    ...{ id: "GenerateMachineSecret", method: "PUT", path: `${PATH}/secret`, tag, scope: WRITE, ...noBody },
    summary: "Create a secret, which replaces the previous one; it is shown only once",
    answer: z.object({ clientId: z.string(), clientSecret: z.string(), details }),
    handle: (ctx, call) => makeMachineSecret(ctx, placeOf(call), call.origin),
  }),
  operation({
    ...{ id: "RemoveMachineSecret", method: "DELETE", path: `${PATH}/secret`, tag, scope: WRITE, answer: changed },
    summary: "Remove the secret",
    handle: async (ctx, call) => detailsAnswer(await removeMachineSecret(ctx, placeOf(call), call.origin)),
  }),
  operation({
    ...{ id: "AddMachineKey", method: "POST", path: `${PATH}/keys`, tag, scope: WRITE },
    summary: "Add a key",
    description: "Without a public key, a key pair is generated and its key file returned, only this once.",
    body: strict({
      type: keyType,
      expirationDate: instant.optional(),
      publicKey: pemKey.optional(),
      keyId: field.identifier.optional(),
    }),
    answer: z.object({
      keyId: z.string(),
      keyDetails: z.string().optional().meta({ description: "The key file in base64: JSON with the private key" }),
      details,
    }),
    async handle(ctx, call) {
      const { publicKey, keyId = newId(), expirationDate: expiresAt } = call.body;
      if (expiresAt !== undefined && expiresAt <= ctx.clock()) {
        return failedPrecondition("machine.key_expired", "The key would have expired.", { field: "expirationDate" });
      }
      const machine = await findMachineOf(ctx, call);
      if (isApiError(machine)) return machine;
      const owner = { type: "serviceaccount", userId: machine.id } as const;
      const made = publicKey === undefined ? await makeKeyFile(keyId, owner, expiresAt) : undefined;
      const publicJwk = made?.publicJwk ?? publicKey;
      if (publicJwk === undefined) throw new Error("neither made nor given");
      const key = { keyId, publicJwk, expiresAt };
      const refusal = await registerMachineKey(ctx, placeOf(call), key, call.origin);
      if (refusal) return refusal;
      const shown = made ? { keyDetails: made.keyDetails } : {};
      return { keyId, ...shown, ...(await changedAnswer(ctx, "user", machine.id)) };
    },
  }),
  operation({
    ...{ id: "ListMachineKeys", method: "POST", path: `${PATH}/keys/_search`, tag, scope: READ },
    summary: "List the keys of a machine",
    body: machineSearch,
    bodyIsOptional: true,
    answer: listOf(key),
    handle: (ctx, call) => listAtMachine(ctx, call, { list: listMachineKeys, count: countMachineKeys, shown: toKey }),
  }),
  operation({
    ...{ id: "GetMachineKeyByIDs", method: "GET", path: `${PATH}/keys/:keyId`, tag, scope: READ },
    summary: "Read a key",
    answer: z.object({ key }),
    async handle(ctx, call) {
      const machine = await findMachineOf(ctx, call);
      if (isApiError(machine)) return machine;
      const { rows } = await listMachineKeys(ctx.db, ofMachine(machine.id, call.parameters.keyId ?? ""), ONE);
      return rows[0] ? { key: toKey(rows[0]) } : noSuchKey();
    },
  }),
  operation({
    ...{ id: "RemoveMachineKey", method: "DELETE", path: `${PATH}/keys/:keyId`, tag, scope: WRITE, answer: changed },
    summary: "Remove a key: its signatures are not accepted any more",
    handle: async (ctx, call) =>
      detailsAnswer(await removeMachineKey(ctx, placeOf(call), call.parameters.keyId ?? "", call.origin)),
  }),
  operation({
    ...{ id: "AddPersonalAccessToken", method: "POST", path: `${PATH}/pats`, tag, scope: WRITE },
    summary: "Create a personal access token; it is shown only once",
    description:
      "It opens the APIs of this service and, by introspection, those of the projects that the organization has now. Without an end it ends after a year.",
    body: strict({ expirationDate: instant.optional() }),
    bodyIsOptional: true,
    answer: z.object({ tokenId: z.string(), token: z.string(), expirationDate: moment, details }),
    async handle(ctx, call) {
      const { expirationDate: expiresAt = ctx.clock() + YEAR } = call.body;
      if (expiresAt <= ctx.clock()) {
        return failedPrecondition("machine.token_expired", "The token would have expired.", {
          field: "expirationDate",
        });
      }
      const made = await makePersonalAccessToken(ctx, placeOf(call), expiresAt, call.origin);
      return isApiError(made) ? made : { ...made, expirationDate: time(expiresAt) };
    },
  }),
  operation({
    ...{ id: "ListPersonalAccessTokens", method: "POST", path: `${PATH}/pats/_search`, tag, scope: READ },
    summary: "List the personal access tokens of a machine, oldest first",
    body: machineSearch,
    bodyIsOptional: true,
    answer: listOf(token),
    handle: (ctx, call) => listAtMachine(ctx, call, { list: listTokens, count: countTokens, shown: toToken }),
  }),
  operation({
    ...{ id: "GetPersonalAccessTokenByIDs", method: "GET", path: `${PATH}/pats/:tokenId`, tag, scope: READ },
    summary: "Read a personal access token",
    answer: z.object({ token }),
    async handle(ctx, call) {
      const machine = await findMachineOf(ctx, call);
      if (isApiError(machine)) return machine;
      const { rows } = await listTokens(ctx.db, ofMachine(machine.id, call.parameters.tokenId ?? ""), ONE);
      return rows[0] ? { token: toToken(rows[0]) } : noSuchToken();
    },
  }),
  operation({
    ...{ id: "RemovePersonalAccessToken", method: "DELETE", path: `${PATH}/pats/:tokenId`, tag, scope: WRITE },
    summary: "Revoke a personal access token",
    answer: changed,
    handle: async (ctx, call) =>
      detailsAnswer(await removePersonalAccessToken(ctx, placeOf(call), call.parameters.tokenId ?? "", call.origin)),
  }),
];
