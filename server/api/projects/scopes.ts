/** The scopes that a project defines for its APIs. */

import { strict } from "../../directory/fields";
import { projectScope, scopeDescriptions } from "../../directory/project/claim-fields";
import { addProjectScope, changeProjectScope, removeProjectScope } from "../../directory/project/scopes";
import { operation } from "../operation/operation";
import { changed } from "../operation/schemas";
import { changedProject, projectRefOf } from "./projects";

const WRITE = { level: "project", permission: "project.write" } as const;
const tag = "Projects";
const encoded = "The name is percent-encoded in the address.";

export const projectScopeOperations = [
  operation({
    id: "AddProjectScope",
    method: "POST",
    path: "/management/v1/projects/:projectId/scopes",
    tag,
    summary: "Add a scope that apps may ask for",
    description: "All scopes together are a member of the project.",
    scope: WRITE,
    body: projectScope,
    answer: changed,
    handle: (ctx, call) =>
      changedProject(ctx, projectRefOf(call), addProjectScope(ctx, projectRefOf(call), call.body, call.origin)),
  }),
  operation({
    id: "UpdateProjectScope",
    method: "PUT",
    path: "/management/v1/projects/:projectId/scopes/:scopeKey",
    tag,
    summary: "Set the descriptions of a scope",
    description: encoded,
    scope: WRITE,
    body: strict({ descriptions: scopeDescriptions }),
    answer: changed,
    handle(ctx, call) {
      const wanted = { name: call.parameters.scopeKey ?? "", descriptions: call.body.descriptions };
      return changedProject(ctx, projectRefOf(call), changeProjectScope(ctx, projectRefOf(call), wanted, call.origin));
    },
  }),
  operation({
    id: "RemoveProjectScope",
    method: "DELETE",
    path: "/management/v1/projects/:projectId/scopes/:scopeKey",
    tag,
    summary: "Remove a scope from the project, and from all tokens issued from then on",
    description: encoded,
    scope: WRITE,
    answer: changed,
    handle(ctx, call) {
      const { scopeKey = "" } = call.parameters;
      return changedProject(
        ctx,
        projectRefOf(call),
        removeProjectScope(ctx, projectRefOf(call), scopeKey, call.origin),
      );
    },
  }),
];
