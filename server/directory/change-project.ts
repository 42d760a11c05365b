/**
 * The start of every change within a project. The project is looked up in the organization that the caller may act in,
 * so that another organization's project looks like one that does not exist, and it stays locked until the change is
 * stored.
 */

import type { ChangeContext, OriginContext } from "../events/record";
import type { ApiError } from "../protocol/api-error";
import { lockProject, type ProjectRow } from "../storage/project/project";
import { type ProjectGrantRow, readReceivedGrant } from "../storage/project/project-grants";
import { changeDirectory } from "./change";
import { noSuchProject, noSuchProjectGrant } from "./not-found";

export interface ProjectRef {
  organizationId: string;
  projectId: string;
}

export interface ProjectGrantRef extends ProjectRef {
  grantId: string;
}

/** Milliseconds. Long, because removing a role removes it from all its users. */
const MAX_DURATION = 60_000;

export function changeInProject<T>(
  ctx: OriginContext,
  { organizationId, projectId }: ProjectRef,
  work: (ctx: ChangeContext, project: ProjectRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  return changeDirectory(
    ctx,
    async (ctx) => {
      const project = await lockProject(ctx.db, ctx.tx, organizationId, projectId);
      return project ? work(ctx, project) : noSuchProject();
    },
    { timeout: MAX_DURATION },
  );
}

/**
 * Runs `work` in a project that is granted to the organization. Neither the project nor the grant changes meanwhile.
 * @param ref.organizationId the organization that has the grant
 */
export async function changeInGrantedProject<T>(
  ctx: OriginContext,
  { organizationId, projectId, grantId }: ProjectGrantRef,
  work: (ctx: ChangeContext, grant: ProjectGrantRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const key = { id: grantId, projectId, grantedOrganizationId: organizationId };
  const found = await readReceivedGrant(ctx.db.prisma, key);
  if (!found) return noSuchProjectGrant();
  return changeInProject(ctx, { organizationId: found.ownerId, projectId }, async (ctx) => {
    const grant = await readReceivedGrant(ctx.tx, key);
    return grant ? work(ctx, grant) : noSuchProjectGrant();
  });
}
