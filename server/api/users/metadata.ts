/** Metadata of users, which apps can read. The callers read their own, too. */
import { listUserMetadata, removeUserMetadata, setUserMetadata } from "../../directory/user/metadata";
import { metadataOperations } from "../operation/metadata-operations";
import { OWN, OWN_PATH } from "./own";
import { changedUser, ownedBy, userRefOf } from "./user-ref";

const tag = "User metadata";

export const userMetadataOperations = metadataOperations({
  v1: {
    ids: {
      list: "ListUserMetadata",
      get: "GetUserMetadata",
      bulkSet: "BulkSetUserMetadata",
      bulkRemove: "BulkRemoveUserMetadata",
      set: "SetUserMetadata",
      remove: "RemoveUserMetadata",
    },
    path: "/management/v1/users/:userId/metadata",
    read: { tag, scope: { level: "organization", permission: "user.read" } },
    write: { tag, scope: { level: "organization", permission: "user.write", target: "user" } },
  },
  v2: {
    ids: { set: "SetUserMetadataV2", list: "ListUserMetadataV2", remove: "DeleteUserMetadataV2" },
    path: "/v2/users/:userId/metadata",
    aliases: ["/v2/users/:userId/metadata/_search"],
    read: { tag, scope: ownedBy("user.read") },
    write: { tag, scope: ownedBy("user.write") },
  },
  summaries: { list: "List a user's metadata, by key", v1: "a user's metadata", v2: "a user's metadata" },
  purpose: (what) => `Apps get ${what} with the scope \`urn:service:iam:user:metadata\`.`,
  also: {
    list: {
      ListMyMetadata: {
        at: `POST ${OWN_PATH}/metadata/_search`,
        ...OWN,
        summary: "List the caller's metadata, by key",
      },
    },
    get: {
      GetMyMetadata: {
        at: `GET ${OWN_PATH}/metadata/:key`,
        ...OWN,
        summary: "Read one value of the caller's metadata",
      },
    },
  },
  entries: (ctx, call) => listUserMetadata(ctx, userRefOf(call)),
  set: (ctx, call, entries) => changedUser(ctx, call, setUserMetadata(ctx, userRefOf(call), entries)),
  remove: (ctx, call, keys) => changedUser(ctx, call, removeUserMetadata(ctx, userRefOf(call), keys)),
});
