/** Projects, to which apps and the roles of their users belong. */

import { z } from "zod";
import { addProject, addProjectOwner, changeProject, removeProject, setProjectState } from "../directory/app/project";
import { answering, changeDirectory } from "../directory/change";
import { changeInProject } from "../directory/change-project";
import { identifier, name, strict } from "../directory/fields";
import { idTaken } from "../directory/identifiers";
import { noSuchProject } from "../directory/not-found";
import { whyReserved } from "../directory/reserved-names";
import { toDetails } from "../events/record";
import { type ApiError, failedPrecondition, invalidArgument, isApiError } from "../protocol/api-error";
import {
  countProjects,
  findProject,
  listProjects,
  matchProjects,
  projectsOf,
  type ShownProject,
} from "../storage/projects";
import { changedAnswer } from "./answers";
import { listAnswer, searchBody, textQuery, toTextMatch } from "./lists";
import { operation } from "./operation";
import { changed, details, listOf } from "./schemas";

const STATES = { active: "PROJECT_STATE_ACTIVE", inactive: "PROJECT_STATE_INACTIVE" } as const;
const projectState = z.enum(["PROJECT_STATE_ACTIVE", "PROJECT_STATE_INACTIVE"]);

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
    .meta({ description: "Only users of its organization may sign in to its apps" }),
};

const project = z
  .object({
    id: z.string(),
    details,
    name: z.string(),
    state: projectState,
    projectRoleAssertion: z.boolean(),
    projectRoleCheck: z.boolean(),
    hasProjectCheck: z.boolean(),
  })
  .meta({ id: "Project" });

function toProject(row: ShownProject): z.input<typeof project> {
  const { id, name, state, projectRoleAssertion, projectRoleCheck, hasProjectCheck } = row;
  return {
    ...{ id, name, details: toDetails(row), state: STATES[state] },
    projectRoleAssertion: Boolean(projectRoleAssertion),
    projectRoleCheck: Boolean(projectRoleCheck),
    hasProjectCheck: Boolean(hasProjectCheck),
  };
}

/** Names of the service itself are refused, so that people do not mistake the project for it. */
function reserved(given: string): ApiError | undefined {
  const reason = whyReserved(given);
  return reason === undefined
    ? undefined
    : invalidArgument("project.reserved_name", `The name ${reason}.`, { field: "name" });
}

const READ = { level: "project", permission: "project.read" } as const;
const WRITE = { level: "project", permission: "project.write" } as const;
const tag = "Projects";

export const projectOperations = [
  operation({
    id: "AddProject",
    method: "POST",
    path: "/management/v1/projects",
    tag,
    summary: "Add a project; the caller becomes its owner",
    scope: { level: "organization", permission: "project.create" },
    body: strict({ id: identifier.optional(), ...settings }),
    answer: z.object({ id: z.string(), details }),
    async handle(ctx, { body, organizationId, caller, origin }) {
      const refusal = reserved(body.name);
      if (refusal) return refusal;
      const id = await answering(
        () => idTaken("project"),
        () =>
          changeDirectory(ctx, async (tx) => {
            const added = await addProject(ctx, tx, { ...body, organizationId }, origin);
            if (isApiError(added)) return added;
            await addProjectOwner(ctx, tx, { id: added, organizationId }, caller.userId, origin);
            return added;
          }),
      );
      return isApiError(id) ? id : { id, ...(await changedAnswer(ctx, "project", id)) };
    },
  }),
  operation({
    id: "ListProjects",
    method: "POST",
    path: "/management/v1/projects/_search",
    tag,
    summary: "Search the projects of an organization, by name",
    scope: { level: "projects", permission: "project.read" },
    body: searchBody({ nameQuery: textQuery("name"), stateQuery: strict({ state: projectState }) }),
    bodyIsOptional: true,
    answer: listOf(project),
    handle(ctx, { body, organizationId, projectIds }) {
      const where = projectsOf(organizationId, projectIds);
      for (const { nameQuery, stateQuery } of body.queries ?? []) {
        if (nameQuery) matchProjects(where, { name: toTextMatch(nameQuery.name, nameQuery.method) });
        if (stateQuery) matchProjects(where, { state: stateQuery.state === STATES.active ? "active" : "inactive" });
      }
      return listAnswer(ctx, body.query, {
        places: ["string", "string"],
        page: ({ ascending, ...wanted }) => listProjects(ctx.db, where, { ...wanted, descending: ascending === false }),
        count: () => countProjects(ctx.db, where),
        items: (rows) => rows.map(toProject),
      });
    },
  }),
  operation({
    id: "GetProjectByID",
    method: "GET",
    path: "/management/v1/projects/:projectId",
    tag,
    summary: "Read a project",
    scope: READ,
    answer: z.object({ project }),
    async handle(ctx, { parameters, organizationId }) {
      const row = await findProject(ctx.db, organizationId, parameters.projectId ?? "");
      return row ? { project: toProject(row) } : noSuchProject();
    },
  }),
  operation({
    id: "UpdateProject",
    method: "PUT",
    path: "/management/v1/projects/:projectId",
    tag,
    summary: "Set a project's name and settings",
    description: "Settings that are left out are switched off.",
    scope: WRITE,
    body: strict(settings),
    answer: changed,
    async handle(ctx, { body, parameters: { projectId = "" }, organizationId, origin }) {
      const off = { projectRoleAssertion: false, projectRoleCheck: false, hasProjectCheck: false };
      const answer = await changeInProject(ctx, { organizationId, projectId }, async (tx, stored) => {
        const refusal = stored.name === body.name ? undefined : reserved(body.name);
        return refusal ?? changeProject(ctx, tx, stored, { ...off, ...body }, origin);
      });
      return isApiError(answer) ? answer : changedAnswer(ctx, "project", projectId);
    },
  }),
  operation({
    id: "RemoveProject",
    method: "DELETE",
    path: "/management/v1/projects/:projectId",
    tag,
    summary: "Remove a project with its apps, roles and grants",
    scope: { level: "project", permission: "project.delete" },
    answer: changed,
    async handle(ctx, { parameters: { projectId = "" }, organizationId, origin }) {
      const answer = await changeInProject(ctx, { organizationId, projectId }, (tx, stored) =>
        removeProject(ctx, tx, stored, origin),
      );
      return isApiError(answer) ? answer : changedAnswer(ctx, "project", projectId);
    },
  }),
  ...(["inactive", "active"] as const).map((state) => {
    const [verb, does] = state === "active" ? ["Reactivate", "_reactivate"] : ["Deactivate", "_deactivate"];
    return operation({
      id: `${verb}Project`,
      method: "POST",
      path: `/management/v1/projects/:projectId/${does}`,
      tag,
      summary: state === "active" ? "Let a project's apps work again" : "Stop a project's apps and their tokens",
      scope: WRITE,
      body: strict({}),
      bodyIsOptional: true,
      answer: changed,
      async handle(ctx, { parameters: { projectId = "" }, organizationId, origin }) {
        const answer = await changeInProject(ctx, { organizationId, projectId }, async (tx, stored) => {
          if (stored.state !== state) return setProjectState(ctx, tx, stored, state, origin);
          return failedPrecondition(`project.already_${state}`, `The project is ${state} already.`);
        });
        return isApiError(answer) ? answer : changedAnswer(ctx, "project", projectId);
      },
    });
  }),
];
