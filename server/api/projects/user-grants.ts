/** User grants (authorizations): which roles of its projects an organization gives to which users. */

import { z } from "zod";
import type { Context } from "../../context";
import { identifier, name, strict } from "../../directory/fields";
import {
  addUserGrant,
  changeUserGrant,
  type GrantRef,
  removeUserGrant,
  removeUserGrants,
  setUserGrantState,
} from "../../directory/user-grant/edit";
import { type GrantMatch, type ListedGrant, listUserGrants, readListedGrant } from "../../directory/user-grant/list";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { type OperationCall, operation } from "../operation/operation";
import { details, listOf, orAbsent, timestamp } from "../operation/schemas";
import { rowUserQueries, toRowUser } from "../users/row-queries";
import { USER_TYPES } from "../users/schemas";

const STATES = { active: "USER_GRANT_STATE_ACTIVE", inactive: "USER_GRANT_STATE_INACTIVE" } as const;
const grantState = z.enum(["USER_GRANT_STATE_ACTIVE", "USER_GRANT_STATE_INACTIVE"]);
const MAX_BATCH_SIZE = 100;
const roleKeys = z.array(name).max(100);

const userGrant = z
  .object({
    id: z.string(),
    state: grantState,
    userId: z.string(),
    userName: z.string(),
    preferredLoginName: z.string(),
    displayName: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    userType: z.enum(Object.values(USER_TYPES)),
    userOrganizationId: z.string(),
    orgId: z.string(),
    orgName: z.string(),
    projectId: z.string(),
    projectName: z.string(),
    projectOwnerId: z.string(),
    projectGrantId: z.string().optional(),
    roleKeys: z.array(z.string()),
    creationDate: timestamp,
    changeDate: timestamp,
  })
  .meta({ id: "UserGrant" });

function toGrant({
  state,
  displayName,
  firstName,
  lastName,
  createdAt,
  changedAt,
  ...row
}: ListedGrant): z.input<typeof userGrant> {
  return {
    id: row.id,
    state: STATES[state],
    userId: row.userId,
    userName: row.userName,
    preferredLoginName: row.loginName,
    ...(displayName !== null && { displayName }),
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
    userType: USER_TYPES[row.kind],
    userOrganizationId: row.userOrganizationId,
    orgId: row.organizationId,
    orgName: row.organizationName,
    projectId: row.projectId,
    projectName: row.projectName,
    projectOwnerId: row.projectOwnerId,
    ...(row.projectGrantId !== null && { projectGrantId: row.projectGrantId }),
    roleKeys: row.roleKeys,
    creationDate: new Date(createdAt).toISOString(),
    changeDate: new Date(changedAt).toISOString(),
  };
}

const tag = "User grants";
const PATH = "/management/v1/users/:userId/grants";
const READ = { tag, scope: { level: "projects", permission: "user.grant.read" } } as const;
// Choice: the managers of a project decide who uses it, including owners, because it does not affect their accounts.
const WRITE = { tag, scope: { level: "projects", permission: "user.grant.write", target: "nobody" } } as const;
const DELETE = { tag, scope: { level: "projects", permission: "user.grant.delete", target: "nobody" } } as const;
type Call = OperationCall<unknown, unknown>;

function grantRefOf({ organizationId, projectIds, parameters }: Call): GrantRef {
  const { userId = "", grantId = "" } = parameters;
  return { organizationId, projectIds, userId, grantId };
}

async function changedGrant(ctx: Context, call: Call, outcome: Promise<undefined | ApiError>) {
  return (await outcome) ?? changedAnswer(ctx, "user", call.parameters.userId ?? "");
}

const grantQueries = {
  ...rowUserQueries,
  grantIdsQuery: strict({ grantIds: z.array(identifier).max(MAX_BATCH_SIZE) }),
  projectIdQuery: strict({ projectId: identifier }),
  projectGrantIdQuery: strict({ projectGrantId: identifier }),
  projectNameQuery: textQuery("projectName"),
  roleKeyQuery: textQuery("roleKey"),
  stateQuery: strict({ state: grantState }),
};
type GrantQuery = Partial<z.output<z.ZodObject<typeof grantQueries>>>;

function toMatch(query: GrantQuery): GrantMatch {
  const { grantIdsQuery, projectIdQuery, projectGrantIdQuery, projectNameQuery, roleKeyQuery, stateQuery } = query;
  return {
    ...toRowUser(query),
    ids: grantIdsQuery?.grantIds,
    ...projectIdQuery,
    ...projectGrantIdQuery,
    projectName: projectNameQuery && toTextMatch(projectNameQuery.projectName, projectNameQuery.method),
    roleKey: roleKeyQuery && toTextMatch(roleKeyQuery.roleKey, roleKeyQuery.method),
    ...(stateQuery && { state: stateQuery.state === STATES.active ? "active" : "inactive" }),
  };
}

export const grantOperations = [
  operation("ListUserGrants", "POST /management/v1/users/grants/_search", {
    ...READ,
    summary: "Search the user grants of an organization, newest first",
    body: searchBody(grantQueries),
    bodyIsOptional: true,
    answer: listOf(userGrant),
    handle: (ctx, call) =>
      pagedAnswer(ctx, call.body.query, listUserGrants(ctx, call, (call.body.queries ?? []).map(toMatch)), toGrant),
  }),
  operation("AddUserGrant", `POST ${PATH}`, {
    ...WRITE,
    summary: "Grant a user roles of a project",
    body: strict({ projectId: identifier, projectGrantId: orAbsent(identifier), roleKeys: roleKeys.optional() }),
    description:
      "For a project of another organization that is granted to this one, send projectGrantId: the roles are those of the grant, and the user is one of this organization.",
    answer: z.object({ userGrantId: z.string(), details }),
    async handle(ctx, call) {
      const { userId = "" } = call.parameters;
      const { projectId, projectGrantId, roleKeys = [] } = call.body;
      const added = await addUserGrant(ctx, grantRefOf(call), { userId, projectId, projectGrantId, roleKeys });
      return isApiError(added) ? added : { userGrantId: added, ...(await changedAnswer(ctx, "user", userId)) };
    },
  }),
  operation("GetUserGrantByID", `GET ${PATH}/:grantId`, {
    ...READ,
    summary: "Read a user grant",
    answer: z.object({ userGrant }),
    handle: (ctx, call) => answered(readListedGrant(ctx, grantRefOf(call)), (found) => ({ userGrant: toGrant(found) })),
  }),
  operation("UpdateUserGrant", `PUT ${PATH}/:grantId`, {
    ...WRITE,
    summary: "Set the roles of a grant",
    body: strict({ roleKeys }),
    handle: (ctx, call) => changedGrant(ctx, call, changeUserGrant(ctx, grantRefOf(call), call.body)),
  }),
  operation("RemoveUserGrant", `DELETE ${PATH}/:grantId`, {
    ...DELETE,
    summary: "Remove a user grant",
    handle: (ctx, call) => changedGrant(ctx, call, removeUserGrant(ctx, grantRefOf(call))),
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [id, does] =
      state === "active" ? ["ReactivateUserGrant", "_reactivate"] : ["DeactivateUserGrant", "_deactivate"];
    return operation(id, `POST ${PATH}/:grantId/${does}`, {
      ...WRITE,
      summary: state === "active" ? "Reactivate a user grant" : "Deactivate a user grant",
      body: strict({}),
      bodyIsOptional: true,
      handle: (ctx, call) => changedGrant(ctx, call, setUserGrantState(ctx, grantRefOf(call), state)),
    });
  }),
  operation("BulkRemoveUserGrant", "DELETE /management/v1/user_grants/_bulk", {
    ...DELETE,
    summary: `Remove up to ${MAX_BATCH_SIZE} user grants, all or none`,
    effort: "heavy",
    body: strict({
      grantId: z
        .array(identifier)
        .min(1, { error: issue("empty") })
        .max(MAX_BATCH_SIZE),
    }),
    answer: z.object({}),
    handle: async (ctx, call) => (await removeUserGrants(ctx, call, call.body.grantId)) ?? {},
  }),
];
