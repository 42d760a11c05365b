/**
 * The start of every change within a project. The project is looked up in the organization that the caller may act in,
 * so that another organization's project looks like one that does not exist, and it stays locked until the change is
 * stored.
 */

import type { Context } from "../context";
import type { ApiError } from "../protocol/api-error";
import type { Transaction } from "../storage/database";
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
  ctx: Context,
  { organizationId, projectId }: ProjectRef,
  work: (tx: Transaction, project: ProjectRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  return changeDirectory(
    ctx,
    async (tx) => {
      const project = await lockProject(ctx.db, tx, organizationId, projectId);
      return project ? work(tx, project) : noSuchProject();
    },
    { timeout: MAX_DURATION },
  );
}

/**
 * Runs `work` in a project that is granted to the organization. Neither the project nor the grant changes meanwhile.
 * @param ref.organizationId the organization that has the grant
 */
export async function changeInGrantedProject<T>(
  ctx: Context,
  { organizationId, projectId, grantId }: ProjectGrantRef,
  work: (tx: Transaction, grant: ProjectGrantRow) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const key = { id: grantId, projectId, grantedOrganizationId: organizationId };
  const found = await readReceivedGrant(ctx.db.prisma, key);
  if (!found) return noSuchProjectGrant();
  return changeInProject(ctx, { organizationId: found.ownerId, projectId }, async (tx) => {
    const grant = await readReceivedGrant(tx, key);
    return grant ? work(tx, grant) : noSuchProjectGrant();
  });
}
