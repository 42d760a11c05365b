/**
 * Changes the scopes of a project individually, so that two users who change different ones do not overwrite each
 * other's changes.
 */
import { isDeepStrictEqual } from "node:util";
import type { OriginContext } from "../../events/record";
import { type ApiError, alreadyExists, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import type { ProjectScope } from "../../protocol/project-scope";
import { changeInProject, type ProjectRef } from "../change-project";
import { MAX_SCOPES } from "./claim-fields";
import { changeProject } from "./project";

/** Returns the scopes of a stored row, which are null if there never were any. */
const scopesOf = (row: { scopes: unknown }): readonly ProjectScope[] => (row.scopes ?? []) as ProjectScope[];

export function addProjectScope(ctx: OriginContext, ref: ProjectRef, scope: ProjectScope): Promise<boolean | ApiError> {
  return changeScopes(ctx, ref, (scopes) => {
    if (scopes.some(({ name }) => name === scope.name)) {
      return alreadyExists(
        "project_scope.already_exists",
        "The project has a scope with this name already. Choose another name.",
        {
          field: "name",
        },
      );
    }
    if (scopes.length < MAX_SCOPES) return [...scopes, scope];
    return invalidArgument("project_scope.too_many", `A project has at most ${MAX_SCOPES} scopes.`);
  });
}

/**
 * Replaces the descriptions of a scope.
 * @returns whether anything changed
 */
export function changeProjectScope(
  ctx: OriginContext,
  ref: ProjectRef,
  wanted: ProjectScope,
): Promise<boolean | ApiError> {
  return changeScopes(ctx, ref, (scopes) =>
    scopes.some(({ name }) => name === wanted.name)
      ? scopes.map((scope) => (scope.name === wanted.name ? wanted : scope))
      : noSuchScope(),
  );
}

/** Removes a scope. Tokens issued or refreshed from then on do not have it. */
export function removeProjectScope(ctx: OriginContext, ref: ProjectRef, name: string): Promise<boolean | ApiError> {
  return changeScopes(ctx, ref, (scopes) =>
    scopes.some((scope) => scope.name === name) ? scopes.filter((scope) => scope.name !== name) : noSuchScope(),
  );
}

function changeScopes(
  ctx: OriginContext,
  ref: ProjectRef,
  change: (scopes: readonly ProjectScope[]) => readonly ProjectScope[] | ApiError,
): Promise<boolean | ApiError> {
  return changeInProject(ctx, ref, async (ctx, stored) => {
    const scopes = change(scopesOf(stored));
    if (isApiError(scopes)) return scopes;
    return isDeepStrictEqual(scopes, scopesOf(stored)) ? false : changeProject(ctx, stored, { scopes });
  });
}

const noSuchScope = () => notFound("project_scope.not_found", "The project has no such scope. Check its name.");
