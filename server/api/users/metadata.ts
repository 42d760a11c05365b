/** Metadata of users, which apps can read: by key, several at once in version 2, and the caller's own. */
import { z } from "zod";
import { name, strict } from "../../directory/fields";
import {
  listUserMetadata,
  MAX_KEYS,
  type MetadataEntry,
  noSuchMetadata,
  readUserMetadata,
  removeUserMetadata,
  setUserMetadata,
} from "../../directory/user/metadata";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { answered } from "../operation/answers";
import { appliedTo, filteredBody, filteredList, isKeyFound, keyFilter } from "../operation/filters";
import { USUAL_LIMIT } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { OWN, OWN_PATH } from "./own";
import { changedUser, noBody, ownedBy, userRefOf } from "./user-ref";

const tag = "User metadata";
const PATH = "/management/v1/users/:userId/metadata";
const PATH_V2 = "/v2/users/:userId/metadata";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;

/** The largest value in bytes: tokens may contain all of them. */
const MAX_VALUE = 5_000;

/** Bytes in base64 of either alphabet. */
const metadataValue = z
  .string()
  .max(Math.ceil((MAX_VALUE * 4) / 3) + 4, { error: issue("bytes", { n: MAX_VALUE }) })
  .regex(/^[\w+/-]+={0,2}$/, { error: issue("base64") })
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length > 0 && bytes.length <= MAX_VALUE, { error: issue("bytes", { n: MAX_VALUE }) });
const metadata = z
  .object({ key: z.string(), value: z.string().meta({ description: "base64" }) })
  .meta({ id: "Metadata" });

const toMetadata = (row: MetadataEntry): z.input<typeof metadata> => ({
  key: row.key,
  value: Buffer.from(row.value, "base64url").toString("base64"),
});

const dates = { creationDate: timestamp, changeDate: timestamp };

const toDatedMetadata = (entry: MetadataEntry) => ({
  ...toMetadata(entry),
  creationDate: new Date(entry.createdAt).toISOString(),
  changeDate: new Date(entry.changedAt).toISOString(),
});

const several = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1, { error: issue("empty") })
    .max(MAX_KEYS, { error: issue("entries", { n: MAX_KEYS }) });

export const userMetadataOperations: readonly Operation[] = [
  operation("ListUserMetadata", `POST ${PATH}/_search`, {
    ...READ,
    summary: "List a user's metadata, by key",
    also: {
      ListMyMetadata: {
        at: `POST ${OWN_PATH}/metadata/_search`,
        ...OWN,
        summary: "List the caller's metadata, by key",
      },
    },
    ...noBody,
    answer: z.object({ result: z.array(metadata) }),
    handle: (ctx, call) =>
      answered(listUserMetadata(ctx, userRefOf(call)), (entries) => ({ result: entries.map(toMetadata) })),
  }),
  operation("GetUserMetadata", `GET ${PATH}/:key`, {
    ...READ,
    summary: "Read one value of a user's metadata",
    also: {
      GetMyMetadata: {
        at: `GET ${OWN_PATH}/metadata/:key`,
        ...OWN,
        summary: "Read one value of the caller's metadata",
      },
    },
    answer: z.object({ metadata }),
    handle: (ctx, call) =>
      answered(readUserMetadata(ctx, userRefOf(call), call.parameters.key ?? ""), (entry) => ({
        metadata: toMetadata(entry),
      })),
  }),
  operation("SetUserMetadata", `POST ${PATH}/:key`, {
    ...WRITE,
    summary: "Set one value of a user's metadata",
    description: "Apps get it with the scope `urn:service:iam:user:metadata`.",
    body: strict({ value: metadataValue }),
    async handle(ctx, call) {
      const key = name.safeParse(call.parameters.key);
      if (!key.success) return noSuchMetadata();
      const entry = { key: key.data, bytes: call.body.value };
      return changedUser(ctx, call, setUserMetadata(ctx, userRefOf(call), [entry], call.origin));
    },
  }),
  operation("RemoveUserMetadata", `DELETE ${PATH}/:key`, {
    summary: "Remove one value of a user's metadata",
    ...WRITE,
    handle: (ctx, call) =>
      changedUser(ctx, call, removeUserMetadata(ctx, userRefOf(call), [call.parameters.key ?? ""], call.origin)),
  }),
  operation("SetUserMetadataV2", `POST ${PATH_V2}`, {
    tag,
    summary: "Set values of a user's metadata, all or none",
    description: "Apps get them with the scope `urn:service:iam:user:metadata`.",
    scope: ownedBy("user.write"),
    body: strict({ metadata: several(strict({ key: name, value: metadataValue })) }),
    answer: z.object({ setDate: timestamp }),
    async handle(ctx, call) {
      const entries = call.body.metadata.map(({ key, value }) => ({ key, bytes: value }));
      const set = await changedUser(ctx, call, setUserMetadata(ctx, userRefOf(call), entries, call.origin));
      return isApiError(set) ? set : { setDate: set.details.changeDate };
    },
  }),
  operation("ListUserMetadataV2", `POST ${PATH_V2}/search`, {
    aliases: [`${PATH_V2}/_search`],
    tag,
    summary: "Search a user's metadata, by key",
    scope: ownedBy("user.read"),
    body: filteredBody({ keyFilter }),
    bodyIsOptional: true,
    answer: filteredList("metadata", metadata.extend(dates).meta({ id: "DatedMetadata" })),
    async handle(ctx, call) {
      const entries = await listUserMetadata(ctx, userRefOf(call));
      if (isApiError(entries)) return entries;
      const { pagination = {}, filters = [] } = call.body;
      const found = entries.filter(({ key }) =>
        filters.every((one) => !one.keyFilter || isKeyFound(key, one.keyFilter)),
      );
      const { offset = 0, limit } = pagination;
      const page = found.slice(offset, offset + (limit || USUAL_LIMIT));
      return { pagination: appliedTo(found.length, pagination), metadata: page.map(toDatedMetadata) };
    },
  }),
  operation("DeleteUserMetadataV2", `DELETE ${PATH_V2}`, {
    tag,
    summary: "Remove values of a user's metadata, all or none",
    scope: ownedBy("user.write"),
    query: z.object({ keys: several(z.string()) }),
    repeatedQuery: ["keys"],
    answer: z.object({ deletionDate: timestamp }),
    async handle(ctx, call) {
      const { keys } = call.query;
      const removed = await changedUser(ctx, call, removeUserMetadata(ctx, userRefOf(call), keys, call.origin));
      return isApiError(removed) ? removed : { deletionDate: removed.details.changeDate };
    },
  }),
];
