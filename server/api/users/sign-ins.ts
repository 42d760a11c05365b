/** The apps that have tokens of a person, revoked one by one or all, and signing the person out. */
import { z } from "zod";
import {
  type ActiveGrant,
  endGrant,
  endGrants,
  listGrantsOfPerson,
  signOutEverywhere,
} from "../../oidc/end-user-access";
import { readActor } from "../../protocol/actor";
import { answered } from "../operation/answers";
import { type Operation, operation } from "../operation/operation";
import { timestamp } from "../operation/schemas";
import { OWN, OWN_PATH } from "./own";
import { changedUser, noBody, userRefOf } from "./user-ref";

const tag = "Sessions";
const PATH = "/management/v1/users/:userId";
const TOKENS = `${OWN_PATH}/tokens/refresh`;
const END = { tag, scope: { level: "organization", permission: "session.delete", target: "user" } } as const;

const time = (at: number) => new Date(at).toISOString();

function toUserToken({ id, clientId, appName, scope, createdAt, usedAt, actor, actorName }: ActiveGrant) {
  const actorId = readActor(actor)?.sub;
  return {
    id,
    clientId,
    ...(appName !== null && { appName }),
    ...(actorId !== undefined && { actorId }),
    ...(actorName !== null && { actorName }),
    scopes: scope.split(" "),
    creationDate: time(createdAt),
    lastUsedDate: time(usedAt),
  };
}

const userToken = z
  .object({
    id: z.string(),
    clientId: z.string(),
    appName: z.string().optional(),
    actorId: z.string().optional().describe("Who acts for the user: a user id, or the client id if it is the app."),
    actorName: z.string().optional().describe("The name of a machine that acts for the user."),
    scopes: z.array(z.string()),
    creationDate: timestamp,
    lastUsedDate: timestamp,
  })
  .meta({ id: "UserToken" });

export const signInOperations: readonly Operation[] = [
  operation("ListUserTokens", `POST ${PATH}/tokens/_search`, {
    summary: "List the grants of apps for a user, last used first",
    also: {
      ListMyRefreshTokens: {
        at: `POST ${TOKENS}/_search`,
        ...OWN,
        summary: "List the grants of apps for the caller, last used first",
      },
    },
    tag,
    scope: { level: "organization", permission: "session.read" },
    ...noBody,
    answer: z.object({
      result: z.array(userToken),
    }),
    handle: (ctx, call) =>
      answered(listGrantsOfPerson(ctx, userRefOf(call)), (grants) => ({ result: grants.map(toUserToken) })),
  }),
  operation("RevokeUserToken", `DELETE ${PATH}/tokens/:grantId`, {
    summary: "Revoke the grant of an app for a user, with its tokens",
    also: {
      RevokeMyRefreshToken: {
        at: `DELETE ${TOKENS}/:grantId`,
        ...OWN,
        summary: "Revoke the grant of an app for the caller, with its tokens",
      },
    },
    ...END,
    handle: (ctx, call) => changedUser(ctx, call, endGrant(ctx, userRefOf(call), call.parameters.grantId ?? "")),
  }),
  operation("RevokeUserTokens", `DELETE ${PATH}/tokens`, {
    summary: "Revoke the grants of all apps for a user",
    also: {
      RevokeAllMyRefreshTokens: {
        at: `POST ${TOKENS}/_revoke_all`,
        ...OWN,
        summary: "Revoke the grants of all apps for the caller, also that of this token",
        ...noBody,
      },
    },
    ...END,
    handle: (ctx, call) => changedUser(ctx, call, endGrants(ctx, userRefOf(call))),
  }),
  operation("SignOutUser", `DELETE ${PATH}/sessions`, {
    summary: "Sign a user out everywhere",
    description: "Ends all sessions and tokens of the user; apps with back-channel logout are notified.",
    ...END,
    handle: (ctx, call) => changedUser(ctx, call, signOutEverywhere(ctx, userRefOf(call))),
  }),
];
