/** Reads single users and machines for administrators. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { findOrganizationOf, findShownUser, findShownUserByName, type ShownUser } from "../../storage/user/list";
import { comparableLoginName } from "../names";
import { noSuchUser } from "../not-found";
import { type UserRef, wrongUserKind } from "./change";

export type ListedUser = ShownUser;

/** Returns a user of the organization, of the requested kind. */
export async function readListedUser(
  ctx: Context,
  { userId, organizationId, kind }: UserRef,
): Promise<ListedUser | ApiError> {
  const user = await findShownUser(ctx.db, userId, organizationId);
  if (!user) return noSuchUser();
  return kind === undefined || user.kind === kind ? user : wrongUserKind(kind);
}

export async function readListedUserAnywhere(ctx: Context, userId: string): Promise<ListedUser | ApiError> {
  return (await findShownUser(ctx.db, userId)) ?? noSuchUser();
}

/** Returns the user of the organization with exactly this login name. */
export async function readListedUserNamed(
  ctx: Context,
  { organizationId, loginName }: { organizationId: string; loginName: string },
): Promise<ListedUser | ApiError> {
  return (await findShownUserByName(ctx.db, organizationId, comparableLoginName(loginName))) ?? noSuchUser();
}

/** Returns the organization of a user; undefined if there is no such user. */
export function findOwnerOfUser(ctx: Context, userId: string): Promise<string | undefined> {
  return findOrganizationOf(ctx.db, userId);
}
