/** Further data of a user: metadata for apps, connected apps, sessions. */

import { z } from "zod";
import { name, strict } from "../../directory/fields";
import {
  listUserMetadata,
  type MetadataEntry,
  noSuchMetadata,
  readUserMetadata,
  removeUserMetadata,
  setUserMetadata,
} from "../../directory/user/metadata";
import {
  type ActiveGrant,
  endGrant,
  endGrants,
  listGrantsOfPerson,
  signOutEverywhere,
} from "../../oidc/end-user-access";
import { isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { changedUser, noBody, userRefOf } from "./user-ref";

const PATH = "/management/v1/users/:userId";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", target: "user" } as const;

/** The largest value in bytes: tokens may contain all of them. */
const MAX_VALUE = 5_000;

/** Bytes in base64 of either alphabet. */
export const metadataValue = z
  .string()
  .max(Math.ceil((MAX_VALUE * 4) / 3) + 4, { error: issue("bytes", { n: MAX_VALUE }) })
  .regex(/^[\w+/-]+={0,2}$/, { error: issue("base64") })
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length > 0 && bytes.length <= MAX_VALUE, { error: issue("bytes", { n: MAX_VALUE }) });
export const metadata = z
  .object({ key: z.string(), value: z.string().meta({ description: "base64" }) })
  .meta({ id: "Metadata" });

export const toMetadata = (row: MetadataEntry): z.input<typeof metadata> => ({
  key: row.key,
  value: Buffer.from(row.value, "base64url").toString("base64"),
});

const time = (at: number) => new Date(at).toISOString();

export function toUserToken({ id, clientId, appName, scope, createdAt, usedAt }: ActiveGrant) {
  return {
    id,
    clientId,
    ...(appName !== null && { appName }),
    scopes: scope.split(" "),
    creationDate: time(createdAt),
    lastUsedDate: time(usedAt),
  };
}

export const userToken = z
  .object({
    id: z.string(),
    clientId: z.string(),
    appName: z.string().optional(),
    scopes: z.array(z.string()),
    creationDate: timestamp,
    lastUsedDate: timestamp,
  })
  .meta({ id: "UserToken" });

export const userDataOperations: readonly Operation[] = [
  operation("ListUserMetadata", `POST ${PATH}/metadata/_search`, {
    tag: "User metadata",
    scope: READ,
    summary: "List a user's metadata, by key",
    ...noBody,
    answer: z.object({ result: z.array(metadata) }),
    async handle(ctx, call) {
      const entries = await listUserMetadata(ctx, userRefOf(call));
      return isApiError(entries) ? entries : { result: entries.map(toMetadata) };
    },
  }),
  operation("GetUserMetadata", `GET ${PATH}/metadata/:key`, {
    tag: "User metadata",
    scope: READ,
    summary: "Read one value of a user's metadata",
    answer: z.object({ metadata }),
    async handle(ctx, call) {
      const entry = await readUserMetadata(ctx, userRefOf(call), call.parameters.key ?? "");
      return isApiError(entry) ? entry : { metadata: toMetadata(entry) };
    },
  }),
  operation("SetUserMetadata", `POST ${PATH}/metadata/:key`, {
    tag: "User metadata",
    scope: WRITE,
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
  operation("RemoveUserMetadata", `DELETE ${PATH}/metadata/:key`, {
    tag: "User metadata",
    summary: "Remove one value of a user's metadata",
    scope: WRITE,
    handle: (ctx, call) =>
      changedUser(ctx, call, removeUserMetadata(ctx, userRefOf(call), [call.parameters.key ?? ""], call.origin)),
  }),
  operation("ListUserTokens", `POST ${PATH}/tokens/_search`, {
    tag: "Sessions",
    summary: "List the grants of apps for a person, last used first",
    scope: { level: "organization", permission: "session.read" },
    ...noBody,
    answer: z.object({
      result: z.array(userToken),
    }),
    async handle(ctx, call) {
      const grants = await listGrantsOfPerson(ctx, userRefOf(call));
      return isApiError(grants) ? grants : { result: grants.map(toUserToken) };
    },
  }),
  operation("RevokeUserToken", `DELETE ${PATH}/tokens/:grantId`, {
    tag: "Sessions",
    summary: "Revoke the grant of an app for a person, with its tokens",
    scope: { level: "organization", permission: "session.delete", target: "user" },
    handle: (ctx, call) =>
      changedUser(ctx, call, endGrant(ctx, userRefOf(call), call.parameters.grantId ?? "", call.origin)),
  }),
  operation("RevokeUserTokens", `DELETE ${PATH}/tokens`, {
    tag: "Sessions",
    summary: "Revoke the grants of all apps for a person",
    scope: { level: "organization", permission: "session.delete", target: "user" },
    handle: (ctx, call) => changedUser(ctx, call, endGrants(ctx, userRefOf(call), call.origin)),
  }),
  operation("SignOutUser", `DELETE ${PATH}/sessions`, {
    tag: "Sessions",
    summary: "Sign a person out everywhere",
    description: "Ends all sessions and tokens of the person; apps with back-channel logout are notified.",
    scope: { level: "organization", permission: "session.delete", target: "user" },
    handle: (ctx, call) => changedUser(ctx, call, signOutEverywhere(ctx, userRefOf(call), call.origin)),
  }),
];
