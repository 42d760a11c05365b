/**
 * Whether the caller of a management API may do what he asks for; which role carries which permission is data in
 * directory/permissions.
 */
import type { Context } from "../context";
import { hasPermission, type Permission, type Scope } from "../directory/member/permissions";
import { type ApiError, permissionDenied } from "../protocol/api-error";
import type { Caller } from "./caller";

/**
 * Nothing where the caller may, else the refusal. It says the same for an organization that is unknown and for one
 * where the caller has no role, so that nobody can find out which organizations exist.
 */
export async function checkPermission(
  ctx: Context,
  caller: Caller,
  permission: Permission,
  scope: Scope = {},
): Promise<ApiError | undefined> {
  if (await hasPermission(ctx, caller.userId, permission, scope)) return undefined;
  return permissionDenied("access.denied", "You may not do this here.");
}
