/** Roles of projects, which an organization can grant to users of the project's apps. */

import { z } from "zod";
import { name, strict } from "../../directory/fields";
import {
  addRoles,
  changeRole,
  type ListedRole,
  listRolesOf,
  type RoleMatch,
  removeRole,
} from "../../directory/project/roles";
import { issue } from "../../protocol/reason";
import { pagedAnswer } from "../operation/answers";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { operation } from "../operation/operation";
import { listOf, orAbsent, timestamp } from "../operation/schemas";
import { changedProject, projectRefOf } from "./projects";

const MAX_BATCH_SIZE = 100;
const words = { displayName: orAbsent(name), group: orAbsent(name) };
const newRole = strict({ roleKey: name, ...words });
/** One of many, whose key clients of ZITADEL call `key`. */
const oneOfMany = strict({ roleKey: name.optional(), key: name.optional(), ...words }).transform(
  ({ key, roleKey = key, ...rest }, issues) => {
    if (roleKey !== undefined) return { roleKey, ...rest };
    issues.addIssue({ code: "custom", path: ["roleKey"], message: issue("required") });
    return z.NEVER;
  },
);

const role = z
  .object({
    key: z.string(),
    displayName: z.string(),
    group: z.string().optional(),
    creationDate: timestamp,
    changeDate: timestamp,
  })
  .meta({ id: "ProjectRole" });

const tag = "Project roles";
const WRITE = { tag, scope: { level: "project", permission: "project.role.write" } } as const;

function toRole({ roleKey, displayName, group, createdAt, changedAt }: ListedRole): z.input<typeof role> {
  const creationDate = new Date(createdAt).toISOString();
  const changeDate = new Date(changedAt ?? createdAt).toISOString();
  return { key: roleKey, displayName, creationDate, changeDate, ...(group !== null && { group }) };
}

const search = searchBody({ keyQuery: textQuery("key"), displayNameQuery: textQuery("displayName") });

function matchesIn({ queries = [] }: z.output<typeof search>): RoleMatch[] {
  return queries.map(({ keyQuery, displayNameQuery }) => ({
    roleKey: keyQuery && toTextMatch(keyQuery.key, keyQuery.method),
    displayName: displayNameQuery && toTextMatch(displayNameQuery.displayName, displayNameQuery.method),
  }));
}

export const projectRoleOperations = [
  operation("AddProjectRole", "POST /management/v1/projects/:projectId/roles", {
    ...WRITE,
    summary: "Add a role",
    body: newRole,
    handle: (ctx, call) => changedProject(ctx, projectRefOf(call), addRoles(ctx, projectRefOf(call), [call.body])),
  }),
  operation("BulkAddProjectRoles", "POST /management/v1/projects/:projectId/roles/_bulk", {
    ...WRITE,
    summary: `Add up to ${MAX_BATCH_SIZE} roles, all or none`,
    effort: "heavy",
    body: strict({
      roles: z
        .array(oneOfMany)
        .min(1, { error: issue("empty") })
        .max(MAX_BATCH_SIZE),
    }),
    handle: (ctx, call) => changedProject(ctx, projectRefOf(call), addRoles(ctx, projectRefOf(call), call.body.roles)),
  }),
  operation("ListProjectRoles", "POST /management/v1/projects/:projectId/roles/_search", {
    tag,
    summary: "Search the roles of a project, by key",
    scope: { level: "project", permission: "project.role.read" },
    body: search,
    bodyIsOptional: true,
    answer: listOf(role),
    handle: async (ctx, call) =>
      pagedAnswer(ctx, call.body.query, await listRolesOf(ctx, projectRefOf(call), matchesIn(call.body)), toRole),
  }),
  operation("UpdateProjectRole", "PUT /management/v1/projects/:projectId/roles/:roleKey", {
    ...WRITE,
    summary: "Set the display name and the group of a role",
    description: "A group that is left out is removed; a display name that is left out is the key.",
    body: strict(words),
    handle(ctx, call) {
      const wanted = { ...call.body, roleKey: call.parameters.roleKey ?? "" };
      return changedProject(ctx, projectRefOf(call), changeRole(ctx, projectRefOf(call), wanted));
    },
  }),
  operation("RemoveProjectRole", "DELETE /management/v1/projects/:projectId/roles/:roleKey", {
    tag,
    summary: "Remove a role and take it from everyone who has it",
    description: "The key is percent-encoded in the address.",
    scope: { level: "project", permission: "project.role.delete" },
    handle(ctx, call) {
      const { roleKey = "" } = call.parameters;
      return changedProject(ctx, projectRefOf(call), removeRole(ctx, projectRefOf(call), roleKey));
    },
  }),
];
