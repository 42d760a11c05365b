/**
 * Changes and removes the roles a user was granted. A caller who manages single projects sees only the grants of these.
 */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readGrantOfUser, readGrantsById, type UserGrantRow } from "../../storage/user-grant/user-grant";
import { changeDirectory } from "../change";
import { changeInGrantedProject, changeInProject } from "../change-project";
import { checkRoles } from "./check-roles";
import { changeUserGrantIn, type Grantee, removeUserGrantIn } from "./user-grant";

/** The grants that a caller manages: those of an organization, possibly only of some of its projects. */
export interface ManagedGrants {
  organizationId: string;
  /** Undefined for all projects. */
  projectIds?: readonly string[];
}

export interface GrantRef extends ManagedGrants {
  userId: string;
  grantId: string;
}

/** Returns whether the caller manages the grants of this project. */
export const isManaged = ({ projectIds }: ManagedGrants, projectId: string): boolean =>
  projectIds?.includes(projectId) ?? true;

/** Sets the roles of a grant. */
export function changeUserGrant(
  ctx: Context,
  ref: GrantRef,
  { roleKeys }: { roleKeys: readonly string[] },
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, { user, ...stored }, granted) => {
    const wanted = [...new Set(roleKeys)];
    const refusal = await checkRoles(tx, stored.projectId, wanted, granted);
    if (refusal) return refusal;
    await changeUserGrantIn(ctx, tx, user, stored, { roleKeys: wanted }, origin);
    return undefined;
  });
}

/** Activates or deactivates a grant; an inactive grant gives no roles. */
export function setUserGrantState(
  ctx: Context,
  ref: GrantRef,
  state: "active" | "inactive",
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, { user, ...stored }) => {
    if (stored.state === state) {
      return failedPrecondition(`user_grant.already_${state}`, `The grant is ${state} already.`);
    }
    await changeUserGrantIn(ctx, tx, user, stored, { state }, origin);
    return undefined;
  });
}

export function removeUserGrant(ctx: Context, ref: GrantRef, origin: Origin): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (tx, { user, ...stored }) => {
    await removeUserGrantIn(ctx, tx, user, stored, origin);
    return undefined;
  });
}

/** Removes grants of several users, all or none. */
export function removeUserGrants(
  ctx: Context,
  managed: ManagedGrants,
  grantIds: readonly string[],
  origin: Origin,
): Promise<undefined | ApiError> {
  const ids = [...new Set(grantIds)];
  return changeDirectory(ctx, async (tx) => {
    const grants = await readGrantsById(tx, managed.organizationId, ids);
    const all = grants.length === ids.length && grants.every(({ projectId }) => isManaged(managed, projectId));
    if (!all) return noSuchGrant();
    for (const { user, ...grant } of grants) await removeUserGrantIn(ctx, tx, user, grant, origin);
    return undefined;
  });
}

/** Changes a grant. Its project cannot be removed meanwhile. */
async function changeGrant(
  ctx: Context,
  ref: GrantRef,
  work: (
    tx: Transaction,
    stored: UserGrantRow & { user: Grantee },
    granted: readonly string[] | undefined,
  ) => Promise<undefined | ApiError>,
): Promise<undefined | ApiError> {
  const { organizationId, userId, grantId } = ref;
  const key = { organizationId, userId, id: grantId };
  const found = await readGrantOfUser(ctx.db.prisma, key);
  if (!found || !isManaged(ref, found.projectId)) return noSuchGrant();
  return changeInManagedProject(ctx, found, async (tx, granted) => {
    const stored = await readGrantOfUser(tx, key);
    return stored ? work(tx, stored, granted) : noSuchGrant();
  });
}

/**
 * Runs `work` in a project whose roles the organization gives: its own, or one that is granted to it.
 * @param work its `granted` are the roles that may be given; undefined for all roles of the organization's own project
 */
export function changeInManagedProject<T>(
  ctx: Context,
  ref: { organizationId: string; projectId: string; projectGrantId?: string | null },
  work: (tx: Transaction, granted: readonly string[] | undefined) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const { organizationId, projectId, projectGrantId } = ref;
  if (!projectGrantId) return changeInProject(ctx, { organizationId, projectId }, (tx) => work(tx, undefined));
  const grant = { organizationId, projectId, grantId: projectGrantId };
  return changeInGrantedProject(ctx, grant, (tx, { roleKeys }) => work(tx, roleKeys as string[]));
}

export const noSuchGrant = () => notFound("user_grant.not_found", "The user has no such grant from this organization.");
