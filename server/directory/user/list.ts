/** Single people and machines as administrators see them. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { findOrganizationOf, findShownUser, findShownUserByName, type ShownUser } from "../../storage/user-list";
import { comparableLoginName } from "../names";
import { noSuchUser } from "../not-found";
import { type UserRef, wrongUserKind } from "./change";

export type ListedUser = ShownUser;

/** A user of the organization, of the kind that is asked for. */
export async function readListedUser(
  ctx: Context,
  { userId, organizationId, kind }: UserRef,
): Promise<ListedUser | ApiError> {
  const user = await findShownUser(ctx.db, userId, organizationId);
  if (!user) return noSuchUser();
  return kind === undefined || user.kind === kind ? user : wrongUserKind(kind);
}

/** A user of any organization. */
export async function readListedUserAnywhere(ctx: Context, userId: string): Promise<ListedUser | ApiError> {
  return (await findShownUser(ctx.db, userId)) ?? noSuchUser();
}

/** The user of the organization with exactly this login name. */
export async function readListedUserNamed(
  ctx: Context,
  { organizationId, loginName }: { organizationId: string; loginName: string },
): Promise<ListedUser | ApiError> {
  return (await findShownUserByName(ctx.db, organizationId, comparableLoginName(loginName))) ?? noSuchUser();
}

/** Whose user it is; undefined if there is no such user. */
export function findOwnerOfUser(ctx: Context, userId: string): Promise<string | undefined> {
  return findOrganizationOf(ctx.db, userId);
}
