/** Metadata of organizations: by key, and several at once. */
import { z } from "zod";
import type { Context } from "../../context";
import { name, strict } from "../../directory/fields";
import { noSuchMetadata } from "../../directory/metadata";
import { readListedOrganization } from "../../directory/organization/list";
import {
  listOrganizationMetadata,
  removeOrganizationMetadata,
  setOrganizationMetadata,
} from "../../directory/organization/metadata";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
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
import { type Operation, type OperationCall, operation, type PathParameters } from "../operation/operation";
import { timestamp } from "../operation/schemas";

const tag = "Organization metadata";
const PATH = "/management/v1/metadata";
const PATH_V2 = "/v2/organizations/:organizationId/metadata";
const READ = { tag, scope: { level: "organization", permission: "org.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "org.write", target: "nobody" } } as const;

/** The organization in the address, if it exists. */
const named = {
  level: "owner",
  async ownerOf(ctx: Context, { organizationId = "" }: PathParameters) {
    return isApiError(await readListedOrganization(ctx, organizationId)) ? undefined : organizationId;
  },
} as const;
const READ_NAMED = { tag, scope: { ...named, permission: "org.read" } } as const;
const WRITE_NAMED = { tag, scope: { ...named, permission: "org.write", target: "nobody" } } as const;

type Call = OperationCall<unknown, unknown>;

async function set(ctx: Context, { organizationId, origin }: Call, entries: ReturnType<typeof entriesIn>) {
  const refusal = await setOrganizationMetadata(ctx, organizationId, entries, origin);
  return refusal ?? changedAnswer(ctx, "organization", organizationId);
}

async function remove(ctx: Context, { organizationId, origin }: Call, keys: readonly string[]) {
  const refusal = await removeOrganizationMetadata(ctx, organizationId, keys, origin);
  return refusal ?? changedAnswer(ctx, "organization", organizationId);
}

export const organizationMetadataOperations: readonly Operation[] = [
  operation("ListOrgMetadata", `POST ${PATH}/_search`, {
    ...READ,
    summary: "List the metadata of the organization, by key",
    body: metadataSearch,
    bodyIsOptional: true,
    answer: metadataList,
    handle: async (ctx, { body, organizationId }) =>
      listedMetadata(ctx, body, await listOrganizationMetadata(ctx, organizationId), organizationId),
  }),
  operation("GetOrgMetadata", `GET ${PATH}/:key`, {
    ...READ,
    summary: "Read one value of the organization's metadata",
    answer: oneMetadata,
    handle: async (ctx, { parameters, organizationId }) =>
      metadataUnder(await listOrganizationMetadata(ctx, organizationId), parameters.key, organizationId),
  }),
  operation("BulkSetOrgMetadata", `POST ${PATH}/_bulk`, {
    ...WRITE,
    effort: "heavy",
    summary: "Set several values of the organization's metadata, all or none",
    body: severalMetadata,
    handle: (ctx, call) => set(ctx, call, entriesIn(call.body)),
  }),
  operation("BulkRemoveOrgMetadata", `DELETE ${PATH}/_bulk`, {
    ...WRITE,
    effort: "heavy",
    summary: "Remove several values of the organization's metadata, all or none",
    body: strict({ keys: severalKeys }),
    handle: (ctx, call) => remove(ctx, call, call.body.keys),
  }),
  operation("SetOrgMetadata", `POST ${PATH}/:key`, {
    ...WRITE,
    summary: "Set one value of the organization's metadata",
    body: strict({ value: metadataValue }),
    async handle(ctx, call) {
      const key = name.safeParse(call.parameters.key);
      return key.success ? set(ctx, call, [{ key: key.data, bytes: call.body.value }]) : noSuchMetadata();
    },
  }),
  operation("RemoveOrgMetadata", `DELETE ${PATH}/:key`, {
    ...WRITE,
    summary: "Remove one value of the organization's metadata",
    handle: (ctx, call) => remove(ctx, call, [call.parameters.key ?? ""]),
  }),
  operation("SetOrganizationMetadata", `POST ${PATH_V2}`, {
    ...WRITE_NAMED,
    summary: "Set values of an organization's metadata, all or none",
    body: severalMetadata,
    answer: z.object({ setDate: timestamp }),
    async handle(ctx, call) {
      const done = await set(ctx, call, entriesIn(call.body));
      return isApiError(done) ? done : { setDate: done.details.changeDate };
    },
  }),
  operation("ListOrganizationMetadata", `POST ${PATH_V2}/search`, {
    ...READ_NAMED,
    summary: "Search an organization's metadata, by key",
    body: filteredMetadata,
    bodyIsOptional: true,
    answer: filteredMetadataList,
    handle: async (ctx, { body, organizationId }) =>
      filteredEntries(body, await listOrganizationMetadata(ctx, organizationId)),
  }),
  operation("DeleteOrganizationMetadata", `DELETE ${PATH_V2}`, {
    ...WRITE_NAMED,
    summary: "Remove values of an organization's metadata, all or none",
    query: z.object({ keys: severalKeys }),
    repeatedQuery: ["keys"],
    answer: z.object({ deletionDate: timestamp }),
    async handle(ctx, call) {
      const removed = await remove(ctx, call, call.query.keys);
      return isApiError(removed) ? removed : { deletionDate: removed.details.changeDate };
    },
  }),
];
