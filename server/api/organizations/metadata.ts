/** Metadata of organizations. */
import type { Context } from "../../context";
import { readListedOrganization } from "../../directory/organization/list";
import {
  listOrganizationMetadata,
  removeOrganizationMetadata,
  setOrganizationMetadata,
} from "../../directory/organization/metadata";
import { isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import { metadataOperations } from "../operation/metadata-operations";
import type { PathParameters } from "../operation/operation";

const tag = "Organization metadata";

/** The organization in the address, if it exists. */
const named = {
  level: "owner",
  async ownerOf(ctx: Context, { organizationId = "" }: PathParameters) {
    return isApiError(await readListedOrganization(ctx, organizationId)) ? undefined : organizationId;
  },
} as const;

export const organizationMetadataOperations = metadataOperations({
  v1: {
    ids: {
      list: "ListOrgMetadata",
      get: "GetOrgMetadata",
      bulkSet: "BulkSetOrgMetadata",
      bulkRemove: "BulkRemoveOrgMetadata",
      set: "SetOrgMetadata",
      remove: "RemoveOrgMetadata",
    },
    path: "/management/v1/metadata",
    read: { tag, scope: { level: "organization", permission: "org.read" } },
    write: { tag, scope: { level: "organization", permission: "org.write", target: "nobody" } },
  },
  v2: {
    ids: { set: "SetOrganizationMetadata", list: "ListOrganizationMetadata", remove: "DeleteOrganizationMetadata" },
    path: "/v2/organizations/:organizationId/metadata",
    read: { tag, scope: { ...named, permission: "org.read" } },
    write: { tag, scope: { ...named, permission: "org.write", target: "nobody" } },
  },
  summaries: {
    list: "List the metadata of the organization, by key",
    v1: "the organization's metadata",
    v2: "an organization's metadata",
  },
  entries: (ctx, { organizationId }) => listOrganizationMetadata(ctx, organizationId),
  async set(ctx, { organizationId }, entries) {
    const refusal = await setOrganizationMetadata(ctx, organizationId, entries);
    return refusal ?? changedAnswer(ctx, "organization", organizationId);
  },
  async remove(ctx, { organizationId }, keys) {
    const refusal = await removeOrganizationMetadata(ctx, organizationId, keys);
    return refusal ?? changedAnswer(ctx, "organization", organizationId);
  },
});
