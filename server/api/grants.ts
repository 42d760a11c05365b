/**
 * User grants (authorizations): which roles of its projects an organization gives to which users. To give roles to a
 * user of another organization, the caller must be allowed to read that user; otherwise the user is reported as not
 * found (attack: probing for users). Those who manage single projects see and give only the roles of these.
 */

import { z } from "zod";
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { changeInProject } from "../directory/change-project";
import { identifier, name, strict } from "../directory/fields";
import { hasPermission } from "../directory/member/permissions";
import { noSuchProject } from "../directory/not-found";
import { addUserGrant, changeUserGrant, removeUserGrant } from "../directory/user/grant";
import {
  type ApiError,
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  isApiError,
  notFound,
} from "../protocol/api-error";
import { readProjectRoles } from "../storage/apps";
import type { Transaction } from "../storage/database";
import { isUniqueViolation } from "../storage/engine/violations";
import {
  countGrants,
  grantsOf,
  listGrants,
  matchGrants,
  readGrantOfUser,
  readGrantsById,
  type ShownGrant,
} from "../storage/user-grant-list";
import { readUserGrant } from "../storage/user-grants";
import { readUser } from "../storage/users";
import { changedAnswer } from "./answers";
import { listAnswer, searchBody, words } from "./lists";
import { type OperationCall, operation } from "./operation";
import { changed, details, listOf, moment } from "./schemas";

const STATES = { active: "USER_GRANT_STATE_ACTIVE", inactive: "USER_GRANT_STATE_INACTIVE" } as const;
const grantState = z.enum(["USER_GRANT_STATE_ACTIVE", "USER_GRANT_STATE_INACTIVE"]);
const MOST_AT_ONCE = 100;
const roleKeys = z.array(name).max(100);

const userGrant = z
  .object({
    id: z.string(),
    state: grantState,
    userId: z.string(),
    userName: z.string(),
    displayName: z.string().optional(),
    userOrganizationId: z.string(),
    projectId: z.string(),
    projectName: z.string(),
    roleKeys: z.array(z.string()),
    creationDate: moment,
    changeDate: moment,
  })
  .meta({ id: "UserGrant" });

function toGrant({ state, displayName, createdAt, changedAt, ...row }: ShownGrant): z.input<typeof userGrant> {
  const { id, userId, userName, userOrganizationId, projectId, projectName, roleKeys } = row;
  return {
    ...{ id, state: STATES[state], userId, userName, ...(displayName !== null && { displayName }) },
    ...{ userOrganizationId, projectId, projectName, roleKeys },
    ...{ creationDate: new Date(createdAt).toISOString(), changeDate: new Date(changedAt).toISOString() },
  };
}

const tag = "User grants";
const PATH = "/management/v1/users/:userId/grants";
const READ = { level: "projects", permission: "user.grant.read" } as const;
// Choice: whoever manages a project decides who uses it, owners included: it opens and closes nothing of their account.
const WRITE = { level: "projects", permission: "user.grant.write", over: "nobody" } as const;
const DELETE = { level: "projects", permission: "user.grant.delete", over: "nobody" } as const;
type Call = OperationCall<unknown, unknown>;

const noSuchUser = () => notFound("user.not_found", "There is no such user.");
const noSuchGrant = () => notFound("user_grant.not_found", "The user has no such grant from this organization.");

/** The user, if the caller may know that they exist. */
async function findGrantee(ctx: Context, { caller, organizationId, parameters }: Call) {
  const user = await readUser(ctx.db.prisma, parameters.userId ?? "");
  const known =
    user !== undefined &&
    (user.organizationId === organizationId ||
      (await hasPermission(ctx, caller.userId, "user.read", { organizationId: user.organizationId })));
  return known ? { id: user.id, organizationId: user.organizationId } : undefined;
}

/** Whether the caller may act in this project of the organization. */
const isManaged = ({ projectIds }: Pick<Call, "projectIds">, projectId: string): boolean =>
  projectIds?.includes(projectId) ?? true;

async function refuseRoles(
  tx: Transaction,
  projectId: string,
  wanted: readonly string[],
): Promise<ApiError | undefined> {
  const known = new Set((await readProjectRoles(tx, projectId)).map(({ roleKey }) => roleKey));
  const unknown = wanted.findIndex((key) => !known.has(key));
  if (unknown < 0) return undefined;
  const field = `roleKeys[${unknown}]`;
  return invalidArgument("user_grant.unknown_role", "This is not a role of the project.", { field });
}

/** Changes a grant; its project cannot be removed meanwhile. */
async function changeGrant(
  ctx: Context,
  call: Call,
  work: (tx: Transaction, stored: NonNullable<Awaited<ReturnType<typeof readGrantOfUser>>>) => Promise<unknown>,
) {
  const { organizationId, parameters } = call;
  const { userId = "", grantId = "" } = parameters;
  const key = { organizationId, userId, id: grantId };
  const found = await readGrantOfUser(ctx.db.prisma, key);
  if (!found || !isManaged(call, found.projectId)) return noSuchGrant();
  const answer = await changeInProject(ctx, { organizationId, projectId: found.projectId }, async (tx) => {
    const stored = await readGrantOfUser(tx, key);
    return stored ? work(tx, stored) : noSuchGrant();
  });
  return isApiError(answer) ? answer : changedAnswer(ctx, "user", userId);
}

export const grantOperations = [
  operation({
    id: "ListUserGrants",
    method: "POST",
    path: "/management/v1/users/grants/_search",
    tag,
    summary: "Search the user grants of an organization, newest first",
    scope: READ,
    body: searchBody({
      userIdQuery: strict({ userId: identifier }),
      projectIdQuery: strict({ projectId: identifier }),
      roleKeyQuery: strict({ roleKey: words }),
      stateQuery: strict({ state: grantState }),
    }),
    bodyIsOptional: true,
    answer: listOf(userGrant),
    handle(ctx, { body, organizationId, projectIds }) {
      const where = grantsOf(organizationId, projectIds);
      for (const { userIdQuery, projectIdQuery, roleKeyQuery, stateQuery } of body.queries ?? []) {
        matchGrants(ctx.db, where, { ...userIdQuery, ...projectIdQuery, ...roleKeyQuery });
        if (stateQuery) {
          matchGrants(ctx.db, where, { state: stateQuery.state === STATES.active ? "active" : "inactive" });
        }
      }
      return listAnswer(ctx, body.query, {
        places: ["string", "string"],
        page: ({ ascending, ...wanted }) => listGrants(ctx.db, where, { ...wanted, descending: ascending !== true }),
        count: () => countGrants(ctx.db, where),
        items: (rows) => rows.map(toGrant),
      });
    },
  }),
  operation({
    id: "AddUserGrant",
    method: "POST",
    path: PATH,
    tag,
    summary: "Grant a user roles of a project",
    scope: WRITE,
    body: strict({ projectId: identifier, roleKeys: roleKeys.optional() }),
    answer: z.object({ userGrantId: z.string(), details }),
    async handle(ctx, call) {
      const { projectId, roleKeys = [] } = call.body;
      const { organizationId } = call;
      if (!isManaged(call, projectId)) return noSuchProject();
      const user = await findGrantee(ctx, call);
      if (!user) return noSuchUser();
      try {
        const userGrantId = await changeInProject(ctx, { organizationId, projectId }, async (tx) => {
          if (!(await readUser(tx, user.id))) return noSuchUser();
          if (await readUserGrant(tx, { userId: user.id, projectId, organizationId })) return taken();
          const refusal = await refuseRoles(tx, projectId, roleKeys);
          return refusal ?? addUserGrant(ctx, tx, user, { projectId, organizationId, roleKeys }, call.origin);
        });
        return isApiError(userGrantId) ? userGrantId : { userGrantId, ...(await changedAnswer(ctx, "user", user.id)) };
      } catch (error) {
        if (isUniqueViolation(error)) return taken();
        throw error;
      }
    },
  }),
  operation({
    id: "GetUserGrantByID",
    method: "GET",
    path: `${PATH}/:grantId`,
    tag,
    summary: "Read a user grant",
    scope: READ,
    answer: z.object({ userGrant }),
    async handle(ctx, { organizationId, projectIds, parameters: { userId = "", grantId = "" } }) {
      const where = grantsOf(organizationId, projectIds);
      matchGrants(ctx.db, where, { id: grantId, userId });
      const { rows } = await listGrants(ctx.db, where, { after: undefined, offset: 0, limit: 1, descending: true });
      const [row] = rows;
      return row ? { userGrant: toGrant(row) } : noSuchGrant();
    },
  }),
  operation({
    id: "UpdateUserGrant",
    method: "PUT",
    path: `${PATH}/:grantId`,
    tag,
    summary: "Set the roles of a grant",
    scope: WRITE,
    body: strict({ roleKeys }),
    answer: changed,
    handle: (ctx, call) =>
      changeGrant(ctx, call, async (tx, stored) => {
        const wanted = [...new Set(call.body.roleKeys)];
        const refusal = await refuseRoles(tx, stored.projectId, wanted);
        return refusal ?? changeUserGrant(ctx, tx, stored.user, stored, { roleKeys: wanted }, call.origin);
      }),
  }),
  operation({
    id: "RemoveUserGrant",
    method: "DELETE",
    path: `${PATH}/:grantId`,
    tag,
    summary: "Remove a user grant",
    scope: DELETE,
    answer: changed,
    handle: (ctx, call) =>
      changeGrant(ctx, call, (tx, stored) => removeUserGrant(ctx, tx, stored.user, stored, call.origin)),
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [verb, does] = state === "active" ? ["Reactivate", "_reactivate"] : ["Deactivate", "_deactivate"];
    return operation({
      id: `${verb}UserGrant`,
      method: "POST",
      path: `${PATH}/:grantId/${does}`,
      tag,
      summary: state === "active" ? "Let a grant give its roles again" : "Let a grant give no roles",
      scope: WRITE,
      body: strict({}),
      bodyIsOptional: true,
      answer: changed,
      handle: (ctx, call) =>
        changeGrant(ctx, call, async (tx, stored) => {
          if (stored.state !== state) return changeUserGrant(ctx, tx, stored.user, stored, { state }, call.origin);
          return failedPrecondition(`user_grant.already_${state}`, `The grant is ${state} already.`);
        }),
    });
  }),
  operation({
    id: "BulkRemoveUserGrant",
    method: "DELETE",
    path: "/management/v1/user_grants/_bulk",
    tag,
    summary: `Remove up to ${MOST_AT_ONCE} user grants, all or none`,
    effort: "heavy",
    scope: DELETE,
    body: strict({ grantId: z.array(identifier).min(1, { error: "must not be empty" }).max(MOST_AT_ONCE) }),
    answer: z.object({}),
    async handle(ctx, call) {
      const { body, organizationId, origin } = call;
      const ids = [...new Set(body.grantId)];
      return changeDirectory(ctx, async (tx) => {
        const grants = await readGrantsById(tx, organizationId, ids);
        const all = grants.length === ids.length && grants.every(({ projectId }) => isManaged(call, projectId));
        if (!all) return noSuchGrant();
        for (const { user, ...grant } of grants) await removeUserGrant(ctx, tx, user, grant, origin);
        return {};
      });
    },
  }),
];

const taken = (): ApiError =>
  alreadyExists("user_grant.already_exists", "The user has a grant of this project already: change that one.");
