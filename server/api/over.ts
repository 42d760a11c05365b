/**
 * Whose accounts an operation acts on. Permissions say where somebody may do something; that says to whom: a user
 * manager manages users, but not those who may do more than they (attack: signing the owner of the service out again
 * and again, writing into their metadata, deactivating their whole organization). Each operation declares it beside its
 * permission, and it is asked here for all of them, before the request is read, so that none can forget it.
 */
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import type { Permission } from "../directory/member/permissions";
import {
  checkPrivilegesOver,
  checkPrivilegesOverOrganization,
  checkPrivilegesOverReaders,
  checkPrivilegesToGive,
  checkPrivilegesToRename,
} from "../directory/member/privileges";
import { findOwnerOfUser } from "../directory/user/list";
import type { ApiError } from "../protocol/api-error";

/**
 * The caller's permissions must cover those of
 * - `nobody`: it acts on nobody who is there already, or on nothing of theirs;
 * - `user`: the person or machine in the address, `:userId`; callers themselves may be it;
 * - `listed`: each of those whom the body lists; the use case asks for each as it changes them (user/each.ts), and says
 * of whom it was refused;
 * - `everybody`: everybody of the organization that is acted on;
 * - `renamed`: those whose user names the primary domain of that organization completes;
 * - `all`: everybody of all organizations, so an owner of the instance is needed;
 * - `readers`: everybody who gets the messages of that organization or, at instance level, of the service;
 * - `roles`: no more than the roles in question, on the object in question (directory/member/members asks that);
 * - a function: the user it finds by the address, undefined if there is none.
 */
export type Over = "nobody" | "user" | "listed" | "everybody" | "renamed" | "all" | "readers" | "roles" | UserFinder;

type UserFinder = (ctx: Context, parameters: Readonly<Record<string, string>>) => Promise<string | undefined>;

/** Permissions of operations that may act on people: a scope with one of these does not compile without its `over`. */
export const PERMISSIONS_ON_PEOPLE = [
  ...(["iam.write", "org.write", "org.delete", "user.write", "user.delete", "session.delete"] as const),
  ...(["user.feature.write", "user.feature.delete", "user.grant.write", "user.grant.delete"] as const),
  ...(["iam.member.write", "iam.member.delete", "org.member.write", "org.member.delete"] as const),
  ...(["project.member.write", "project.member.delete"] as const),
] as const satisfies readonly Permission[];

export type PermissionOnPeople = (typeof PERMISSIONS_ON_PEOPLE)[number];

/**
 * The refusal if the caller lacks a permission of somebody acted on. Undefined also if there is nobody of that id in the
 * organization: the operation itself says that, in the same words as for a user of somebody else.
 * @param organizationId the organization acted on, in which the caller has the operation's permission
 */
export async function checkOver(
  ctx: Context,
  { level, over = "nobody" }: { level: string; over?: Over },
  { userId: callerId }: Pick<Caller, "userId">,
  { organizationId, parameters }: { organizationId: string; parameters: Readonly<Record<string, string>> },
): Promise<ApiError | undefined> {
  if (over === "nobody" || over === "listed" || over === "roles") return undefined;
  if (over === "all") return checkPrivilegesToGive(ctx, callerId, ["IAM_OWNER"], {});
  if (over === "everybody") return checkPrivilegesOverOrganization(ctx, callerId, organizationId);
  if (over === "readers") {
    return checkPrivilegesOverReaders(ctx, callerId, level === "instance" ? undefined : organizationId);
  }
  if (over === "renamed") return checkPrivilegesToRename(ctx, callerId, organizationId);
  const userId = over === "user" ? parameters.userId : await over(ctx, parameters);
  if (userId === undefined || (await findOwnerOfUser(ctx, userId)) !== organizationId) return undefined;
  return checkPrivilegesOver(ctx, callerId, userId);
}
