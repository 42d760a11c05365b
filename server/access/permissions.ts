/**
 * Checks whether the caller of a management API has a permission. The permissions of roles are defined in
 * directory/member/permissions.
 */
import type { Context } from "../context";
import { hasPermission, type Permission, type PermissionScope } from "../directory/member/permissions";
import { type ApiError, permissionDenied } from "../protocol/api-error";
import type { Caller } from "./caller";

/**
 * Returns undefined if the caller has the permission, otherwise an error. The error is the same for an unknown
 * organization and for one where the caller has no role, so that callers cannot find out which organizations exist.
 */
export async function checkPermission(
  ctx: Context,
  caller: Caller,
  permission: Permission,
  scope: PermissionScope = {},
): Promise<ApiError | undefined> {
  if (await hasPermission(ctx, caller.userId, permission, scope)) return undefined;
  return permissionDenied(
    "access.denied",
    "You do not have permission to do this here. Ask an administrator for a role that allows it.",
  );
}
