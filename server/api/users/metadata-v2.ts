/** Version 2 of the metadata of users: several values at once, found by their keys. */
import { z } from "zod";
import { name, strict } from "../../directory/fields";
import {
  listUserMetadata,
  MAX_KEYS,
  type MetadataEntry,
  removeUserMetadata,
  setUserMetadata,
} from "../../directory/user/metadata";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { appliedTo, filteredBody, filteredList, isKeyFound, keyFilter } from "../operation/filters";
import { USUAL_LIMIT } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { metadata, metadataValue, toMetadata } from "./data";
import { changedUser, ownedBy, userRefOf } from "./user-ref";

const PATH = "/v2/users/:userId/metadata";
const tag = "User metadata";
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

export const userMetadataV2Operations: readonly Operation[] = [
  operation("SetUserMetadataV2", `POST ${PATH}`, {
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
  operation("ListUserMetadataV2", `POST ${PATH}/search`, {
    aliases: [`${PATH}/_search`],
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
  operation("DeleteUserMetadataV2", `DELETE ${PATH}`, {
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
