/** The services of roles: authorizations (user grants) of projects, and administrators (members). */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Context } from "../../../context";
import { identifier } from "../../../directory/fields";
import { organizationName } from "../../../directory/organization/name";
import { requireProject } from "../../../directory/project/list";
import { findGrantTo } from "../../../directory/project-grant/project-grant";
import { isApiError } from "../../../protocol/api-error";
import type { OperationAddress } from "../../operation/operation";
import {
  dated,
  filterValue,
  idFilterAs,
  idsFilterAs,
  inServices,
  type Located,
  listTranslation,
  located,
  type MessageTranslation,
  namesScope,
  ownerNamed,
  sentOnly,
  stringIn,
  textFilter,
} from "./translation";

const GRANT = "/management/v1/users/{userId}/grants/{grantId}";
const locateGrant = async (ctx: Context, { id }: JsonObject): Promise<Located> => ({
  userId: "none",
  ...(await located(ctx, "userGrant", stringIn(id))),
  grantId: stringIn(id),
});
const change = (at: OperationAddress, date: string): MessageTranslation => ({
  at,
  locate: locateGrant,
  request: ({ roleKeys }) => sentOnly({ roleKeys }),
  answer: dated(date),
});

/** Without an organization it is the one that owns the project. */
async function locateProject(ctx: Context, json: JsonObject): Promise<Located> {
  const { ownerId } = await located(ctx, "project", stringIn(json.projectId));
  const organizationId = stringIn(json.organizationId) || undefined;
  return organizationId === undefined || organizationId === ownerId ? { ownerId } : { organizationId };
}

const authorizationOf = (row: JsonObject): object => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  projectGrantId: row.projectGrantId,
  project: { id: row.projectId, name: row.projectName, organizationId: row.projectOwnerId },
  organization: { id: row.orgId, name: row.orgName },
  creationDate: row.creationDate,
  changeDate: row.changeDate,
  state: String(row.state).replace("USER_GRANT_", ""),
  user: {
    id: row.userId,
    preferredLoginName: row.preferredLoginName,
    displayName: row.displayName,
    organizationId: row.userOrganizationId,
  },
});

/** Filters on the users of rows. */
const userFilters = {
  userOrganizationId: idFilterAs("userOrganizationIdQuery", "organizationId"),
  userDisplayName: textFilter("displayNameQuery", "displayName"),
};
const filters = {
  ...userFilters,
  organizationId: namesScope,
  authorizationIds: idsFilterAs("grantIdsQuery", "grantIds"),
  userId: idFilterAs("userIdQuery", "userId"),
  inUserIds: idsFilterAs("inUserIdsQuery", "userIds"),
  userPreferredLoginName: textFilter("loginNameQuery", "loginName"),
  projectId: idFilterAs("projectIdQuery", "projectId"),
  projectGrantId: idFilterAs("projectGrantIdQuery", "projectGrantId"),
  projectName: textFilter("projectNameQuery", "projectName", "name"),
  roleKey: textFilter("roleKeyQuery", "roleKey", "key"),
  state: (value: unknown) => ({ stateQuery: { state: `USER_GRANT_${(value as JsonObject).state ?? ""}` } }),
};
const IDS = { authorizationIds: "userGrant", projectId: "project" } as const;
const listAuthorizations = (roles: (keys: string[]) => unknown): MessageTranslation => ({
  at: "POST /management/v1/users/grants/_search",
  async locate(ctx, json) {
    const organizationId = filterValue(json, "organizationId");
    return organizationId === undefined ? ownerNamed(ctx, json, IDS) : { organizationId };
  },
  ...listTranslation("authorizations", filters, (row) => ({
    ...authorizationOf(row),
    roles: roles((row.roleKeys ?? []) as string[]),
  })),
});

const authorizations = {
  ...inServices(["authorization.v2.AuthorizationService", "authorization.v2beta.AuthorizationService"], {
    CreateAuthorization: {
      at: "POST /management/v1/users/{userId}/grants",
      locate: locateProject,
      // The roles of a project of another organization come from its grant.
      reads: ({ projectId }, { organizationId }) =>
        organizationId === undefined
          ? undefined
          : {
              at: "POST /management/v1/granted_projects/_search",
              json: { queries: [{ projectIdQuery: { projectId: projectId ?? "" } }] },
            },
      request({ projectId, roleKeys }, read, { organizationId }) {
        const [granted] = (read as { result?: JsonObject[] }).result ?? [];
        const projectGrantId = organizationId === undefined ? undefined : (granted?.grantId ?? "none");
        return sentOnly({ projectId, roleKeys, projectGrantId });
      },
      answer: (json) => ({ ...dated("creationDate")(json), id: json.userGrantId }),
    },
    UpdateAuthorization: { ...change(`PUT ${GRANT}`, "changeDate"), request: ({ roleKeys = [] }) => ({ roleKeys }) },
    DeleteAuthorization: { ...change(`DELETE ${GRANT}`, "deletionDate"), soAlready: ["user_grant.not_found"] },
    ActivateAuthorization: {
      ...change(`POST ${GRANT}/_reactivate`, "changeDate"),
      soAlready: ["user_grant.already_active"],
    },
    DeactivateAuthorization: {
      ...change(`POST ${GRANT}/_deactivate`, "changeDate"),
      soAlready: ["user_grant.already_inactive"],
    },
  }),
  ...inServices(["authorization.v2.AuthorizationService"], {
    ListAuthorizations: listAuthorizations((keys) => keys.map((key) => ({ key }))),
  }),
  ...inServices(["authorization.v2beta.AuthorizationService"], {
    ListAuthorizations: listAuthorizations((keys) => keys),
  }),
};

const PATHS = [
  "/admin/v1/members",
  "/management/v1/orgs/me/members",
  "/management/v1/projects/{projectId}/members",
  "/management/v1/projects/{projectId}/grants/{grantId}/members",
];
interface Resource {
  instance?: boolean;
  organizationId?: string;
  projectId?: string;
  /** With the organization that the project is granted to. */
  projectGrant?: { projectId?: string; organizationId?: string };
}

/** Filters that must all match, without those of a resource. */
const conjuncts = (filters: unknown): JsonObject[] =>
  ((filters ?? []) as JsonObject[]).flatMap((one) => (one.and ? conjuncts((one.and as JsonObject).queries) : [one]));

function resourceIn(json: JsonObject): Resource {
  const { resource } = conjuncts(json.filters).find((one) => one.resource !== undefined) ?? {};
  return (json.resource ?? resource ?? {}) as Resource;
}
/** Where roles are held: the place in `PATHS`, or the one after them without a resource. */
function levelOf(json: JsonObject): number {
  const { instance, organizationId, projectId, projectGrant } = resourceIn(json);
  if (projectGrant) return 3;
  if (projectId !== undefined) return 2;
  return organizationId !== undefined ? 1 : instance ? 0 : PATHS.length;
}
async function locateResource(ctx: Context, json: JsonObject): Promise<Located> {
  const { organizationId, projectId, projectGrant } = resourceIn(json);
  if (projectGrant) {
    const { projectId = "", organizationId: grantedOrgId = "" } = projectGrant;
    const grant = await findGrantTo(ctx, { projectId, organizationId: grantedOrgId });
    return {
      projectId,
      grantId: grant?.id ?? "none",
      grantedOrgId,
      projectName: grant?.projectName,
      on: grant?.ownerId,
    };
  }
  if (projectId === undefined) return { organizationId };
  return { projectId, ...(await located(ctx, "project", projectId)) };
}
/** With the names that a list shows to those who may read it. */
async function locateNamed(ctx: Context, json: JsonObject): Promise<Located> {
  const found = await locateResource(ctx, json);
  const { organizationId, projectId, ownerId } = found;
  if (identifier.safeParse(organizationId).success) {
    return { ...found, name: await organizationName(ctx, organizationId ?? "") };
  }
  const project = ownerId && (await requireProject(ctx, { organizationId: ownerId, projectId: projectId ?? "" }));
  return project && !isApiError(project) ? { ...found, projectName: project.name } : found;
}
/** Administrators of everything that the caller may see. */
const EVERYWHERE = "POST /v2/administrators/_search";
const members = (method: string, end: string): OperationAddress[] =>
  PATHS.map((path) => `${method} ${path}${end}` as OperationAddress);

/** What an administrator administers. */
function onResource({ instance, organizationId, projectId, projectGrant }: Resource, at: Located): JsonObject {
  const { name, projectName } = at;
  if (projectGrant) {
    const ids = { id: at.grantId, projectId: at.projectId, organizationId: at.on };
    return { projectGrant: sentOnly({ ...ids, projectName, grantedOrganizationId: at.grantedOrgId }) };
  }
  if (projectId !== undefined) {
    return { project: sentOnly({ id: projectId, name: projectName, organizationId: at.ownerId }) };
  }
  return organizationId === undefined
    ? sentOnly({ instance })
    : { organization: sentOnly({ id: organizationId, name }) };
}

const administered = ({ instance, organization, project, projectGrant }: JsonObject) =>
  sentOnly({ instance, organization, project, projectGrant });

type MemberFilter = (value: JsonValue) => JsonObject | undefined;
const memberFilters: Readonly<Record<string, MemberFilter>> = {
  ...userFilters,
  role: (value) => ({ roleQuery: { role: (value as JsonObject).roleKey ?? "" } }),
  inUserIdsFilter: filters.inUserIds,
  userPreferredLoginName: textFilter("loginNameQuery", "loginName", "preferredLoginName"),
  creationDate: (value) => ({ creationDateQuery: value }),
  changeDate: (value) => ({ changeDateQuery: value }),
  and: (value) => ({ andQuery: { queries: eachFilter(conjuncts((value as JsonObject).queries)) } }),
  or: (value) => ({ orQuery: { queries: eachFilter((value as JsonObject).queries, {}) } }),
  not: (value) => ({ notQuery: { query: eachFilter([(value as JsonObject).query ?? {}], {})[0] ?? {} } }),
};

/** @param scope filters that name what is searched; elsewhere these are refused */
function eachFilter(some: unknown, scope: Readonly<Record<string, MemberFilter>> = { resource: namesScope }) {
  return ((some ?? []) as JsonObject[]).flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) => {
      const translated = { ...memberFilters, ...scope }[name];
      return translated ? (translated(value) ?? []) : { [name]: value };
    }),
  );
}

const changeMember = (method: string, date: string): MessageTranslation => ({
  at: members(method, method === "POST" ? "" : "/{userId}"),
  which: levelOf,
  locate: locateResource,
  request: ({ userId, roles }) => sentOnly({ userId, roles }),
  answer: dated(date),
});

const userOf = ({ userId, preferredLoginName, displayName, userResourceOwner }: JsonObject) =>
  sentOnly({ id: userId, preferredLoginName, displayName, organizationId: userResourceOwner });

const administrators = inServices(
  ["internal_permission.v2.InternalPermissionService", "internal_permission.v2beta.InternalPermissionService"],
  {
    ListAdministrators: {
      at: [...members("POST", "/_search"), EVERYWHERE],
      which: levelOf,
      locate: locateNamed,
      ...listTranslation(
        "administrators",
        { ...memberFilters, resource: namesScope },
        ({ roles, creationDate, changeDate, ...row }, sent, located) => ({
          ...{ creationDate, changeDate },
          user: userOf(row),
          roles,
          ...administered(row),
          ...onResource(resourceIn(sent), located),
        }),
      ),
    },
    CreateAdministrator: changeMember("POST", "creationDate"),
    UpdateAdministrator: changeMember("PUT", "changeDate"),
    DeleteAdministrator: { ...changeMember("DELETE", "deletionDate"), soAlready: ["member.not_found"] },
  },
);

export const permissionTranslations = { ...authorizations, ...administrators };
