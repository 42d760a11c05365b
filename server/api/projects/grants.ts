/** Grants of projects to other organizations, which then give the roles to their own users. */

import { z } from "zod";
import type { Context } from "../../context";
import type { ProjectGrantRef } from "../../directory/change-project";
import { identifier, name, strict } from "../../directory/fields";
import { requireProject } from "../../directory/project/list";
import {
  addProjectGrant,
  changeProjectGrant,
  removeProjectGrant,
  setProjectGrantState,
} from "../../directory/project-grant/edit";
import {
  type ListedProjectGrant,
  type ProjectGrantMatch,
  projectGrantList,
  requireProjectGrant,
} from "../../directory/project-grant/project-grant";
import { isManaged } from "../../directory/user-grant/edit";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { type OperationCall, operation } from "../operation/operation";
import { details, listOf, timestamp } from "../operation/schemas";
import {
  changedProject,
  PROJECT_STATES,
  projectQueries,
  projectRefOf,
  projectRules,
  projectState,
  rulesOf,
} from "./projects";

const STATES = { active: "PROJECT_GRANT_STATE_ACTIVE", inactive: "PROJECT_GRANT_STATE_INACTIVE" } as const;
const roleKeys = z.array(name).max(100);

const grantedProject = z
  .object({
    grantId: z.string(),
    // The number of changes of the project is its owner's business.
    details: z.object({ creationDate: timestamp, changeDate: timestamp, resourceOwner: z.string() }),
    grantedOrgId: z.string(),
    grantedOrgName: z.string(),
    grantedRoleKeys: z.array(z.string()),
    state: z.enum(STATES),
    projectId: z.string(),
    projectName: z.string(),
    projectState,
    ...projectRules,
    projectOwnerId: z.string(),
    projectOwnerName: z.string(),
  })
  .meta({ id: "GrantedProject" });

function toGrantedProject(row: ListedProjectGrant): z.input<typeof grantedProject> {
  return {
    grantId: row.id,
    details: {
      creationDate: new Date(row.createdAt).toISOString(),
      changeDate: new Date(row.changedAt).toISOString(),
      resourceOwner: row.ownerId,
    },
    grantedOrgId: row.grantedOrganizationId,
    grantedOrgName: row.grantedOrganizationName,
    grantedRoleKeys: row.roleKeys,
    state: STATES[row.state],
    projectId: row.projectId,
    projectName: row.projectName,
    projectState: PROJECT_STATES[row.projectState],
    ...rulesOf(row),
    projectOwnerId: row.ownerId,
    projectOwnerName: row.ownerName,
  };
}

const queries = {
  ...projectQueries,
  projectNameQuery: textQuery("name"),
  roleKeyQuery: textQuery("roleKey"),
  projectIdQuery: strict({ projectId: identifier }),
  grantedOrgIdQuery: strict({ grantedOrgId: identifier }),
};
const search = searchBody(queries);
const receivedSearch = searchBody({
  ...projectQueries,
  nameQuery: queries.projectNameQuery,
  roleKeyQuery: queries.roleKeyQuery,
  projectIdQuery: queries.projectIdQuery,
});

function matchesIn({ queries = [] }: z.output<typeof search>): ProjectGrantMatch[] {
  return queries.map(({ projectNameQuery, roleKeyQuery, projectIdQuery, grantedOrgIdQuery, ...ofProject }) => ({
    projectIds: ofProject.inProjectIdsQuery?.projectIds,
    ownerId: ofProject.projectResourceOwnerQuery?.resourceOwner,
    projectName: projectNameQuery && toTextMatch(projectNameQuery.name, projectNameQuery.method),
    grantedOrganizationId: grantedOrgIdQuery?.grantedOrgId,
    roleKey: roleKeyQuery && toTextMatch(roleKeyQuery.roleKey, roleKeyQuery.method),
    ...projectIdQuery,
  }));
}

const tag = "Project grants";
const PATH = "/management/v1/projects/:projectId/grants";
const READ = { tag, scope: { level: "project", permission: "project.grant.read" } } as const;
const WRITE = { tag, scope: { level: "project", permission: "project.grant.write" } } as const;
const RECEIVED = { tag, scope: { level: "projects", permission: "project.read" } } as const;
type Call = OperationCall<unknown, unknown>;

function grantRefOf(call: Call): ProjectGrantRef {
  return { ...projectRefOf(call), grantId: call.parameters.grantId ?? "" };
}

/** The grant that the caller's organization has; those who manage single projects see the grants of these. */
function requireReceived(ctx: Context, call: Call): Promise<ListedProjectGrant | ApiError> {
  const ref = grantRefOf(call);
  return requireProjectGrant(ctx, "received", isManaged(call, ref.projectId) ? ref : { ...ref, grantId: "" });
}

export const projectGrantOperations = [
  operation("AddProjectGrant", `POST ${PATH}`, {
    ...WRITE,
    summary: "Grant a project to another organization",
    description:
      "The managers of that organization can give these roles to their own users. A scope that names the organization counts at the apps of the project: its users register there.",
    body: strict({ grantedOrgId: identifier, roleKeys: roleKeys.optional() }),
    answer: z.object({ grantId: z.string(), details }),
    async handle(ctx, call) {
      const { grantedOrgId: grantedOrganizationId, roleKeys = [] } = call.body;
      const ref = projectRefOf(call);
      const added = await addProjectGrant(ctx, ref, { grantedOrganizationId, roleKeys });
      return isApiError(added) ? added : { grantId: added, ...(await changedAnswer(ctx, "project", ref.projectId)) };
    },
  }),
  operation("ListProjectGrants", `POST ${PATH}/_search`, {
    ...READ,
    summary: "Search the grants of a project, newest first",
    body: search,
    bodyIsOptional: true,
    answer: listOf(grantedProject),
    async handle(ctx, call) {
      const project = await requireProject(ctx, projectRefOf(call));
      if (isApiError(project)) return project;
      const matches = [{ projectId: project.id }, ...matchesIn(call.body)];
      const list = projectGrantList(ctx, "given", call.organizationId, matches);
      return pagedAnswer(ctx, call.body.query, list, toGrantedProject);
    },
  }),
  operation("ListAllProjectGrants", "POST /management/v1/projectgrants/_search", {
    tag,
    summary: "Search the grants of all projects of an organization, newest first",
    scope: { level: "organization", permission: "project.grant.read" },
    body: search,
    bodyIsOptional: true,
    answer: listOf(grantedProject),
    handle: (ctx, { body, organizationId }) =>
      pagedAnswer(ctx, body.query, projectGrantList(ctx, "given", organizationId, matchesIn(body)), toGrantedProject),
  }),
  operation("GetProjectGrantByID", `GET ${PATH}/:grantId`, {
    ...READ,
    summary: "Read a grant of a project",
    answer: z.object({ projectGrant: grantedProject }),
    handle: (ctx, call) =>
      answered(requireProjectGrant(ctx, "given", grantRefOf(call)), (found) => ({
        projectGrant: toGrantedProject(found),
      })),
  }),
  operation("UpdateProjectGrant", `PUT ${PATH}/:grantId`, {
    ...WRITE,
    summary: "Set the roles of a grant",
    description: "Roles that the grant loses are taken from all users who have them by it.",
    body: strict({ roleKeys }),
    handle: (ctx, call) =>
      changedProject(ctx, projectRefOf(call), changeProjectGrant(ctx, grantRefOf(call), call.body)),
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [id, does] =
      state === "active" ? ["ReactivateProjectGrant", "_reactivate"] : ["DeactivateProjectGrant", "_deactivate"];
    return operation(id, `POST ${PATH}/:grantId/${does}`, {
      ...WRITE,
      summary: state === "active" ? "Let a grant count again" : "Suspend a grant and the roles that users have by it",
      body: strict({}),
      bodyIsOptional: true,
      handle: (ctx, call) =>
        changedProject(ctx, projectRefOf(call), setProjectGrantState(ctx, grantRefOf(call), state)),
    });
  }),
  operation("RemoveProjectGrant", `DELETE ${PATH}/:grantId`, {
    tag,
    summary: "Remove a grant, and the roles that users have by it",
    scope: { level: "project", permission: "project.grant.delete" },
    handle: (ctx, call) => changedProject(ctx, projectRefOf(call), removeProjectGrant(ctx, grantRefOf(call))),
  }),
  operation("ListGrantedProjects", "POST /management/v1/granted_projects/_search", {
    ...RECEIVED,
    summary: "Search the projects that are granted to an organization, newest first",
    body: receivedSearch,
    bodyIsOptional: true,
    answer: listOf(grantedProject),
    handle(ctx: Context, { body, organizationId, projectIds }) {
      const asked = (body.queries ?? []).map(({ nameQuery, ...rest }) => ({ ...rest, projectNameQuery: nameQuery }));
      const list = projectGrantList(ctx, "received", organizationId, [
        { projectIds },
        ...matchesIn({ queries: asked }),
      ]);
      return pagedAnswer(ctx, body.query, list, toGrantedProject);
    },
  }),
  operation("GetGrantedProjectByID", "GET /management/v1/granted_projects/:projectId/grants/:grantId", {
    ...RECEIVED,
    summary: "Read a project that is granted to an organization",
    answer: z.object({ grantedProject }),
    handle: (ctx, call) =>
      answered(requireReceived(ctx, call), (found) => ({ grantedProject: toGrantedProject(found) })),
  }),
];
