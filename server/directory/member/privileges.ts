/**
 * Prevents users from gaining permissions through another account. A caller who sets a password, removes a factor or
 * gives a role could use the other user's permissions, so the caller's own permissions must cover them, wherever the
 * other's roles are held (attack: a user manager becoming an owner by resetting the owner's password).
 */
import type { Context } from "../../context";
import { type ApiError, aborted, isApiError, permissionDenied } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import type { LevelRef } from "../../storage/member/list";
import { type HeldRole, listHeldRoles, listHeldRolesIn, readHeldRoles } from "../../storage/member/membership";
import { findVerifiedOwner } from "../../storage/organization/organization";
import { readUser } from "../../storage/user/user";
import { comparableDomain, withParents } from "../names";
import { OPERATOR } from "./answerable";
import { listPermissions, type Permission, type PermissionScope, permissionsOf, type RoleAtLevel } from "./permissions";

const tooHigh = (rule = "This takes permissions that you do not have yourself. Ask an administrator who has them.") =>
  permissionDenied("access.higher_role", rule);

/** Returns an error if the user has a permission the caller lacks. */
export async function checkPrivilegesOver(
  ctx: Context,
  callerId: string,
  userId: string,
): Promise<ApiError | undefined> {
  const covered = await listCoveredRoles(ctx, callerId, userId);
  return isApiError(covered) ? covered : undefined;
}

/** Returns the roles of the user if the caller's permissions cover all of them; otherwise an error. */
export async function listCoveredRoles(
  ctx: Context,
  callerId: string,
  userId: string,
): Promise<readonly HeldRole[] | ApiError> {
  const roles = await listHeldRoles(ctx.db, userId);
  if (callerId === userId) return roles;
  for (const held of roles) {
    if (!(await covers(ctx, callerId, [held], scopeOf(held)))) return tooHigh();
  }
  return roles;
}

/** Returns an error if the user was given a role since their roles were checked. */
export async function checkNoRoleGiven(
  tx: Transaction,
  userId: string,
  covered: readonly HeldRole[],
): Promise<ApiError | undefined> {
  const key = ({ level, levelId, role }: Pick<HeldRole, "level" | "levelId" | "role">) => `${level} ${levelId} ${role}`;
  const known = new Set(covered.map(key));
  if ((await readHeldRoles(tx, userId)).every((held) => known.has(key(held)))) return undefined;
  return aborted("request.overtaken", "The user was given a role at the same time. Read it again, then decide.");
}

/**
 * Returns an error if a user of the organization has a permission the caller lacks, or if the caller may not change its
 * users. For changes, such as a mail server, through which the reset codes of all users would pass.
 */
export async function checkPrivilegesOverAll(
  ctx: Context,
  callerId: string,
  organizationId: string,
): Promise<ApiError | undefined> {
  if (!(await listPermissions(ctx, callerId, { organizationId })).has("user.write")) return tooHigh();
  const roles = await listHeldRolesIn(ctx.db, organizationId);
  // An organization may have many projects, so the caller's permissions for them are checked once, at organization
  // level.
  const ofOwnProjects = roles.filter((held) => held.projectId !== null && held.organizationId === organizationId);
  if (!(await covers(ctx, callerId, ofOwnProjects, { organizationId }))) return tooHigh();
  for (const held of roles.filter((one) => !ofOwnProjects.includes(one))) {
    if (!(await covers(ctx, callerId, [held], scopeOf(held)))) return tooHigh();
  }
  return undefined;
}

/**
 * Returns an error if the caller may not change the users of the organization, or if one of them has a permission
 * elsewhere that the caller lacks. For changes of the organization itself that lock out its users.
 * Choice: a caller who may remove an organization decides about the roles within it, because they are removed with it,
 * but not about roles on the instance or in other organizations.
 */
export async function checkPrivilegesOverOrganization(
  ctx: Context,
  callerId: string,
  organizationId: string,
): Promise<ApiError | undefined> {
  return checkPrivilegesOverHolders(ctx, callerId, organizationId, await listHeldRolesIn(ctx.db, organizationId));
}

/**
 * Returns an error if the caller may not change the primary domain, which renames the users whose user names it
 * completes.
 */
export async function checkPrivilegesToRename(
  ctx: Context,
  callerId: string,
  organizationId: string,
): Promise<ApiError | undefined> {
  const roles = await listHeldRolesIn(ctx.db, organizationId, "completed");
  return roles.length === 0 ? undefined : checkPrivilegesOverHolders(ctx, callerId, organizationId, roles);
}

async function checkPrivilegesOverHolders(
  ctx: Context,
  callerId: string,
  organizationId: string,
  roles: readonly HeldRole[],
): Promise<ApiError | undefined> {
  if (!(await listPermissions(ctx, callerId, { organizationId })).has("user.write")) return tooHigh();
  for (const held of roles.filter((one) => scopeOf(one).organizationId !== organizationId)) {
    if (!(await covers(ctx, callerId, [held], scopeOf(held)))) return tooHigh();
  }
  return undefined;
}

/**
 * Returns an error if the caller lacks a permission that any user may have. For changes that affect the codes of all
 * accounts, such as the instance's texts.
 */
export async function checkPrivilegesOverEverybody(ctx: Context, callerId: string): Promise<ApiError | undefined> {
  return (await covers(ctx, callerId, [{ role: "IAM_OWNER", level: "instance" }], {})) ? undefined : tooHigh();
}

/**
 * Returns an error if the caller may not change protected texts of the level: messages that open or protect accounts,
 * and texts of pages where people enter codes and passwords. They could persuade a reader to give a code away.
 * @param organizationId the organization whose users read the text; undefined if all users read it
 */
export async function checkPrivilegesOverReaders(
  ctx: Context,
  callerId: string,
  organizationId: string | undefined,
): Promise<ApiError | undefined> {
  const refusal =
    organizationId === undefined
      ? await checkPrivilegesOverEverybody(ctx, callerId)
      : await checkPrivilegesOverAll(ctx, callerId, organizationId);
  const rule =
    "This text opens or protects accounts, so it is changed by those who have all permissions of everyone who reads it.";
  return refusal && tooHigh(rule);
}

/** Returns whether the user may change the texts of the level that take power, at least by a proposal. */
export async function mayChangeProtected(
  ctx: Context,
  userId: string,
  organizationId: string | undefined,
): Promise<boolean> {
  if (!(await checkPrivilegesOverReaders(ctx, userId, organizationId))) return true;
  if (organizationId === undefined) return false;
  const held = await listPermissions(ctx, userId, { organizationId });
  return held.has("text.propose") && !held.has("text.write");
}

/** A setting of an organization through which codes pass: its mail server, or a text. */
export interface OrganizationSetting {
  organizationId: string;
  /** The user who is answerable for it (answerable.ts); null if that is not known. */
  changedBy: string | null;
}

/** The user whose account a message opens. */
export interface AccountHolder {
  /** Undefined while the account is being created. */
  userId: string | undefined;
  email: string | null;
}

/**
 * Returns whether an organization's setting may be used for a message that opens this account. Checked when the message
 * is sent, because roles change: the user who made the setting must not gain roles that the account holder has been
 * given since. The owners' settings apply to all users of their own organization; to a user with roles beyond it, only
 * if the user who made the setting has these roles as well; and never to an address under a domain that another
 * organization has proven.
 */
export async function mayOpenAccount(
  ctx: Context,
  { organizationId, changedBy }: OrganizationSetting,
  { userId, email }: AccountHolder,
): Promise<boolean> {
  const owner = email === null ? undefined : await ownerOfAddress(ctx, email);
  if (owner !== undefined && owner !== organizationId) return false;
  if (userId === undefined) return true;
  const user = await readUser(ctx.db.prisma, userId);
  if (user?.organizationId !== organizationId) return false;
  return answersForRoles(ctx, { organizationId, changedBy }, await listHeldRoles(ctx.db, userId), userId);
}

/** Returns whether the setting may be used for all users of the organization. */
export async function mayOpenAllAccounts(ctx: Context, setting: OrganizationSetting): Promise<boolean> {
  return answersForRoles(ctx, setting, await listHeldRolesIn(ctx.db, setting.organizationId));
}

async function answersForRoles(
  ctx: Context,
  { organizationId, changedBy }: OrganizationSetting,
  roles: readonly HeldRole[],
  holderId?: string,
): Promise<boolean> {
  const beyond = roles.filter((held) => scopeOf(held).organizationId !== organizationId);
  if (beyond.length === 0 || changedBy === OPERATOR || (holderId !== undefined && changedBy === holderId)) return true;
  const setter = changedBy === null ? undefined : await readUser(ctx.db.prisma, changedBy);
  if (setter?.state !== "active") return false;
  for (const held of beyond) if (!(await covers(ctx, setter.id, [held], scopeOf(held)))) return false;
  return true;
}

/** Returns the organization that has proven the domain of an email address, or the closest domain above it. */
async function ownerOfAddress(ctx: Context, email: string): Promise<string | undefined> {
  const domain = comparableDomain(email.slice(email.lastIndexOf("@") + 1));
  if (domain === undefined) return undefined;
  return findVerifiedOwner(ctx.db, withParents(domain));
}

/** Returns an error if a role includes a permission the caller lacks in that scope. */
export async function checkPrivilegesToGive(
  ctx: Context,
  callerId: string,
  roles: readonly string[],
  { level, scope }: { level: LevelRef["level"]; scope: PermissionScope },
): Promise<ApiError | undefined> {
  const held = roles.map((role) => ({ role, level }));
  return (await covers(ctx, callerId, held, scope)) ? undefined : tooHigh();
}

/**
 * Choice: owners do not have the impersonation permissions but may give them: organization owners for end users,
 * instance owners for administrators.
 */
async function covers(
  ctx: Context,
  callerId: string,
  roles: readonly RoleAtLevel[],
  scope: PermissionScope,
): Promise<boolean> {
  const own = await listPermissions(ctx, callerId, scope);
  const needed = roles.flatMap(permissionsOf);
  return needed.every((permission) => {
    const giver = GIVEN_BY[permission];
    return own.has(permission) || (giver !== undefined && own.has(giver));
  });
}

const GIVEN_BY: Partial<Record<Permission, Permission>> = {
  impersonation: "org.member.write",
  "admin.impersonation": "iam.member.write",
};

function scopeOf({ level, levelId, organizationId, projectId }: HeldRole): PermissionScope {
  if (level === "instance") return {};
  if (level === "organization") return { organizationId: levelId };
  return { organizationId: organizationId ?? "", projectId: projectId ?? "" };
}
