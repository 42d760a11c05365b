/**
 * Nobody gains power through somebody else: whoever sets a password, takes a factor away or gives a role could act with
 * what the other may do. So his own permissions must cover it, where the role is held (attack: a user manager who makes
 * himself an owner by resetting the owner's password).
 */
import type { Context } from "../../context";
import { type ApiError, permissionDenied } from "../../protocol/api-error";
import { type HeldRole, listHeldRoles, listHeldRolesIn } from "../../storage/memberships";
import { listPermissions, type Permission, permissionsOf, type Scope } from "./permissions";
import { isInstanceRole, isOrganizationRole, isProjectRole, type MemberRole } from "./roles";

const tooHigh = () => permissionDenied("access.higher_role", "That takes permissions that you do not have yourself.");

/** The refusal where the other may something the caller may not. */
export async function checkPowerOver(ctx: Context, callerId: string, userId: string): Promise<ApiError | undefined> {
  if (callerId === userId) return undefined;
  for (const held of await listHeldRoles(ctx.db, userId)) {
    if (!(await covers(ctx, callerId, [held.role], scopeOf(held)))) return tooHigh();
  }
  return undefined;
}

/**
 * The refusal where somebody of the organization may something the caller may not, or where he may not change its people
 * at all: for what has their reset codes pass through hands of his choice.
 */
export async function checkPowerOverAll(
  ctx: Context,
  callerId: string,
  organizationId: string,
): Promise<ApiError | undefined> {
  if (!(await listPermissions(ctx, callerId, { organizationId })).has("user.write")) return tooHigh();
  const roles = await listHeldRolesIn(ctx.db, organizationId);
  // Its own projects may be many: whoever may as much in all of it is asked about once.
  const ofOwnProjects = roles.filter((held) => held.level === "project" && held.organizationId === organizationId);
  const names = ofOwnProjects.map(({ role }) => role);
  if (!(await covers(ctx, callerId, names, { organizationId }))) return tooHigh();
  for (const held of roles.filter((one) => !ofOwnProjects.includes(one))) {
    if (!(await covers(ctx, callerId, [held.role], scopeOf(held)))) return tooHigh();
  }
  return undefined;
}

/** The refusal where a role carries something the caller may not at that place. */
export async function checkPowerToGive(
  ctx: Context,
  callerId: string,
  roles: readonly string[],
  scope: Scope,
): Promise<ApiError | undefined> {
  return (await covers(ctx, callerId, roles, scope)) ? undefined : tooHigh();
}

/**
 * Choice: impersonation is held by no owner, but given by owners: that of end users by those of the organization, that
 * of administrators by those of the instance.
 */
async function covers(ctx: Context, callerId: string, roles: readonly string[], scope: Scope): Promise<boolean> {
  const own = await listPermissions(ctx, callerId, scope);
  const needed = roles.filter(isMemberRole).flatMap(permissionsOf);
  return needed.every((permission) => {
    const giver = GIVEN_BY[permission];
    return own.has(permission) || (giver !== undefined && own.has(giver));
  });
}

const GIVEN_BY: Partial<Record<Permission, Permission>> = {
  impersonation: "org.member.write",
  "admin.impersonation": "iam.member.write",
};

function isMemberRole(role: string): role is MemberRole {
  return isInstanceRole(role) || isOrganizationRole(role) || isProjectRole(role);
}

function scopeOf({ level, levelId, organizationId }: HeldRole): Scope {
  if (level === "instance") return {};
  if (level === "organization") return { organizationId: levelId };
  return { organizationId: organizationId ?? "", projectId: levelId };
}
