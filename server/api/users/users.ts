/** People and machines: searching, reading, locking, deactivating, removing. */
import { z } from "zod";
import * as field from "../../directory/fields";
import {
  type ListedUser,
  readListedUser,
  readListedUserAnywhere,
  readListedUserNamed,
} from "../../directory/user/list";
import { isUserNameFree, renameUser } from "../../directory/user/rename";
import { searchUsersOf } from "../../directory/user/search";
import { type StateChange, setUserState } from "../../directory/user/set-state";
import { type OriginContext, toDetails } from "../../events/record";
import { removeUserWithTokens } from "../../oidc/revoke-provider-tokens";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { answered, detailsAnswer, pagedAnswer } from "../operation/answers";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";
import { FRESH, OWN_PATH, OWN_RECENT } from "./own";
import { organizationWanted, toUsersWanted, userSearchBody } from "./query-tree";
import { toUser, toUserV2, user, userAnswer, userV2 } from "./schemas";
import { changedUser, noBody, ownedBy, readableUsers, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Users";
const PATH = "/management/v1/users";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;

async function oneUser(found: Promise<ListedUser | ApiError>) {
  const row = await found;
  return isApiError(row) ? row : { user: toUser(row) };
}

const setsState = (change: StateChange) => ({
  ...WRITE,
  ...noBody,
  handle: async (ctx: OriginContext, call: OperationCall<unknown, unknown>) =>
    detailsAnswer(await setUserState(ctx, userRefOf(call), change)),
});

const PARTIAL =
  "A page may be short or even empty and still have a next page: each request examines at most 10000 users.";
const listV2 = listOf(userV2);

export const userOperations: readonly Operation[] = [
  operation("ListUsers", `POST ${PATH}/_search`, {
    ...READ,
    summary: "Search the users of the organization",
    effort: "search",
    description: PARTIAL,
    body: userSearchBody,
    bodyIsOptional: true,
    answer: listOf(user),
    also: {
      ListAllUsers: {
        at: "POST /admin/v1/users/_search",
        summary: "Search the users of all organizations",
        scope: { level: "instance", permission: "user.read" },
      },
    },
    handle(ctx, { body, organizationId, level }) {
      const within = level === "instance" ? undefined : organizationId;
      return pagedAnswer(ctx, body.query, searchUsersOf(ctx, within, toUsersWanted(body)), toUser);
    },
  }),
  operation("ListUsersV2", "POST /v2/users", {
    aliases: ["/v2/users/_search"],
    tag,
    summary: "Search the users of one organization or of all",
    description: `In the organization that an \`organizationIdQuery\` names; without one in all organizations, or, for those who may not look into all, in their own. ${PARTIAL}`,
    scope: { level: "caller" },
    effort: "search",
    body: userSearchBody,
    bodyIsOptional: true,
    answer: listV2.extend({
      details: listV2.shape.details.extend({ timestamp }),
      sortingColumn: userSearchBody.shape.sortingColumn,
    }),
    async handle(ctx, { body, caller }) {
      const scope = await readableUsers(ctx, { caller }, { organizationId: organizationWanted(body) });
      if (isApiError(scope)) return scope;
      const found = searchUsersOf(ctx, scope.organizationId, toUsersWanted(body));
      const answer = await pagedAnswer(ctx, body.query, found, toUserV2);
      if (isApiError(answer)) return answer;
      const timestamps = { ...answer.details, timestamp: answer.details.viewTimestamp };
      return { ...answer, details: timestamps, sortingColumn: body.sortingColumn };
    },
  }),
  operation("IsUserUnique", `GET ${PATH}/_is_unique`, {
    ...READ,
    summary: "Check whether a user name is free",
    query: strict({ userName: field.userName }),
    answer: z.object({ isUnique: z.boolean() }),
    handle: (ctx, { query, organizationId }) =>
      answered(isUserNameFree(ctx, organizationId, query.userName), (isUnique) => ({ isUnique })),
  }),
  operation("GetUserByLoginNameGlobal", "GET /management/v1/global/users/_by_login_name", {
    ...READ,
    summary: "Find a user of the organization by login name",
    query: strict({ loginName: field.line(1_000) }),
    answer: userAnswer,
    handle: (ctx, { query: { loginName }, organizationId }) =>
      oneUser(readListedUserNamed(ctx, { organizationId, loginName })),
  }),
  operation("GetUserByID", `GET ${PATH}/:userId`, {
    ...READ,
    answer: userAnswer,
    summary: "Read a user",
    handle: (ctx, call) => oneUser(readListedUser(ctx, userRefOf(call))),
  }),
  operation("GetUserByIDV2", "GET /v2/users/:userId", {
    tag,
    summary: "Read a user of any organization",
    scope: ownedBy("user.read"),
    answer: z.object({ details, user: userV2 }),
    handle: (ctx, call) =>
      answered(readListedUserAnywhere(ctx, userRefOf(call).userId), (row) => ({
        details: toDetails(row),
        user: toUserV2(row),
      })),
  }),
  operation("UpdateUserName", `PUT ${PATH}/:userId/username`, {
    ...WRITE,
    summary: "Change a user name",
    description: "A machine authenticates with the new name from then on.",
    body: strict({ userName: field.userName }),
    also: {
      UpdateMyUserName: {
        at: `PUT ${OWN_PATH}/username`,
        ...OWN_RECENT,
        summary: "Change the name that the caller signs in with",
        description: `The name must be available, not reserved, and not under a domain of another organization. ${FRESH}`,
      },
    },
    handle: (ctx, call) => changedUser(ctx, call, renameUser(ctx, userRefOf(call), call.body.userName)),
  }),
  operation("LockUser", `POST ${PATH}/:userId/_lock`, {
    ...setsState("lock"),
    summary: "Lock a user until an administrator unlocks them",
    also: { LockUserV2: { at: "POST /v2/users/:userId/lock", scope: ownedBy("user.write") } },
  }),
  operation("UnlockUser", `POST ${PATH}/:userId/_unlock`, {
    ...setsState("unlock"),
    summary: "Unlock a user, also from waiting after wrong passwords",
    also: { UnlockUserV2: { at: "POST /v2/users/:userId/unlock", scope: ownedBy("user.write") } },
  }),
  operation("DeactivateUser", `POST ${PATH}/:userId/_deactivate`, {
    ...setsState("deactivate"),
    summary: "Deactivate a user",
    also: { DeactivateUserV2: { at: "POST /v2/users/:userId/deactivate", scope: ownedBy("user.write") } },
  }),
  operation("ReactivateUser", `POST ${PATH}/:userId/_reactivate`, {
    ...setsState("reactivate"),
    summary: "Reactivate a user",
    also: { ReactivateUserV2: { at: "POST /v2/users/:userId/reactivate", scope: ownedBy("user.write") } },
  }),
  operation("RemoveUser", `DELETE ${PATH}/:userId`, {
    tag,
    scope: { level: "organization", permission: "user.delete", target: "user" },
    summary: "Remove a user with all their data",
    also: {
      DeleteUserV2: {
        at: "DELETE /v2/users/:userId",
        summary: "Remove a user of any organization with all their data",
        scope: ownedBy("user.delete"),
      },
      RemoveMyUser: {
        at: `DELETE ${OWN_PATH}`,
        ...OWN_RECENT,
        summary: "Remove the caller's account with everything in it",
        description: `The last owner of the service cannot be removed. ${FRESH}`,
      },
    },
    handle: async (ctx, call) => detailsAnswer(await removeUserWithTokens(ctx, userRefOf(call))),
  }),
];
