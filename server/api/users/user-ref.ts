/** The common parts of operations on users: the user of a path, and the response of a change. */
import { checkPermission } from "../../access/permissions";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import type { UserRef } from "../../directory/user/change";
import { findOwnerOfUser } from "../../directory/user/list";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { changedAnswer } from "../operation/answers";
import type { OperationCall, OperationScope, PathParameters } from "../operation/operation";

export type Called = Pick<OperationCall<unknown, unknown>, "caller" | "parameters" | "organizationId">;

/** Returns the user of the path in the target organization; the caller if the path names none. */
export function userRefOf({ caller, parameters: { userId = caller.userId }, organizationId }: Called): UserRef {
  return { userId, organizationId };
}

/** Awaits a change of the user and returns its response. */
export async function changedUser(ctx: Context, call: Called, outcome: Promise<unknown>) {
  const made = await outcome;
  return isApiError(made) ? made : changedAnswer(ctx, "user", userRefOf(call).userId);
}

export const noBody = { body: strict({}), bodyIsOptional: true } as const;

/** Version 2 names users by their id alone; the permission is checked in the user's organization. */
export const ownedBy = (permission: "user.read" | "user.write" | "user.delete"): OperationScope => ({
  level: "owner",
  permission,
  target: permission === "user.read" ? "nobody" : "user",
  ownerOf: (ctx: Context, { userId = "" }: PathParameters) => findOwnerOfUser(ctx, userId),
});

/**
 * Where the caller may look for users: in the organization that is named, or that of the user who is, else in all, else
 * in their own. Others get an error or no result, regardless of whether the organization or user exists.
 * @returns the organization that a search must be limited to; undefined for all
 */
export async function readableUsers(
  ctx: Context,
  { caller }: Pick<OperationCall<unknown, unknown>, "caller">,
  named: { organizationId?: string; userId?: string },
): Promise<{ organizationId: string | undefined } | ApiError> {
  const refusalIn = (organizationId?: string) =>
    checkPermission(ctx, caller, "user.read", organizationId === undefined ? {} : { organizationId });
  if (named.organizationId === undefined) {
    if (!(await refusalIn())) return { organizationId: undefined };
    const owner = named.userId === undefined ? undefined : await findOwnerOfUser(ctx, named.userId);
    if (owner !== undefined && !(await refusalIn(owner))) return { organizationId: owner };
  }
  const organizationId = named.organizationId ?? caller.organizationId;
  return (await refusalIn(organizationId)) ?? { organizationId };
}
