/** People and machines: searching, reading, locking, deactivating, removing. */
import { z } from "zod";
import type { Context } from "../../context";
import * as field from "../../directory/fields";
import { type ListedUser, readListedUser, readListedUserNamed } from "../../directory/user/list";
import { removeUser } from "../../directory/user/remove";
import { isUserNameFree, renameUser } from "../../directory/user/rename";
import { searchUsersOf } from "../../directory/user/search";
import { type StateChange, setUserState } from "../../directory/user/set-state";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { detailsAnswer } from "../operation/answers";
import { type Operation, type OperationCall, type OperationScope, operation } from "../operation/operation";
import { pagedAnswer } from "../operation/paged";
import { changed, listOf } from "../operation/schemas";
import { toUsersWanted, userSearchBody } from "./queries";
import { toUser, user, userAnswer } from "./schemas";
import { changedUser, noBody, ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Users";
const PATH = "/management/v1/users";
const READ = { tag, scope: { level: "organization", permission: "user.read" } } as const;
const WRITE = { tag, scope: { level: "organization", permission: "user.write", target: "user" } } as const;
const DELETE = { tag, scope: { level: "organization", permission: "user.delete", target: "user" } } as const;

async function oneUser(found: Promise<ListedUser | ApiError>) {
  const row = await found;
  return isApiError(row) ? row : { user: toUser(row) };
}

const STATE_CHANGES: Readonly<Record<StateChange, string>> = {
  lock: "Lock a user until somebody unlocks them",
  unlock: "Unlock a user, also from waiting after wrong passwords",
  deactivate: "Deactivate a user",
  reactivate: "Reactivate a user",
};
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** State changes of users, at the addresses of both versions. */
const stateOperations = (Object.keys(STATE_CHANGES) as StateChange[]).flatMap((change) => {
  const rest = { method: "POST", tag, summary: STATE_CHANGES[change], ...noBody, answer: changed } as const;
  type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "origin">;
  const handle = async (ctx: Context, call: Call) =>
    detailsAnswer(await setUserState(ctx, userRefOf(call), change, call.origin));
  return [
    operation({
      ...rest,
      id: `${capitalized(change)}User`,
      path: `${PATH}/:userId/_${change}`,
      scope: WRITE.scope,
      handle,
    }),
    operation({
      ...rest,
      id: `${capitalized(change)}UserV2`,
      path: `/v2/users/:userId/${change}`,
      scope: ownedBy("user.write"),
      handle,
    }),
  ];
});

function searchOperation(id: string, path: string, scope: OperationScope, summary: string): Operation {
  return operation(id, `POST ${path}`, {
    tag,
    summary,
    scope,
    effort: "search",
    description:
      "A page may be short or even empty and still have a next page: each request examines at most 10000 users.",
    body: userSearchBody,
    bodyIsOptional: true,
    answer: listOf(user),
    handle(ctx, { body, organizationId }) {
      const within = scope.level === "instance" ? undefined : organizationId;
      return pagedAnswer(ctx, body.query, searchUsersOf(ctx, within, toUsersWanted(body)), toUser);
    },
  });
}

export const userOperations: readonly Operation[] = [
  searchOperation("ListUsers", `${PATH}/_search`, READ.scope, "Search the people and machines of the organization"),
  searchOperation(
    "ListAllUsers",
    "/admin/v1/users/_search",
    { level: "instance", permission: "user.read" },
    "Search the people and machines of all organizations",
  ),
  operation("IsUserUnique", `GET ${PATH}/_is_unique`, {
    ...READ,
    summary: "Check whether a user name is free",
    query: strict({ userName: field.userName }),
    answer: z.object({ isUnique: z.boolean() }),
    async handle(ctx, { query, organizationId }) {
      const isUnique = await isUserNameFree(ctx, organizationId, query.userName);
      return isApiError(isUnique) ? isUnique : { isUnique };
    },
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
  operation("UpdateUserName", `PUT ${PATH}/:userId/username`, {
    ...WRITE,
    summary: "Change a user name",
    description: "A machine authenticates with the new name from then on.",
    body: strict({ userName: field.userName }),
    handle: (ctx, call) => changedUser(ctx, call, renameUser(ctx, userRefOf(call), call.body.userName, call.origin)),
  }),
  ...stateOperations,
  operation("RemoveUser", `DELETE ${PATH}/:userId`, {
    ...DELETE,
    summary: "Remove a user with all their data",
    handle: async (ctx, call) => detailsAnswer(await removeUser(ctx, userRefOf(call), call.origin)),
  }),
  operation("DeleteUserV2", "DELETE /v2/users/:userId", {
    tag,
    summary: "Remove a user of any organization with all their data",
    scope: ownedBy("user.delete"),
    handle: async (ctx, call) => detailsAnswer(await removeUser(ctx, userRefOf(call), call.origin)),
  }),
];
