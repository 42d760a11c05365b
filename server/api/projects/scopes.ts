/** The scopes that a project defines for its APIs. */

import { strict } from "../../directory/fields";
import { projectScope, scopeDescriptions } from "../../directory/project/claim-fields";
import { addProjectScope, changeProjectScope, removeProjectScope } from "../../directory/project/scopes";
import { operation } from "../operation/operation";
import { changedProject, projectRefOf } from "./projects";

const tag = "Projects";
const WRITE = { tag, scope: { level: "project", permission: "project.write" } } as const;
const encoded = "The name is percent-encoded in the address.";

export const projectScopeOperations = [
  operation("AddProjectScope", "POST /management/v1/projects/:projectId/scopes", {
    ...WRITE,
    summary: "Add a scope that apps may ask for",
    description: "All scopes together are a member of the project.",
    body: projectScope,
    handle: (ctx, call) => changedProject(ctx, projectRefOf(call), addProjectScope(ctx, projectRefOf(call), call.body)),
  }),
  operation("UpdateProjectScope", "PUT /management/v1/projects/:projectId/scopes/:scopeKey", {
    ...WRITE,
    summary: "Set the descriptions of a scope",
    description: encoded,
    body: strict({ descriptions: scopeDescriptions }),
    handle(ctx, call) {
      const wanted = { name: call.parameters.scopeKey ?? "", descriptions: call.body.descriptions };
      return changedProject(ctx, projectRefOf(call), changeProjectScope(ctx, projectRefOf(call), wanted));
    },
  }),
  operation("RemoveProjectScope", "DELETE /management/v1/projects/:projectId/scopes/:scopeKey", {
    ...WRITE,
    summary: "Remove a scope from the project, and from all tokens issued from then on",
    description: encoded,
    handle(ctx, call) {
      const { scopeKey = "" } = call.parameters;
      return changedProject(ctx, projectRefOf(call), removeProjectScope(ctx, projectRefOf(call), scopeKey));
    },
  }),
];
