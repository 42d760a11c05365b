/** Changing and removing grants of a project. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { type ProjectGrantRow, type ProjectGrantState, readProjectGrant } from "../../storage/project/project-grants";
import { changeInProject, type ProjectGrantRef } from "../change-project";
import { noSuchProjectGrant } from "../not-found";
import { checkRoles } from "../user-grant/check-roles";
import { changeProjectGrantIn, type OwnedProject, removeProjectGrantIn } from "./project-grant";

/** Sets the roles; those that the grant loses are taken from all users who have them by it. */
export function changeProjectGrant(
  ctx: Context,
  ref: ProjectGrantRef,
  { roleKeys }: { roleKeys: readonly string[] },
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, project, stored) => {
    const wanted = [...new Set(roleKeys)];
    const refusal = await checkRoles(tx, project.id, wanted);
    if (refusal) return refusal;
    await changeProjectGrantIn(ctx, tx, project, stored, { roleKeys: wanted }, origin);
    return undefined;
  });
}

/** While a grant is inactive, roles that users have by it do not count. */
export function setProjectGrantState(
  ctx: Context,
  ref: ProjectGrantRef,
  state: ProjectGrantState,
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, project, stored) => {
    if (stored.state === state) {
      return failedPrecondition(`project_grant.already_${state}`, `The grant is ${state} already.`);
    }
    await changeProjectGrantIn(ctx, tx, project, stored, { state }, origin);
    return undefined;
  });
}

/** Removes the grant, and the roles that users have by it. */
export function removeProjectGrant(ctx: Context, ref: ProjectGrantRef, origin: Origin): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, project, stored) => {
    await removeProjectGrantIn(ctx, tx, project, stored, origin);
    return undefined;
  });
}

function changeGrant(
  ctx: Context,
  ref: ProjectGrantRef,
  work: (tx: Transaction, project: OwnedProject, stored: ProjectGrantRow) => Promise<undefined | ApiError>,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const stored = await readProjectGrant(tx, { projectId: project.id, id: ref.grantId });
    return stored ? work(tx, project, stored) : noSuchProjectGrant();
  });
}
