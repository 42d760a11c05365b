/**
 * Grants users roles of a project, changes and removes these grants. A caller who manages single projects sees only the
 * grants of these.
 */
import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, notFound } from "../../protocol/api-error";
import { readUser } from "../../storage/user/user";
import { readGrantOfUser, readGrantsById, readUserGrant, type UserGrantRow } from "../../storage/user-grant/user-grant";
import { changeDirectory, onUniqueViolation } from "../change";
import { changeInGrantedProject, changeInProject } from "../change-project";
import { hasPermission } from "../member/permissions";
import { noSuchProject, noSuchUser } from "../not-found";
import { checkRoles } from "./check-roles";
import { addUserGrantIn, changeUserGrantIn, type Grantee, removeUserGrantIn } from "./user-grant";

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

export function changeUserGrant(
  ctx: OriginContext,
  ref: GrantRef,
  { roleKeys }: { roleKeys: readonly string[] },
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (ctx, { user, ...stored }, granted) => {
    const wanted = [...new Set(roleKeys)];
    const refusal = await checkRoles(ctx.tx, stored.projectId, wanted, granted);
    if (refusal) return refusal;
    await changeUserGrantIn(ctx, user, stored, { roleKeys: wanted });
    return undefined;
  });
}

/** Activates or deactivates a grant; an inactive grant gives no roles. */
export function setUserGrantState(
  ctx: OriginContext,
  ref: GrantRef,
  state: "active" | "inactive",
): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (ctx, { user, ...stored }) => {
    if (stored.state === state) {
      return failedPrecondition(`user_grant.already_${state}`, `The grant is ${state} already.`);
    }
    await changeUserGrantIn(ctx, user, stored, { state });
    return undefined;
  });
}

export function removeUserGrant(ctx: OriginContext, ref: GrantRef): Promise<undefined | ApiError> {
  return changeGrant(ctx, ref, async (ctx, { user, ...stored }) => {
    await removeUserGrantIn(ctx, user, stored);
    return undefined;
  });
}

/** Removes grants of several users, all or none. */
export function removeUserGrants(
  ctx: OriginContext,
  managed: ManagedGrants,
  grantIds: readonly string[],
): Promise<undefined | ApiError> {
  const ids = [...new Set(grantIds)];
  return changeDirectory(ctx, async (ctx) => {
    const grants = await readGrantsById(ctx.tx, managed.organizationId, ids);
    const all = grants.length === ids.length && grants.every(({ projectId }) => isManaged(managed, projectId));
    if (!all) return noSuchGrant();
    for (const { user, ...grant } of grants) await removeUserGrantIn(ctx, user, grant);
    return undefined;
  });
}

/** Changes a grant. Its project cannot be removed meanwhile. */
async function changeGrant(
  ctx: OriginContext,
  ref: GrantRef,
  work: (
    ctx: ChangeContext,
    stored: UserGrantRow & { user: Grantee },
    granted: readonly string[] | undefined,
  ) => Promise<undefined | ApiError>,
): Promise<undefined | ApiError> {
  const { organizationId, userId, grantId } = ref;
  const key = { organizationId, userId, id: grantId };
  const found = await readGrantOfUser(ctx.db.prisma, key);
  if (!found || !isManaged(ref, found.projectId)) return noSuchGrant();
  return changeInManagedProject(ctx, found, async (ctx, granted) => {
    const stored = await readGrantOfUser(ctx.tx, key);
    return stored ? work(ctx, stored, granted) : noSuchGrant();
  });
}

/**
 * Runs `work` in a project whose roles the organization gives: its own, or one that is granted to it.
 * @param work its `granted` are the roles that may be given; undefined for all roles of the organization's own project
 */
export function changeInManagedProject<T>(
  ctx: OriginContext,
  ref: { organizationId: string; projectId: string; projectGrantId?: string | null },
  work: (ctx: ChangeContext, granted: readonly string[] | undefined) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const { organizationId, projectId, projectGrantId } = ref;
  if (!projectGrantId) return changeInProject(ctx, { organizationId, projectId }, (ctx) => work(ctx, undefined));
  const grant = { organizationId, projectId, grantId: projectGrantId };
  return changeInGrantedProject(ctx, grant, (ctx, { roleKeys }) => work(ctx, roleKeys as string[]));
}

export const noSuchGrant = () => notFound("user_grant.not_found", "The user has no such grant from this organization.");

export interface WantedGrant {
  userId: string;
  projectId: string;
  /** The grant by which the organization has the project, if another organization owns it. */
  projectGrantId?: string;
  roleKeys: readonly string[];
}

/**
 * Grants a user roles of a project. To give roles to a user of another organization, the caller must be allowed to read
 * that user; otherwise the user is reported as not found (attack: probing for users). Roles of a granted project are
 * given to the organization's own users only.
 * @returns the new grant's id
 */
export async function addUserGrant(
  ctx: OriginContext,
  managed: ManagedGrants,
  wanted: WantedGrant,
): Promise<string | ApiError> {
  const { organizationId } = managed;
  const { userId, projectId, projectGrantId, roleKeys } = wanted;
  if (!isManaged(managed, projectId)) return noSuchProject();
  const grantee = await readUser(ctx.db.prisma, userId);
  const isKnown =
    grantee !== undefined &&
    (grantee.organizationId === organizationId ||
      (projectGrantId === undefined &&
        (await hasPermission(ctx, ctx.origin.actor, "user.read", { organizationId: grantee.organizationId }))));
  if (!isKnown) return noSuchUser();
  return onUniqueViolation(alreadyGranted, () =>
    changeInManagedProject(ctx, { organizationId, projectId, projectGrantId }, async (ctx, granted) => {
      const user = await readUser(ctx.tx, userId);
      if (user?.organizationId !== grantee.organizationId) return noSuchUser();
      if (await readUserGrant(ctx.tx, { userId, projectId, organizationId })) return alreadyGranted();
      const refusal = await checkRoles(ctx.tx, projectId, roleKeys, granted);
      return refusal ?? addUserGrantIn(ctx, user, { ...wanted, organizationId });
    }),
  );
}

const alreadyGranted = (): ApiError =>
  alreadyExists("user_grant.already_exists", "The user has a grant of this project already. Change that one.");

/** Adds the roles to those that the organization has given; an inactive grant stays inactive. */
export async function giveRoles(
  ctx: OriginContext,
  managed: ManagedGrants,
  wanted: WantedGrant,
): Promise<undefined | ApiError> {
  const added = await addUserGrant(ctx, managed, wanted);
  if (typeof added === "string") return undefined;
  if (added.id !== "user_grant.already_exists") return added;
  const { organizationId } = managed;
  const { userId, projectId, roleKeys } = wanted;
  if (!isManaged(managed, projectId)) return noSuchProject();
  return changeInProject(ctx, { organizationId, projectId }, async (ctx) => {
    const [stored, user] = [
      await readUserGrant(ctx.tx, { userId, projectId, organizationId }),
      await readUser(ctx.tx, userId),
    ];
    if (!stored || !user) return added; // removed meanwhile
    const refusal = await checkRoles(ctx.tx, projectId, roleKeys);
    if (refusal) return refusal;
    const all = [...new Set([...(stored.roleKeys as string[]), ...roleKeys])];
    await changeUserGrantIn(ctx, user, stored, { roleKeys: all });
    return undefined;
  });
}
