/**
 * The project of all clients that no administrator registered. It belongs to the instance's default organization, which
 * does not vouch for them: such clients are strangers to the users of every organization (protocol/trust).
 */
import type { Context } from "../../context";
import { asSystem } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { isApiError } from "../../protocol/api-error";
import { lockInstanceRow, updateInstanceRow } from "../../storage/instance/instance";
import { readProject } from "../../storage/project/project";
import { changeDirectory } from "../change";
import type { ProjectRef } from "../change-project";
import { findInstance } from "../instance";
import { addProject } from "../project/project";

const NAME = "Self-registered apps";

/** Returns the project, which is made when the first client comes, or again after it was removed. */
export async function registrationProject(ctx: Context): Promise<ProjectRef> {
  const known = await existing(ctx, (await findInstance(ctx)).registrationProjectId);
  if (known) return known;
  const made = await changeDirectory(asSystem(ctx), async (ctx): Promise<ProjectRef | ApiError> => {
    const instance = await lockInstanceRow(ctx.db, ctx.tx);
    if (!instance?.defaultOrganizationId) throw new Error("the service has no organization yet");
    const { registrationProjectId: id } = instance;
    const other = id === null ? undefined : await readProject(ctx.tx, id);
    if (other) return { organizationId: other.organizationId, projectId: other.id }; // made by another process
    const organizationId = instance.defaultOrganizationId;
    const projectId = await addProject(ctx, { organizationId, name: NAME });
    if (isApiError(projectId)) return projectId;
    await updateInstanceRow(ctx.tx, instance.id, { registrationProjectId: projectId });
    return { organizationId, projectId };
  });
  if (isApiError(made)) throw new Error(`the project of self-registered apps could not be made: ${made.id}`);
  return made;
}

async function existing(ctx: Context, projectId: string | null): Promise<ProjectRef | undefined> {
  const project = projectId === null ? undefined : await readProject(ctx.db.prisma, projectId);
  return project && { organizationId: project.organizationId, projectId: project.id };
}
