/** The project services. */
import type { JsonObject } from "@bufbuild/protobuf";
import type { Context } from "../../../context";
import {
  dated,
  filterValue,
  headOf,
  idsFilterAs,
  inServices,
  listTranslation,
  located,
  type MessageTranslation,
  namesScope,
  ownerNamed,
  sentOnly,
  stringIn,
  textFilter,
} from "./translation";

const PROJECT = "/management/v1/projects/{projectId}";
/** Version 2 calls the id `projectId`, its beta `id`. */
const idOf = ({ projectId, id }: JsonObject) => stringIn(projectId ?? id);
const found = {
  locate: async (ctx: Context, json: JsonObject) => ({
    ...(await located(ctx, "project", idOf(json))),
    projectId: idOf(json),
  }),
};

/** The filter of the beta that names whom projects are granted to. */
const GRANTED = "projectGrantResourceOwnerFilter";

const IDS = { inProjectIdsFilter: "project" } as const;

/** Both versions have names of their own for the checks. */
const settingsOf = (json: JsonObject): JsonObject =>
  sentOnly({
    name: json.name,
    projectRoleAssertion: json.projectRoleAssertion,
    projectRoleCheck: json.authorizationRequired ?? json.projectRoleCheck,
    hasProjectCheck: json.projectAccessRequired ?? json.hasProjectCheck,
    privateLabelingSetting: json.privateLabelingSetting,
  });

const projectOf = (row: JsonObject): object => ({
  id: row.id,
  projectId: row.id,
  ...headOf(row),
  name: row.name,
  state: row.state,
  projectRoleAssertion: row.projectRoleAssertion,
  authorizationRequired: row.projectRoleCheck,
  projectAccessRequired: row.hasProjectCheck,
  privateLabelingSetting: row.privateLabelingSetting,
});

/** A project of another organization, as the one that it is granted to sees it. */
const grantedProjectOf = (row: JsonObject): object => ({
  ...projectOf(sentOnly({ ...row, id: row.projectId, name: row.projectName, state: row.projectState })),
  grantedOrganizationId: row.grantedOrgId,
  grantedOrganizationName: row.grantedOrgName,
  grantedState: String(row.state).replace("PROJECT_GRANT_", "GRANTED_PROJECT_"),
});

/** The place of a search in `at`: own projects or granted ones; none for both at once. */
function sideOf(json: JsonObject): number {
  if (filterValue(json, GRANTED) !== undefined) return 1;
  const filters = ((json.filters ?? []) as JsonObject[]).map(({ organizationIdFilter }) => organizationIdFilter);
  const { type } = (filters.find((one) => one !== undefined) ?? {}) as JsonObject;
  return type === "OWNED_OR_GRANTED" ? 2 : type === "GRANTED" ? 1 : 0;
}

const change = (at: MessageTranslation["at"], ...dates: string[]): MessageTranslation => ({
  at,
  ...found,
  request: () => ({}),
  answer: dated(...dates),
});

/** The role as it is, because updates replace what is left out. */
const readRole: MessageTranslation["reads"] = ({ projectId, roleKey }) => ({
  at: "POST /management/v1/projects/{projectId}/roles/_search",
  json: { projectId: projectId ?? "", queries: [{ keyQuery: { key: roleKey ?? "" } }] },
});

const GRANT = `${PROJECT}/grants/{grantId}` as const;
/** Grants are named by the organization that has them. */
const readGrant: MessageTranslation["reads"] = ({ projectId, grantedOrganizationId }) => ({
  at: `POST ${PROJECT}/grants/_search`,
  json: {
    projectId: projectId ?? "",
    queries: [{ grantedOrgIdQuery: { grantedOrgId: grantedOrganizationId ?? "" } }],
  },
});
const rowOf = (read: object) => ((read as { result?: JsonObject[] }).result ?? [])[0];
const changeGrant = (at: MessageTranslation["at"], ...dates: string[]): MessageTranslation => ({
  at,
  ...found,
  reads: readGrant,
  request: ({ roleKeys }, read) => sentOnly({ grantId: rowOf(read)?.grantId ?? "none", roleKeys }),
  answer: dated(...dates),
});

export const projectTranslations = inServices(["project.v2.ProjectService", "project.v2beta.ProjectService"], {
  CreateProject: {
    at: "POST /management/v1/projects",
    locate: async (_, json) => ({ organizationId: stringIn(json.organizationId) || undefined }),
    request: (json) => sentOnly({ id: idOf(json) || undefined, admins: json.admins, ...settingsOf(json) }),
    answer: (json) => ({ ...dated("creationDate")(json), projectId: json.id }),
  },
  UpdateProject: {
    at: `PUT ${PROJECT}`,
    ...found,
    reads: (json) => ({ at: `GET ${PROJECT}`, json: { projectId: idOf(json) } }),
    request(json, read) {
      const before = (read as { project?: JsonObject }).project ?? {};
      return { ...settingsOf(projectOf(before) as JsonObject), ...settingsOf(json) };
    },
    answer: dated("changeDate"),
  },
  DeleteProject: { ...change(`DELETE ${PROJECT}`, "deletionDate"), soAlready: ["project.not_found"] },
  GetProject: {
    at: `GET ${PROJECT}`,
    ...found,
    request: () => ({}),
    // An owned project: what is said about grants appears in lists of granted projects.
    answer: ({ project }) => ({ project: projectOf(project as JsonObject) }),
  },
  ListProjects: {
    at: ["POST /management/v1/projects/_search", "POST /management/v1/granted_projects/_search"],
    which: sideOf,
    async locate(ctx, json) {
      const owner = [GRANTED, "projectResourceOwnerFilter", "organizationIdFilter", "projectOrganizationIdFilter"];
      const organizationId = filterValue(json, ...owner);
      return organizationId === undefined ? ownerNamed(ctx, json, IDS) : { organizationId };
    },
    ...listTranslation(
      "projects",
      {
        projectNameFilter: textFilter("nameQuery", "name", "projectName"),
        inProjectIdsFilter: idsFilterAs("inProjectIdsQuery", "projectIds"),
        projectResourceOwnerFilter: namesScope,
        projectOrganizationIdFilter: namesScope,
        organizationIdFilter: namesScope,
        [GRANTED]: namesScope,
      },
      (row) => (row.grantId === undefined ? projectOf(row) : grantedProjectOf(row)),
    ),
  },
  DeactivateProject: {
    ...change(`POST ${PROJECT}/_deactivate`, "changeDate"),
    soAlready: ["project.already_inactive"],
  },
  ActivateProject: { ...change(`POST ${PROJECT}/_reactivate`, "changeDate"), soAlready: ["project.already_active"] },
  AddProjectRole: { at: `POST ${PROJECT}/roles`, ...found, answer: dated("creationDate") },
  UpdateProjectRole: {
    at: `PUT ${PROJECT}/roles/{roleKey}`,
    ...found,
    reads: readRole,
    request(json, read) {
      const before = rowOf(read) ?? {};
      return sentOnly({ roleKey: json.roleKey, displayName: before.displayName, group: before.group, ...json });
    },
    answer: dated("changeDate"),
  },
  RemoveProjectRole: { at: `DELETE ${PROJECT}/roles/{roleKey}`, ...found, answer: dated("removalDate") },
  ListProjectRoles: {
    at: `POST ${PROJECT}/roles/_search`,
    ...found,
    ...listTranslation(
      "projectRoles",
      {
        roleKeyFilter: textFilter("keyQuery", "key"),
        displayNameFilter: textFilter("displayNameQuery", "displayName"),
      },
      (row, { projectId }) => ({ ...row, projectId }),
    ),
  },
  CreateProjectGrant: {
    at: `POST ${PROJECT}/grants`,
    ...found,
    request: ({ grantedOrganizationId, roleKeys }) => sentOnly({ grantedOrgId: grantedOrganizationId, roleKeys }),
    answer: dated("creationDate"),
  },
  UpdateProjectGrant: {
    ...changeGrant(`PUT ${GRANT}`, "changeDate"),
    request: ({ roleKeys = [] }, read) => ({ grantId: rowOf(read)?.grantId ?? "none", roleKeys }),
  },
  DeleteProjectGrant: { ...changeGrant(`DELETE ${GRANT}`, "deletionDate"), soAlready: ["project_grant.not_found"] },
  DeactivateProjectGrant: {
    ...changeGrant(`POST ${GRANT}/_deactivate`, "changeDate"),
    soAlready: ["project_grant.already_inactive"],
  },
  ActivateProjectGrant: {
    ...changeGrant(`POST ${GRANT}/_reactivate`, "changeDate"),
    soAlready: ["project_grant.already_active"],
  },
  ListProjectGrants: {
    at: "POST /management/v1/projectgrants/_search",
    async locate(ctx, json) {
      const organizationId = filterValue(json, "projectResourceOwnerFilter", "organizationIdFilter");
      return organizationId === undefined ? ownerNamed(ctx, json, IDS) : { organizationId };
    },
    ...listTranslation(
      "projectGrants",
      {
        projectNameFilter: textFilter("projectNameQuery", "name", "projectName"),
        inProjectIdsFilter: idsFilterAs("inProjectIdsQuery", "projectIds"),
        roleKeyFilter: textFilter("roleKeyQuery", "roleKey", "key"),
        projectResourceOwnerFilter: namesScope,
        organizationIdFilter: namesScope,
        projectGrantResourceOwnerFilter: (value) => ({
          grantedOrgIdQuery: { grantedOrgId: (value as JsonObject).id ?? "" },
        }),
        grantedOrganizationIdFilter: (value) => ({
          grantedOrgIdQuery: { grantedOrgId: (value as JsonObject).id ?? "" },
        }),
      },
      (row) => ({
        ...row,
        ...headOf(row),
        grantedOrganizationId: row.grantedOrgId,
        grantedOrganizationName: row.grantedOrgName,
      }),
    ),
  },
});
