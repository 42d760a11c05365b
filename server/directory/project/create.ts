/** Adds a project. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { changeDirectory, onUniqueViolation } from "../change";
import { idTaken } from "../identifiers";
import { addFirstMembers, checkFirstMembers, type FirstMember } from "../member/members";
import { addProject, type ProjectSettings } from "./project";

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
