/** Roles of projects, which an organization can grant to users of the project's apps. */

import { z } from "zod";
import type { Context } from "../context";
import { addProjectRole, changeProjectRole, removeProjectRole } from "../directory/app/project";
import { changeInProject, type ProjectPlace } from "../directory/change-project";
import { name, strict } from "../directory/fields";
import { noSuchProject } from "../directory/not-found";
import type { Origin } from "../events/record";
import { type ApiError, alreadyExists, isApiError, notFound } from "../protocol/api-error";
import { readProjectRoles } from "../storage/apps";
import { countProjectRoles, findProject, listProjectRoles, matchRoles, rolesOf } from "../storage/projects";
import { changedAnswer } from "./answers";
import { listAnswer, searchBody, textQuery, toTextMatch } from "./lists";
import { type OperationCall, operation } from "./operation";
import { changed, listOf, moment } from "./schemas";

const MOST_AT_ONCE = 100;
const newRole = strict({ roleKey: name, displayName: name.optional(), group: name.optional() });
type NewRole = z.output<typeof newRole>;

const role = z
  .object({ key: z.string(), displayName: z.string(), group: z.string().optional(), creationDate: moment })
  .meta({ id: "ProjectRole" });

const tag = "Project roles";
const WRITE = { level: "project", permission: "project.role.write" } as const;
const noSuchRole = () => notFound("project_role.not_found", "There is no such role in the project.");

async function addRoles(ctx: Context, place: ProjectPlace, roles: readonly NewRole[], origin: Origin) {
  const answer = await changeInProject(ctx, place, async (tx, project) => {
    const known = new Set((await readProjectRoles(tx, project.id)).map(({ roleKey }) => roleKey));
    for (const [index, added] of roles.entries()) {
      if (known.has(added.roleKey)) return taken(roles.length > 1 ? `roles[${index}].roleKey` : "roleKey");
      known.add(added.roleKey);
    }
    for (const added of roles) await addProjectRole(ctx, tx, project, added, origin);
  });
  return isApiError(answer) ? answer : changedAnswer(ctx, "project", place.projectId);
}

const taken = (field: string): ApiError =>
  alreadyExists("project_role.already_exists", "The project has a role of this key already.", { field });

function placeOf({ organizationId, parameters }: OperationCall<unknown, unknown>): ProjectPlace {
  return { organizationId, projectId: parameters.projectId ?? "" };
}

export const projectRoleOperations = [
  operation({
    id: "AddProjectRole",
    method: "POST",
    path: "/management/v1/projects/:projectId/roles",
    tag,
    summary: "Add a role",
    scope: WRITE,
    body: newRole,
    answer: changed,
    handle: (ctx, call) => addRoles(ctx, placeOf(call), [call.body], call.origin),
  }),
  operation({
    id: "BulkAddProjectRoles",
    method: "POST",
    path: "/management/v1/projects/:projectId/roles/_bulk",
    tag,
    summary: `Add up to ${MOST_AT_ONCE} roles, all or none`,
    effort: "heavy",
    scope: WRITE,
    body: strict({ roles: z.array(newRole).min(1, { error: "must not be empty" }).max(MOST_AT_ONCE) }),
    answer: changed,
    handle: (ctx, call) => addRoles(ctx, placeOf(call), call.body.roles, call.origin),
  }),
  operation({
    id: "ListProjectRoles",
    method: "POST",
    path: "/management/v1/projects/:projectId/roles/_search",
    tag,
    summary: "Search the roles of a project, by key",
    scope: { level: "project", permission: "project.role.read" },
    body: searchBody({ keyQuery: textQuery("key"), displayNameQuery: textQuery("displayName") }),
    bodyIsOptional: true,
    answer: listOf(role),
    async handle(ctx, call) {
      const { organizationId, projectId } = placeOf(call);
      if (!(await findProject(ctx.db, organizationId, projectId))) return noSuchProject();
      const where = rolesOf(projectId);
      for (const { keyQuery, displayNameQuery } of call.body.queries ?? []) {
        if (keyQuery) matchRoles(where, "roleKey", toTextMatch(keyQuery.key, keyQuery.method));
        if (displayNameQuery) {
          matchRoles(where, "displayName", toTextMatch(displayNameQuery.displayName, displayNameQuery.method));
        }
      }
      return listAnswer(ctx, call.body.query, {
        places: ["string", "string"],
        page: ({ ascending, ...wanted }) =>
          listProjectRoles(ctx.db, where, { ...wanted, descending: ascending === false }),
        count: () => countProjectRoles(ctx.db, where),
        items: (rows) =>
          rows.map(({ roleKey, displayName, group, createdAt }) => ({
            ...{ key: roleKey, displayName, creationDate: new Date(createdAt).toISOString() },
            ...(group !== null && { group }),
          })),
      });
    },
  }),
  operation({
    id: "UpdateProjectRole",
    method: "PUT",
    path: "/management/v1/projects/:projectId/roles/:roleKey",
    tag,
    summary: "Set the display name and the group of a role",
    description: "A group that is left out is removed; a display name that is left out is the key.",
    scope: WRITE,
    body: strict({ displayName: name.optional(), group: name.optional() }),
    answer: changed,
    async handle(ctx, call) {
      const place = placeOf(call);
      const { roleKey = "" } = call.parameters;
      const answer = await changeInProject(ctx, place, async (tx, project) => {
        const stored = (await readProjectRoles(tx, project.id)).find((known) => known.roleKey === roleKey);
        if (!stored) return noSuchRole();
        const { displayName = roleKey, group = null } = call.body;
        return changeProjectRole(ctx, tx, project, stored, { displayName, group }, call.origin);
      });
      return isApiError(answer) ? answer : changedAnswer(ctx, "project", place.projectId);
    },
  }),
  operation({
    id: "RemoveProjectRole",
    method: "DELETE",
    path: "/management/v1/projects/:projectId/roles/:roleKey",
    tag,
    summary: "Remove a role and take it from everybody who has it",
    description: "The key is percent-encoded in the address.",
    scope: { level: "project", permission: "project.role.delete" },
    answer: changed,
    async handle(ctx, call) {
      const place = placeOf(call);
      const { roleKey = "" } = call.parameters;
      const answer = await changeInProject(ctx, place, async (tx, project) => {
        const known = (await readProjectRoles(tx, project.id)).some((stored) => stored.roleKey === roleKey);
        return known ? removeProjectRole(ctx, tx, project, roleKey, call.origin) : noSuchRole();
      });
      return isApiError(answer) ? answer : changedAnswer(ctx, "project", place.projectId);
    },
  }),
];
