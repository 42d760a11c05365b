/** Adds, changes and removes projects. */
import { type OriginContext, recordIn } from "../../events/record";
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
  ctx: OriginContext,
  { owners, ...project }: NewProject,
): Promise<{ id: string } | ApiError> {
  const { organizationId } = project;
  const at = { level: "project", scope: { organizationId }, visibleFrom: organizationId } as const;
  const refusal = await checkFirstMembers(ctx, at, owners ?? []);
  if (refusal) return refusal;
  return onUniqueViolation(
    () => idTaken("project"),
    () =>
      changeDirectory(ctx, async (ctx) => {
        const id = await addProject(ctx, project);
        if (isApiError(id)) return id;
        const first = owners ?? [{ userId: ctx.origin.actor, roles: ["PROJECT_OWNER"] }];
        const made = { ...at, levelId: id, resourceOwner: organizationId };
        return (await addFirstMembers(ctx, made, first)) ?? { id };
      }),
  );
}

/**
 * Updates a project. Omitted switches are switched off; omitted scopes and the omitted roles claim are kept.
 * @returns whether anything changed
 */
export function updateProject(
  ctx: OriginContext,
  ref: ProjectRef,
  wanted: ProjectSettings & { name: string },
): Promise<boolean | ApiError> {
  const off = {
    projectRoleAssertion: false,
    projectRoleCheck: false,
    hasProjectCheck: false,
    privateLabelingSetting: null,
  };
  return onUniqueViolation(resourceTaken, () =>
    changeInProject(ctx, ref, (ctx, stored) => changeProject(ctx, stored, { ...off, ...wanted })),
  );
}

/** Activates or deactivates a project. Its apps and roles work only while it is active. */
export function setProjectState(
  ctx: OriginContext,
  ref: ProjectRef,
  state: "active" | "inactive",
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (ctx, stored) => {
    if (stored.state === state) {
      return failedPrecondition(`project.already_${state}`, `The project is ${state} already.`);
    }
    await recordIn(ctx, {
      type: state === "active" ? "project.reactivated" : "project.deactivated",
      object: stored,
      async state() {
        await updateProjectRow(ctx.tx, stored.id, { state });
        return {};
      },
    });
    return undefined;
  });
}

/** Removes a project with its apps, its roles and their grants. */
export function removeProject(ctx: OriginContext, ref: ProjectRef): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (ctx, { id, organizationId, name }) => {
    await recordIn(ctx, {
      type: "project.removed",
      object: { id, organizationId },
      async state(_, now) {
        await endTokensOf(ctx.tx, await readClientIds(ctx.tx, { projectId: id }), now);
        await deleteProject(ctx.tx, id);
        return { payload: { name } };
      },
    });
    return undefined;
  });
}
