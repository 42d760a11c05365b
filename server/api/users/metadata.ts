/** Metadata of users, which apps can read: by key, several at once, and the caller's own. */
import { z } from "zod";
import type { Context } from "../../context";
import { name, strict } from "../../directory/fields";
import { noSuchMetadata } from "../../directory/metadata";
import { listUserMetadata, removeUserMetadata, setUserMetadata } from "../../directory/user/metadata";
import { isApiError } from "../../protocol/api-error";
import { answered } from "../operation/answers";
import {
  entriesIn,
  filteredEntries,
  filteredMetadata,
  filteredMetadataList,
  listedMetadata,
  metadataList,
  metadataSearch,
  metadataUnder,
  metadataValue,
  oneMetadata,
  severalKeys,
  severalMetadata,
} from "../operation/metadata-entries";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { OWN, OWN_PATH } from "./own";
import { changedUser, ownedBy, userRefOf } from "./user-ref";

const tag = "User metadata";
const PATH = "/management/v1/users/:userId/metadata";
const PATH_V2 = "/v2/users/:userId/metadata";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const FOR_APPS = "Apps get them with the scope `urn:service:iam:user:metadata`.";

type Call = OperationCall<unknown, unknown>;
const set = (ctx: Context, call: Call, entries: ReturnType<typeof entriesIn>) =>
  changedUser(ctx, call, setUserMetadata(ctx, userRefOf(call), entries, call.origin));
const remove = (ctx: Context, call: Call, keys: readonly string[]) =>
  changedUser(ctx, call, removeUserMetadata(ctx, userRefOf(call), keys, call.origin));

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
    body: metadataSearch,
    bodyIsOptional: true,
    answer: metadataList,
    handle: (ctx, call) =>
      answered(listUserMetadata(ctx, userRefOf(call)), (entries) =>
        listedMetadata(ctx, call.body, entries, call.organizationId),
      ),
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
    answer: oneMetadata,
    handle: (ctx, call) =>
      answered(listUserMetadata(ctx, userRefOf(call)), (entries) =>
        metadataUnder(entries, call.parameters.key, call.organizationId),
      ),
  }),
  operation("BulkSetUserMetadata", `POST ${PATH}/_bulk`, {
    ...WRITE,
    effort: "heavy",
    summary: "Set several values of a user's metadata, all or none",
    description: FOR_APPS,
    body: severalMetadata,
    handle: (ctx, call) => set(ctx, call, entriesIn(call.body)),
  }),
  operation("BulkRemoveUserMetadata", `DELETE ${PATH}/_bulk`, {
    ...WRITE,
    effort: "heavy",
    summary: "Remove several values of a user's metadata, all or none",
    body: strict({ keys: severalKeys }),
    handle: (ctx, call) => remove(ctx, call, call.body.keys),
  }),
  operation("SetUserMetadata", `POST ${PATH}/:key`, {
    ...WRITE,
    summary: "Set one value of a user's metadata",
    description: "Apps get it with the scope `urn:service:iam:user:metadata`.",
    body: strict({ value: metadataValue }),
    async handle(ctx, call) {
      const key = name.safeParse(call.parameters.key);
      return key.success ? set(ctx, call, [{ key: key.data, bytes: call.body.value }]) : noSuchMetadata();
    },
  }),
  operation("RemoveUserMetadata", `DELETE ${PATH}/:key`, {
    summary: "Remove one value of a user's metadata",
    ...WRITE,
    handle: (ctx, call) => remove(ctx, call, [call.parameters.key ?? ""]),
  }),
  operation("SetUserMetadataV2", `POST ${PATH_V2}`, {
    tag,
    summary: "Set values of a user's metadata, all or none",
    description: FOR_APPS,
    scope: ownedBy("user.write"),
    body: severalMetadata,
    answer: z.object({ setDate: timestamp }),
    async handle(ctx, call) {
      const done = await set(ctx, call, entriesIn(call.body));
      return isApiError(done) ? done : { setDate: done.details.changeDate };
    },
  }),
  operation("ListUserMetadataV2", `POST ${PATH_V2}/search`, {
    aliases: [`${PATH_V2}/_search`],
    tag,
    summary: "Search a user's metadata, by key",
    scope: ownedBy("user.read"),
    body: filteredMetadata,
    bodyIsOptional: true,
    answer: filteredMetadataList,
    handle: (ctx, call) =>
      answered(listUserMetadata(ctx, userRefOf(call)), (entries) => filteredEntries(call.body, entries)),
  }),
  operation("DeleteUserMetadataV2", `DELETE ${PATH_V2}`, {
    tag,
    summary: "Remove values of a user's metadata, all or none",
    scope: ownedBy("user.write"),
    query: z.object({ keys: severalKeys }),
    repeatedQuery: ["keys"],
    answer: z.object({ deletionDate: timestamp }),
    async handle(ctx, call) {
      const removed = await remove(ctx, call, call.query.keys);
      return isApiError(removed) ? removed : { deletionDate: removed.details.changeDate };
    },
  }),
];
