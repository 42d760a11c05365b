/** Machines and their secrets. Searches, reads and removals are those of users (users.ts). */
import { z } from "zod";
import * as field from "../../directory/fields";
import { createMachine } from "../../directory/user/create";
import { changeMachineOf, makeMachineSecret, removeMachineSecret } from "../../directory/user/edit-machine";
import { answered, changedAnswer, detailsAnswer } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import { deletion } from "./machine-credentials";
import { TOKEN_TYPES } from "./schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Machines";
const PATH = "/management/v1/users/:userId";
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const CREATE = { tag, scope: { ...WRITE.scope, target: "nobody" } } as const;

const accessTokenType = z
  .enum(Object.values(TOKEN_TYPES))
  .transform((type) => (type === TOKEN_TYPES.jwt ? ("jwt" as const) : ("bearer" as const)));

const legacyAssertionAudience = z.boolean().meta({
  description: "Its assertions may name the endpoint's address as audience instead of the issuer",
});

const jwksUri = field.webAddress.meta({ description: "Where it publishes its keys, besides those registered" });

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
    handle: (ctx, { body: { userId, ...machine }, organizationId }) =>
      answered(createMachine(ctx, { ...machine, id: userId, organizationId }), async (made) => ({
        userId: made.id,
        ...(await changedAnswer(ctx, "user", made.id)),
      })),
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
    handle: (ctx, call) => changedUser(ctx, call, changeMachineOf(ctx, userRefOf(call), call.body)),
  }),
  operation("GenerateMachineSecret", `PUT ${PATH}/secret`, {
    ...WRITE,
    ...noBody,
    summary: "Create a secret, which replaces the previous one; it is shown only once",
    answer: z.object({ clientId: z.string(), clientSecret: z.string(), details }),
    also: {
      AddSecretV2: {
        at: "POST /v2/users/:userId/secret",
        scope: ownedBy("user.write"),
        answer: z.object({ clientId: z.string(), clientSecret: z.string(), creationDate: timestamp }),
        shows: ({ details, ...answer }) => ({ ...answer, creationDate: details.changeDate }),
      },
    },
    handle: (ctx, call) => makeMachineSecret(ctx, userRefOf(call)),
  }),
  operation("RemoveMachineSecret", `DELETE ${PATH}/secret`, {
    ...WRITE,
    summary: "Remove the secret",
    also: {
      RemoveSecretV2: { at: "DELETE /v2/users/:userId/secret", scope: ownedBy("user.write"), ...deletion },
    },
    handle: async (ctx, call) => detailsAnswer(await removeMachineSecret(ctx, userRefOf(call))),
  }),
];
