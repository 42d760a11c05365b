/** Adds a project. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { changeDirectory, onUniqueViolation } from "../change";
import { idTaken } from "../identifiers";
import { addMemberRole } from "../member/membership";
import { addProject, type ProjectSettings } from "./project";

export interface NewProject extends ProjectSettings {
  /** Generated if omitted. */
  id?: string;
  organizationId: string;
  name: string;
}

/**
 * Adds a project.
 * @param origin.actor the caller, who becomes its owner
 */
export function createProject(ctx: Context, project: NewProject, origin: Origin): Promise<{ id: string } | ApiError> {
  const { organizationId } = project;
  return onUniqueViolation(
    () => idTaken("project"),
    () =>
      changeDirectory(ctx, async (tx) => {
        const id = await addProject(ctx, tx, project, origin);
        if (isApiError(id)) return id;
        const at = { level: "project", levelId: id, resourceOwner: organizationId } as const;
        await addMemberRole(ctx, tx, at, { userId: origin.actor, role: "PROJECT_OWNER" }, origin);
        return { id };
      }),
  );
}
