/**
 * Grants a user roles of a project. To give roles to a user of another organization, the caller must be allowed to read
 * that user; otherwise the user is reported as not found (attack: probing for users). Roles of a granted project are
 * given to the organization's own users only.
 */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, alreadyExists } from "../../protocol/api-error";
import { readUser } from "../../storage/user/user";
import { readUserGrant } from "../../storage/user-grant/user-grant";
import { onUniqueViolation } from "../change";
import { hasPermission } from "../member/permissions";
import { noSuchProject, noSuchUser } from "../not-found";
import { changeInManagedProject, isManaged, type ManagedGrants } from "./change";
import { checkRoles } from "./check-roles";
import { addUserGrantIn } from "./user-grant";

export interface WantedGrant {
  userId: string;
  projectId: string;
  /** The grant by which the organization has the project, if another organization owns it. */
  projectGrantId?: string;
  roleKeys: readonly string[];
}

/**
 * Grants a user roles.
 * @returns the new grant's id
 */
export async function addUserGrant(
  ctx: Context,
  managed: ManagedGrants,
  wanted: WantedGrant,
  origin: Origin,
): Promise<string | ApiError> {
  const { organizationId } = managed;
  const { userId, projectId, projectGrantId, roleKeys } = wanted;
  if (!isManaged(managed, projectId)) return noSuchProject();
  const grantee = await readUser(ctx.db.prisma, userId);
  const isKnown =
    grantee !== undefined &&
    (grantee.organizationId === organizationId ||
      (projectGrantId === undefined &&
        (await hasPermission(ctx, origin.actor, "user.read", { organizationId: grantee.organizationId }))));
  if (!isKnown) return noSuchUser();
  return onUniqueViolation(alreadyGranted, () =>
    changeInManagedProject(ctx, { organizationId, projectId, projectGrantId }, async (tx, granted) => {
      const user = await readUser(tx, userId);
      if (user?.organizationId !== grantee.organizationId) return noSuchUser();
      if (await readUserGrant(tx, { userId, projectId, organizationId })) return alreadyGranted();
      const refusal = await checkRoles(tx, projectId, roleKeys, granted);
      return refusal ?? addUserGrantIn(ctx, tx, user, { ...wanted, organizationId }, origin);
    }),
  );
}

const alreadyGranted = (): ApiError =>
  alreadyExists("user_grant.already_exists", "The user has a grant of this project already. Change that one.");
