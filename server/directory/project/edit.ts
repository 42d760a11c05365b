/** Adds, changes and removes projects. */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { endTokensOf, readClientIds } from "../../storage/app/app";
import { deleteProject, updateProjectRow } from "../../storage/project/project";
import { changeDirectory, onUniqueViolation } from "../change";
import { changeInProject, type ProjectRef } from "../change-project";
import { idTaken } from "../identifiers";
import { addFirstMembers, checkFirstMembers, type FirstMember } from "../member/members";
import { addProject, changeProject, type ProjectSettings } from "./project";
import { resourceTaken } from "./resources";

export interface NewProject extends ProjectSettings {
  /** Generated if omitted. */
  id?: string;
  organizationId: string;
  name: string;
  /** Its first managers; left out: the caller, as its owner. */
  owners?: readonly FirstMember[];
}

export async function createProject(
  ctx: Context,
  { owners, ...project }: NewProject,
  origin: Origin,
): Promise<{ id: string } | ApiError> {
  const { organizationId } = project;
  const at = { level: "project", scope: { organizationId }, visibleFrom: organizationId } as const;
  const refusal = await checkFirstMembers(ctx, at, owners ?? [], origin);
  if (refusal) return refusal;
  return onUniqueViolation(
    () => idTaken("project"),
    () =>
      changeDirectory(ctx, async (tx) => {
        const id = await addProject(ctx, tx, project, origin);
        if (isApiError(id)) return id;
        const first = owners ?? [{ userId: origin.actor, roles: ["PROJECT_OWNER"] }];
        const made = { ...at, levelId: id, resourceOwner: organizationId };
        return (await addFirstMembers(ctx, tx, made, first, origin)) ?? { id };
      }),
  );
}

/**
 * Updates a project. Omitted switches are switched off; omitted scopes and the omitted roles claim are kept.
 * @returns whether anything changed
 */
export function updateProject(
  ctx: Context,
  ref: ProjectRef,
  wanted: ProjectSettings & { name: string },
  origin: Origin,
): Promise<boolean | ApiError> {
  const off = {
    projectRoleAssertion: false,
    projectRoleCheck: false,
    hasProjectCheck: false,
    privateLabelingSetting: null,
  };
  return onUniqueViolation(resourceTaken, () =>
    changeInProject(ctx, ref, (tx, stored) => changeProject(ctx, tx, stored, { ...off, ...wanted }, origin)),
  );
}

/** Activates or deactivates a project. Its apps and roles work only while it is active. */
export function setProjectState(
  ctx: Context,
  ref: ProjectRef,
  state: "active" | "inactive",
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, stored) => {
    if (stored.state === state) {
      return failedPrecondition(`project.already_${state}`, `The project is ${state} already.`);
    }
    await recordIn(ctx, tx, {
      type: state === "active" ? "project.reactivated" : "project.deactivated",
      object: stored,
      origin,
      async state() {
        await updateProjectRow(tx, stored.id, { state });
        return {};
      },
    });
    return undefined;
  });
}

/** Removes a project with its apps, its roles and their grants. */
export function removeProject(ctx: Context, ref: ProjectRef, origin: Origin): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, { id, organizationId, name }) => {
    await recordIn(ctx, tx, {
      type: "project.removed",
      object: { id, organizationId },
      origin,
      async state(_, now) {
        await endTokensOf(tx, await readClientIds(tx, { projectId: id }), now);
        await deleteProject(tx, id);
        return { payload: { name } };
      },
    });
    return undefined;
  });
}
