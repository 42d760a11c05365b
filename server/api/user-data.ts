/** Further data of a user: metadata for apps, connected apps, sessions. */

import { z } from "zod";
import type { Context } from "../context";
import { name, strict } from "../directory/fields";
import { noSuchUser } from "../directory/not-found";
import { changeUser, wrongKind } from "../directory/user/change";
import { setUserMetadata } from "../directory/user/grant";
import { endGrants, signOutEverywhere } from "../oidc/end-user-access";
import { failedPrecondition, isApiError, notFound } from "../protocol/api-error";
import { listLivingGrants } from "../storage/connected-apps";
import { countMetadata, listMetadata, readMetadata } from "../storage/user-grants";
import { findShownUser } from "../storage/user-list";
import { changedAnswer } from "./answers";
import { type Operation, type OperationCall, operation } from "./operation";
import { changed, moment } from "./schemas";
import { noBody } from "./users";

const PATH = "/management/v1/users/:userId";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", over: "user" } as const;
type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "origin">;

async function findUserOf(ctx: Context, { parameters: { userId = "" }, organizationId }: Call) {
  return (await findShownUser(ctx.db, userId, organizationId)) ?? noSuchUser();
}

async function findPersonOf(ctx: Context, call: Call) {
  const user = await findUserOf(ctx, call);
  return isApiError(user) || user.kind === "human" ? user : wrongKind("human");
}

/** The largest value in bytes and the largest number of values: tokens may contain all of them. */
const LARGEST_VALUE = 5_000;
const MOST_KEYS = 100;

/** Bytes in base64 of either alphabet. */
const value = z
  .string()
  .max(Math.ceil((LARGEST_VALUE * 4) / 3) + 4, { error: `at most ${LARGEST_VALUE} bytes` })
  .regex(/^[\w+/-]+={0,2}$/, { error: "must be base64, and not empty" })
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length > 0 && bytes.length <= LARGEST_VALUE, { error: `1 to ${LARGEST_VALUE} bytes` });
const metadata = z
  .object({ key: z.string(), value: z.string().meta({ description: "base64" }) })
  .meta({ id: "Metadata" });

const toMetadata = (row: { key: string; value: string }): z.input<typeof metadata> => ({
  key: row.key,
  value: Buffer.from(row.value, "base64url").toString("base64"),
});

const noSuchMetadata = () => notFound("metadata.not_found", "The user has no metadata under this key.");

/** Sets one value or removes it. */
async function writeMetadata(ctx: Context, call: Call, bytes: Buffer | null) {
  const { userId = "", key = "" } = call.parameters;
  const { organizationId, origin } = call;
  const refusal = await changeUser(ctx, { userId, organizationId }, origin, async (tx, user) => {
    // Only the removal itself knows whether there was one: another may have been faster.
    if (bytes === null) {
      return (await setUserMetadata(ctx, tx, user, key, null, origin)) ? undefined : noSuchMetadata();
    }
    const isThere = (await readMetadata(tx, userId, key)) !== undefined;
    if (!isThere && (await countMetadata(tx, userId)) >= MOST_KEYS) {
      return failedPrecondition("metadata.too_many", `A user has ${MOST_KEYS} keys at most.`);
    }
    await setUserMetadata(ctx, tx, user, key, bytes.toString("base64url"), origin);
    return undefined;
  });
  return refusal ?? changedAnswer(ctx, "user", userId);
}

const time = (at: number) => new Date(at).toISOString();

export const userDataOperations: readonly Operation[] = [
  operation({
    ...{ id: "ListUserMetadata", method: "POST", path: `${PATH}/metadata/_search`, tag: "User metadata", scope: READ },
    summary: "List a user's metadata, by key",
    ...noBody,
    answer: z.object({ result: z.array(metadata) }),
    async handle(ctx, call) {
      const user = await findUserOf(ctx, call);
      return isApiError(user) ? user : { result: (await listMetadata(ctx.db, user.id)).map(toMetadata) };
    },
  }),
  operation({
    ...{ id: "GetUserMetadata", method: "GET", path: `${PATH}/metadata/:key`, tag: "User metadata", scope: READ },
    summary: "Read one value of a user's metadata",
    answer: z.object({ metadata }),
    async handle(ctx, call) {
      const user = await findUserOf(ctx, call);
      if (isApiError(user)) return user;
      const row = (await listMetadata(ctx.db, user.id)).find(({ key }) => key === call.parameters.key);
      return row ? { metadata: toMetadata(row) } : noSuchMetadata();
    },
  }),
  operation({
    ...{ id: "SetUserMetadata", method: "POST", path: `${PATH}/metadata/:key`, tag: "User metadata", scope: WRITE },
    summary: "Set one value of a user's metadata",
    description: "Apps get it with the scope `urn:service:iam:user:metadata`.",
    ...{ body: strict({ value }), answer: changed },
    async handle(ctx, call) {
      const key = name.safeParse(call.parameters.key);
      return key.success ? writeMetadata(ctx, call, call.body.value) : noSuchMetadata();
    },
  }),
  operation({
    ...{ id: "RemoveUserMetadata", method: "DELETE", path: `${PATH}/metadata/:key`, tag: "User metadata" },
    ...{ summary: "Remove one value of a user's metadata", scope: WRITE, answer: changed },
    handle: (ctx, call) => writeMetadata(ctx, call, null),
  }),
  operation({
    ...{ id: "ListUserTokens", method: "POST", path: `${PATH}/tokens/_search`, tag: "Sessions" },
    summary: "List the grants of apps for a person, last used first",
    scope: { level: "organization", permission: "session.read" },
    ...noBody,
    answer: z.object({
      result: z.array(
        z
          .object({
            id: z.string(),
            clientId: z.string(),
            appName: z.string().optional(),
            scopes: z.array(z.string()),
            creationDate: moment,
            lastUsedDate: moment,
          })
          .meta({ id: "UserToken" }),
      ),
    }),
    async handle(ctx, call) {
      const user = await findPersonOf(ctx, call);
      if (isApiError(user)) return user;
      const rows = await listLivingGrants(ctx.db, user.id, ctx.clock());
      return {
        result: rows.map(({ id, clientId, appName, scope, createdAt, usedAt }) => ({
          ...{ id, clientId, ...(appName !== null && { appName }), scopes: scope.split(" ") },
          ...{ creationDate: time(createdAt), lastUsedDate: time(usedAt) },
        })),
      };
    },
  }),
  operation({
    ...{ id: "RevokeUserToken", method: "DELETE", path: `${PATH}/tokens/:grantId`, tag: "Sessions", answer: changed },
    summary: "Revoke the grant of an app for a person, with its tokens",
    scope: { level: "organization", permission: "session.delete", over: "user" },
    async handle(ctx, call) {
      const user = await findPersonOf(ctx, call);
      if (isApiError(user)) return user;
      const ended = await endGrants(ctx, user, call.origin, call.parameters.grantId ?? "");
      return ended > 0
        ? changedAnswer(ctx, "user", user.id)
        : notFound("grant.not_found", "No app has that of the person any more.");
    },
  }),
  operation({
    ...{ id: "RevokeUserTokens", method: "DELETE", path: `${PATH}/tokens`, tag: "Sessions", answer: changed },
    summary: "Revoke the grants of all apps for a person",
    scope: { level: "organization", permission: "session.delete", over: "user" },
    async handle(ctx, call) {
      const user = await findPersonOf(ctx, call);
      if (isApiError(user)) return user;
      await endGrants(ctx, user, call.origin);
      return changedAnswer(ctx, "user", user.id);
    },
  }),
  operation({
    ...{ id: "SignOutUser", method: "DELETE", path: `${PATH}/sessions`, tag: "Sessions", answer: changed },
    summary: "Sign a person out everywhere",
    description: "Ends all sessions and tokens of the person; apps with back-channel logout are notified.",
    scope: { level: "organization", permission: "session.delete", over: "user" },
    async handle(ctx, call) {
      const user = await findPersonOf(ctx, call);
      if (isApiError(user)) return user;
      await signOutEverywhere(ctx, user, call.origin);
      return changedAnswer(ctx, "user", user.id);
    },
  }),
];
