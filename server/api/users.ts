/** People and machines: searching, reading, locking, deactivating, removing. */
import { z } from "zod";
import type { Context } from "../context";
import { createCache } from "../directory/cache";
import * as field from "../directory/fields";
import { comparableLoginName } from "../directory/names";
import { noSuchOrganization, noSuchUser } from "../directory/not-found";
import { changeUser, removeUser, type StateChange, setUserState } from "../directory/user/change";
import { renameUser } from "../directory/user/create";
import { freeLoginName } from "../directory/user/login-name";
import { forgiveAllAgainst } from "../login/lockout";
import { isApiError } from "../protocol/api-error";
import { readOrganization } from "../storage/organizations";
import { findOrganizationOf, findShownUserByName } from "../storage/user-list";
import { countFound, LOOKED_AT, searchUsers } from "../storage/user-search";
import type { UserSearch } from "../storage/user-search-walk";
import { changedAnswer, detailsAnswer } from "./answers";
import { listAnswer } from "./lists";
import { type Operation, type OperationCall, operation, type Parameters, type Scope } from "./operation";
import { changed, listOf } from "./schemas";
import { searchOf, userSearchBody } from "./user-queries";
import { oneUser, toUser, user, userAnswer } from "./user-schemas";

const { strict } = field;
const tag = "Users";
const PATH = "/management/v1/users";
const READ = { level: "organization", permission: "user.read" } as const;
const WRITE = { level: "organization", permission: "user.write", over: "user" } as const;
const DELETE = { level: "organization", permission: "user.delete", over: "user" } as const;
export const noBody = { body: strict({}), bodyIsOptional: true } as const;

/** Version 2 names users by their id alone; the permission is checked in the user's organization. */
export const ownedBy = (permission: "user.read" | "user.write" | "user.delete"): Scope => ({
  level: "owner",
  permission,
  over: "user",
  ownerOf: (ctx: Context, { userId = "" }: Parameters) => findOrganizationOf(ctx.db, userId),
});

const STATE_CHANGES: Readonly<Record<StateChange, string>> = {
  lock: "Lock a user until somebody unlocks them",
  unlock: "Unlock a user, also from waiting after wrong passwords",
  deactivate: "Deactivate a user",
  reactivate: "Reactivate a user",
};
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The same changes at the addresses of both versions. */
const stateOperations = (Object.keys(STATE_CHANGES) as StateChange[]).flatMap((change) => {
  const rest = { method: "POST", tag, summary: STATE_CHANGES[change], ...noBody, answer: changed } as const;
  type Call = Pick<OperationCall<unknown, unknown>, "parameters" | "organizationId" | "origin">;
  const handle = async (ctx: Context, { parameters: { userId = "" }, organizationId, origin }: Call) => {
    const outcome = await setUserState(ctx, { organizationId, userId }, change, origin);
    if (change !== "unlock" || (isApiError(outcome) && outcome.id !== "user.is_active")) return detailsAnswer(outcome);
    // Whoever is not locked may still be waiting after wrong passwords.
    const { any } = await forgiveAllAgainst(ctx, userId);
    return any ? changedAnswer(ctx, "user", userId) : detailsAnswer(outcome);
  };
  return [
    operation({ ...rest, id: `${capitalized(change)}User`, path: `${PATH}/:userId/_${change}`, scope: WRITE, handle }),
    operation({
      ...{ ...rest, id: `${capitalized(change)}UserV2`, path: `/v2/users/:userId/${change}` },
      ...{ scope: ownedBy("user.write"), handle },
    }),
  ];
});

/** Counting ten thousand users takes longer than reading a page, so large counts are cached briefly. */
const crowds = createCache<number>();

async function count(ctx: Context, search: UserSearch): Promise<number> {
  let found = 0;
  const crowd = await crowds.get(ctx, JSON.stringify(search), async () => {
    found = await countFound(ctx.db, search);
    return found < LOOKED_AT ? undefined : found;
  });
  return crowd ?? found;
}

function searchOperation(id: string, path: string, scope: Scope, summary: string): Operation {
  return operation({
    ...{ id, method: "POST", path, tag, summary, scope, effort: "search" },
    description:
      "A page may be short, even empty, and still have a next one: a search looks at 10000 users, then it asks to go on.",
    body: userSearchBody,
    bodyIsOptional: true,
    answer: listOf(user),
    async handle(ctx, { body, organizationId }) {
      const search = searchOf(body, scope.level === "instance" ? undefined : organizationId);
      return listAnswer(ctx, body.query, {
        places: ["string", "string"],
        page: ({ ascending, ...page }) =>
          searchUsers(ctx.db, search, {
            ...page,
            descending: ascending === undefined ? search.isNewestFirst : !ascending,
          }),
        count: () => count(ctx, search),
        items: (rows) => rows.map(toUser),
      });
    },
  });
}

export const userOperations: readonly Operation[] = [
  searchOperation("ListUsers", `${PATH}/_search`, READ, "Search the people and machines of the organization"),
  searchOperation(
    "ListAllUsers",
    "/admin/v1/users/_search",
    { level: "instance", permission: "user.read" },
    "Search the people and machines of all organizations",
  ),
  searchOperation(
    "ListUsersV2",
    "/v2/users",
    { level: "instance", permission: "user.read" },
    "Search the people and machines of all organizations",
  ),
  operation({
    ...{ id: "IsUserUnique", method: "GET", path: `${PATH}/_is_unique`, tag, scope: READ },
    summary: "Check whether a user name is free",
    query: strict({ userName: field.userName }),
    answer: z.object({ isUnique: z.boolean() }),
    async handle(ctx, { query, organizationId }) {
      const organization = await readOrganization(ctx.db.prisma, organizationId);
      if (!organization) return noSuchOrganization();
      const free = await freeLoginName(ctx, ctx.db.prisma, organization, query.userName);
      return { isUnique: !isApiError(free) };
    },
  }),
  operation({
    ...{ id: "GetUserByLoginNameGlobal", method: "GET", path: "/management/v1/global/users/_by_login_name", tag },
    summary: "Find a user of the organization by login name",
    scope: READ,
    query: strict({ loginName: field.line(1_000) }),
    answer: userAnswer,
    async handle(ctx, { query, organizationId }) {
      const row = await findShownUserByName(ctx.db, organizationId, comparableLoginName(query.loginName));
      return row ? { user: toUser(row) } : noSuchUser();
    },
  }),
  operation({
    ...{ id: "GetUserByID", method: "GET", path: `${PATH}/:userId`, tag, scope: READ, answer: userAnswer },
    summary: "Read a user",
    handle: (ctx, { parameters: { userId = "" }, organizationId }) => oneUser(ctx, userId, organizationId),
  }),
  operation({
    ...{ id: "GetUserByIDV2", method: "GET", path: "/v2/users/:userId", tag, answer: userAnswer },
    ...{ summary: "Read a user of any organization", scope: ownedBy("user.read") },
    handle: (ctx, { parameters: { userId = "" } }) => oneUser(ctx, userId),
  }),
  operation({
    ...{ id: "UpdateUserName", method: "PUT", path: `${PATH}/:userId/username`, tag, scope: WRITE },
    summary: "Change a user name",
    description: "A machine authenticates by the new name from then on.",
    body: strict({ userName: field.userName }),
    answer: changed,
    async handle(ctx, { parameters: { userId = "" }, body: { userName }, organizationId, origin }) {
      const refusal = await changeUser(ctx, { organizationId, userId }, origin, (tx, stored) =>
        renameUser(ctx, tx, stored, userName, origin),
      );
      return refusal ?? changedAnswer(ctx, "user", userId);
    },
  }),
  ...stateOperations,
  operation({
    ...{ id: "RemoveUser", method: "DELETE", path: `${PATH}/:userId`, tag, scope: DELETE, answer: changed },
    summary: "Remove a user with all their data",
    async handle(ctx, { parameters: { userId = "" }, organizationId, origin }) {
      return detailsAnswer(await removeUser(ctx, { organizationId, userId }, origin));
    },
  }),
  operation({
    ...{ id: "DeleteUserV2", method: "DELETE", path: "/v2/users/:userId", tag, answer: changed },
    ...{ summary: "Remove a user of any organization with all their data", scope: ownedBy("user.delete") },
    async handle(ctx, { parameters: { userId = "" }, organizationId, origin }) {
      return detailsAnswer(await removeUser(ctx, { organizationId, userId }, origin));
    },
  }),
];
