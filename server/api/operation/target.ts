/**
 * Checks whose accounts an operation may affect. A permission applies to an organization; this check applies to users:
 * a user manager cannot manage users who hold more permissions (attack: signing the owner of the service out
 * repeatedly, writing into their metadata, deactivating their organization). Each operation declares the affected users
 * next to its permission. The check runs here for all operations, before the request is read, so that no operation can
 * omit it.
 */
import type { Caller } from "../../access/caller";
import type { Context } from "../../context";
import type { Permission } from "../../directory/member/permissions";
import {
  checkPrivilegesOver,
  checkPrivilegesOverEverybody,
  checkPrivilegesOverOrganization,
  checkPrivilegesToRename,
} from "../../directory/member/privileges";
import { findOwnerOfUser } from "../../directory/user/list";
import type { ApiError } from "../../protocol/api-error";

/**
 * The caller's permissions must cover those of
 * - `nobody`: no one, because the operation does not affect existing users;
 * - `user`: the person or machine in the address, `:userId`; callers themselves may be it;
 * - `listed`: each user that the body lists; the use case checks each of them (user/each.ts) and reports for whom it
 * was refused;
 * - `everybody`: all users of the affected organization;
 * - `renamed`: users whose user names are completed with the primary domain of that organization;
 * - `all`: all users of all organizations, so the caller must be an owner of the instance;
 * - `roles`: only the granted or removed roles on that object (checked by directory/member/members);
 * - a function: the user that it finds for the path parameters, or undefined.
 */
export type Target = "nobody" | "user" | "listed" | "everybody" | "renamed" | "all" | "roles" | UserFinder;

type UserFinder = (ctx: Context, parameters: Readonly<Record<string, string>>) => Promise<string | undefined>;

/** Permissions of operations that may affect people. A scope with one of these must declare `target` to compile. */
export const PERMISSIONS_ON_PEOPLE = [
  ...(["iam.write", "org.write", "org.delete", "user.write", "user.delete", "session.delete"] as const),
  ...(["user.feature.write", "user.feature.delete", "user.grant.write", "user.grant.delete"] as const),
  ...(["iam.member.write", "iam.member.delete", "org.member.write", "org.member.delete"] as const),
  ...(["project.member.write", "project.member.delete"] as const),
  ...(["project.grant.member.write", "project.grant.member.delete"] as const),
] as const satisfies readonly Permission[];

export type PermissionOnPeople = (typeof PERMISSIONS_ON_PEOPLE)[number];

/**
 * Returns an error if the caller lacks a permission of an affected user. Returns undefined if no such user is in the
 * organization: the operation itself then responds, in the same way as for a user of another organization.
 * @param organizationId the affected organization, in which the caller has the operation's permission
 */
export async function checkTarget(
  ctx: Context,
  { target = "nobody" }: { target?: Target },
  { userId: callerId }: Pick<Caller, "userId">,
  { organizationId, parameters }: { organizationId: string; parameters: Readonly<Record<string, string>> },
): Promise<ApiError | undefined> {
  if (target === "nobody" || target === "listed" || target === "roles") return undefined;
  if (target === "all") return checkPrivilegesOverEverybody(ctx, callerId);
  if (target === "everybody") return checkPrivilegesOverOrganization(ctx, callerId, organizationId);
  if (target === "renamed") return checkPrivilegesToRename(ctx, callerId, organizationId);
  const userId = target === "user" ? parameters.userId : await target(ctx, parameters);
  if (userId === undefined || (await findOwnerOfUser(ctx, userId)) !== organizationId) return undefined;
  return checkPrivilegesOver(ctx, callerId, userId);
}
