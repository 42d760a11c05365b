/** Projects, to which apps and the roles of their users belong. */

import { z } from "zod";
import type { Context } from "../../context";
import type { ProjectRef } from "../../directory/change-project";
import { identifier, name, strict } from "../../directory/fields";
import { projectResources, projectScopes, rolesClaim } from "../../directory/project/claim-fields";
import { createProject, removeProject, setProjectState, updateProject } from "../../directory/project/edit";
import { type ListedProject, listProjectsOf, type ProjectMatch, requireProject } from "../../directory/project/list";
import { toDetails } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { PRIVATE_LABELING_SETTINGS } from "../../protocol/private-labeling";
import { answered, changedAnswer, pagedAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { type OperationCall, operation } from "../operation/operation";
import { details, listOf } from "../operation/schemas";
import { firstAdmins } from "../organizations/members";

export const PROJECT_STATES = { active: "PROJECT_STATE_ACTIVE", inactive: "PROJECT_STATE_INACTIVE" } as const;
export const projectState = z.enum(["PROJECT_STATE_ACTIVE", "PROJECT_STATE_INACTIVE"]);

const settings = {
  name,
  projectRoleAssertion: z
    .boolean()
    .optional()
    .meta({ description: "Include role claims even if no role was asked for" }),
  projectRoleCheck: z
    .boolean()
    .optional()
    .meta({ description: "Only users with a grant of it may sign in to its apps" }),
  hasProjectCheck: z
    .boolean()
    .optional()
    .meta({ description: "Only users of its organization, or of one that it is granted to, may sign in to its apps" }),
  privateLabelingSetting: z.enum(PRIVATE_LABELING_SETTINGS).optional().meta({
    description:
      "Whose look the sign-in pages of its apps have once the user is known; enforced: that of its organization",
  }),
  scopes: projectScopes
    .optional()
    .meta({ description: "All scopes of its own, which its organization's apps may ask for" }),
  resources: projectResources.optional(),
  rolesClaim: rolesClaim.optional().meta({
    description: "The claim that has the role keys as a flat list too, for example roles or groups; empty for none",
  }),
};

/** The rules of a project, which organizations that it is granted to see as well. */
export const projectRules = {
  projectRoleAssertion: z.boolean(),
  projectRoleCheck: z.boolean(),
  hasProjectCheck: z.boolean(),
  privateLabelingSetting: z.enum(PRIVATE_LABELING_SETTINGS),
};

const project = z
  .object({
    id: z.string(),
    details,
    name: z.string(),
    state: projectState,
    ...projectRules,
    scopes: z.array(z.object({ name: z.string(), descriptions: z.record(z.string(), z.string()) })),
    resources: z.array(z.string()),
    rolesClaim: z.string().optional(),
  })
  .meta({ id: "Project" });

function toProject(row: ListedProject): z.input<typeof project> {
  const { id, name, state, scopes, rolesClaim, resources } = row;
  return {
    id,
    name,
    details: toDetails(row),
    state: PROJECT_STATES[state],
    ...rulesOf(row),
    scopes: scopes.map(({ name, descriptions }) => ({ name, descriptions })),
    resources: [...resources],
    ...(rolesClaim === null ? {} : { rolesClaim }),
  };
}

type Rules = Pick<
  ListedProject,
  "projectRoleAssertion" | "projectRoleCheck" | "hasProjectCheck" | "privateLabelingSetting"
>;

export const rulesOf = (row: Rules): z.input<z.ZodObject<typeof projectRules>> => ({
  projectRoleAssertion: row.projectRoleAssertion,
  projectRoleCheck: row.projectRoleCheck,
  hasProjectCheck: row.hasProjectCheck,
  privateLabelingSetting: row.privateLabelingSetting ?? PRIVATE_LABELING_SETTINGS[0],
});

export function projectRefOf({ organizationId, parameters }: OperationCall<unknown, unknown>): ProjectRef {
  return { organizationId, projectId: parameters.projectId ?? "" };
}

/** The answer of a change that tells only the project's details, or its refusal. */
export async function changedProject(ctx: Context, { projectId }: ProjectRef, change: Promise<unknown | ApiError>) {
  const outcome = await change;
  return isApiError(outcome) ? outcome : changedAnswer(ctx, "project", projectId);
}

/** Queries about projects, in several lists. */
export const projectQueries = {
  inProjectIdsQuery: strict({ projectIds: z.array(identifier).max(100) }),
  projectResourceOwnerQuery: strict({ resourceOwner: identifier }),
};
const search = searchBody({
  ...projectQueries,
  nameQuery: textQuery("name"),
  stateQuery: strict({ state: projectState }),
});

function matchesIn({ queries = [] }: z.output<typeof search>): ProjectMatch[] {
  return queries.map(({ inProjectIdsQuery, projectResourceOwnerQuery, nameQuery, stateQuery }) => ({
    ids: inProjectIdsQuery?.projectIds,
    organizationId: projectResourceOwnerQuery?.resourceOwner,
    name: nameQuery && toTextMatch(nameQuery.name, nameQuery.method),
    state: stateQuery && (stateQuery.state === PROJECT_STATES.active ? "active" : "inactive"),
  }));
}

const tag = "Projects";
const READ = { tag, scope: { level: "project", permission: "project.read" } } as const;
const WRITE = { tag, scope: { level: "project", permission: "project.write" } } as const;

export const projectOperations = [
  operation("AddProject", "POST /management/v1/projects", {
    tag,
    summary: "Add a project; the caller becomes its owner, unless administrators are named",
    scope: { level: "organization", permission: "project.create" },
    body: strict({ id: identifier.optional(), ...settings, admins: firstAdmins("PROJECT_OWNER") }),
    answer: z.object({ id: z.string(), details }),
    handle: (ctx, { body: { admins: owners, ...body }, organizationId }) =>
      answered(createProject(ctx, { ...body, organizationId, owners }), async (added) => ({
        ...added,
        ...(await changedAnswer(ctx, "project", added.id)),
      })),
  }),
  operation("ListProjects", "POST /management/v1/projects/_search", {
    tag,
    summary: "Search the projects of an organization, by name",
    scope: { level: "projects", permission: "project.read" },
    body: search,
    bodyIsOptional: true,
    answer: listOf(project),
    handle: (ctx, { body, organizationId, projectIds }) =>
      pagedAnswer(ctx, body.query, listProjectsOf(ctx, { organizationId, projectIds }, matchesIn(body)), toProject),
  }),
  operation("GetProjectByID", "GET /management/v1/projects/:projectId", {
    ...READ,
    summary: "Read a project",
    answer: z.object({ project }),
    handle: (ctx, call) => answered(requireProject(ctx, projectRefOf(call)), (row) => ({ project: toProject(row) })),
  }),
  operation("UpdateProject", "PUT /management/v1/projects/:projectId", {
    ...WRITE,
    summary: "Set a project's name and settings",
    description:
      "Boolean settings that are left out become false; scopes, resources and rolesClaim are kept if left out. A removed scope is not part of tokens issued afterwards.",
    body: strict(settings),
    handle: (ctx, call) => changedProject(ctx, projectRefOf(call), updateProject(ctx, projectRefOf(call), call.body)),
  }),
  operation("RemoveProject", "DELETE /management/v1/projects/:projectId", {
    tag,
    summary: "Remove a project with its apps, roles and grants",
    scope: { level: "project", permission: "project.delete" },
    handle: (ctx, call) => changedProject(ctx, projectRefOf(call), removeProject(ctx, projectRefOf(call))),
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [id, does] = state === "active" ? ["ReactivateProject", "_reactivate"] : ["DeactivateProject", "_deactivate"];
    return operation(id, `POST /management/v1/projects/:projectId/${does}`, {
      ...WRITE,
      summary: state === "active" ? "Reactivate a project's apps" : "Deactivate a project's apps and their tokens",
      body: strict({}),
      bodyIsOptional: true,
      handle: (ctx, call) => changedProject(ctx, projectRefOf(call), setProjectState(ctx, projectRefOf(call), state)),
    });
  }),
];
