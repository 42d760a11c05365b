/** Clients that no administrator registered, and the initial access tokens with which they register. */
import { z } from "zod";
import { parseDuration } from "../../config/value-parsers";
import { durationText, strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import {
  createInitialToken,
  listInitialTokens,
  MAX_TOKEN_LIFETIME,
  removeInitialToken,
} from "../../directory/registration/initial-tokens";
import { type ListedRegistration, registrationList } from "../../directory/registration/list";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { provenHost } from "../../protocol/trust";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";

const KINDS = { registration: "CLIENT_KIND_REGISTERED", document: "CLIENT_KIND_METADATA_DOCUMENT" } as const;
const STATES = { active: "APP_STATE_ACTIVE", inactive: "APP_STATE_INACTIVE" } as const;
/** The stored kind of each name. */
const KIND_OF = { CLIENT_KIND_REGISTERED: "registration", CLIENT_KIND_METADATA_DOCUMENT: "document" } as const;
const time = (at: number): string => new Date(at).toISOString();

const registeredClient = z
  .object({
    appId: z.string(),
    projectId: z.string(),
    organizationId: z.string(),
    clientId: z.string(),
    name: z.string().meta({ description: "As the client calls itself; no one has checked it" }),
    host: z.string().optional().meta({ description: "That of the metadata document" }),
    kind: z.enum(KINDS).meta({ description: "Registered by itself (RFC 7591), or known by the document at its id" }),
    state: z.enum(STATES),
    createdBy: z.string().optional().meta({ description: "The user whose initial access token it registered with" }),
    address: z.string().optional().meta({ description: "The network that it registered from" }),
    creationDate: timestamp,
    lastUsed: timestamp.optional().meta({ description: "To the day; left out if no user has signed in to it" }),
    expirationDate: timestamp.meta({ description: "When it is removed, unless it is used before" }),
  })
  .meta({ id: "RegisteredClient" });

function toRegisteredClient(row: ListedRegistration): z.input<typeof registeredClient> {
  const { appId, projectId, organizationId, clientId, name, kind, state, vouchedBy, address } = row;
  const host = provenHost({ origin: kind, clientId });
  return {
    ...{ appId, projectId, organizationId, clientId, name, kind: KINDS[kind], state: STATES[state] },
    ...(host !== undefined && { host }),
    ...(vouchedBy !== null && { createdBy: vouchedBy }),
    ...(address !== null && { address }),
    creationDate: time(row.createdAt),
    ...(row.usedAt !== null && { lastUsed: time(row.usedAt) }),
    expirationDate: time(row.expiresAt),
  };
}

const search = searchBody({ nameQuery: textQuery("name"), kindQuery: strict({ kind: z.enum(KINDS) }) });
const lifetime = durationText().refine((text) => Number(parseDuration(text)) <= MAX_TOKEN_LIFETIME, {
  error: issue("duration_most", { most: "366d" }),
});

const tag = "Client registration";
const PATH = "/admin/v1/registration_tokens";
const READ = { tag, scope: { level: "instance", permission: "iam.policy.read" } } as const;
const WRITE = { tag, scope: { level: "instance", permission: "iam.policy.write" } } as const;

export const clientRegistrationOperations = [
  operation("CreateRegistrationToken", `POST ${PATH}`, {
    ...WRITE,
    summary: "Create an initial access token, with which clients register at /oauth/v2/register",
    description: "Any number of clients can register with it until it expires. It is shown only once.",
    body: strict({
      lifetime: lifetime.optional().meta({ description: "30 days by default, at most 366", example: "30d" }),
    }),
    bodyIsOptional: true,
    answer: z.object({ id: z.string(), token: z.string(), expirationDate: timestamp, details }),
    async handle(ctx, { body }) {
      const made = await createInitialToken(ctx, body.lifetime);
      if (isApiError(made)) return made;
      const { id, token, expiresAt } = made;
      const instance = await findInstance(ctx);
      return { id, token, expirationDate: time(expiresAt), ...(await changedAnswer(ctx, "instance", instance.id)) };
    },
  }),
  operation("ListRegistrationTokens", `POST ${PATH}/_search`, {
    ...READ,
    summary: "List the initial access tokens that have not expired",
    body: strict({}),
    bodyIsOptional: true,
    answer: z.object({
      result: z.array(
        z
          .object({
            id: z.string(),
            createdBy: z.string().meta({ description: "A user ID" }),
            creationDate: timestamp,
            expirationDate: timestamp,
            lastUsed: timestamp.optional().meta({ description: "When a client last registered with it" }),
          })
          .meta({ id: "RegistrationToken" }),
      ),
    }),
    async handle(ctx) {
      const tokens = await listInitialTokens(ctx);
      const result = tokens.map(({ id, createdBy, createdAt, expiresAt, usedAt }) => ({
        ...{ id, createdBy, creationDate: time(createdAt), expirationDate: time(expiresAt) },
        ...(usedAt !== null && { lastUsed: time(usedAt) }),
      }));
      return { result };
    },
  }),
  operation("RemoveRegistrationToken", `DELETE ${PATH}/:tokenId`, {
    ...WRITE,
    summary: "Revoke an initial access token",
    description: "Clients that registered with it remain.",
    handle: (ctx, { parameters }) =>
      answered(removeInitialToken(ctx, parameters.tokenId ?? ""), async () =>
        changedAnswer(ctx, "instance", (await findInstance(ctx)).id),
      ),
  }),
  operation("ListRegisteredClients", "POST /admin/v1/registered_clients/_search", {
    ...READ,
    summary: "Search the clients that no administrator registered, newest first",
    description:
      "Each is an app of the project `projectId`; removing that app removes the client. One that no user has signed in to is removed after 30 days.",
    body: search,
    bodyIsOptional: true,
    answer: listOf(registeredClient),
    handle(ctx, { body: { query, queries = [] } }) {
      const matches = queries.map(({ nameQuery, kindQuery }) => ({
        name: nameQuery && toTextMatch(nameQuery.name, nameQuery.method),
        kind: kindQuery && KIND_OF[kindQuery.kind],
      }));
      return pagedAnswer(ctx, query, registrationList(ctx, matches), toRegisteredClient);
    },
  }),
];
