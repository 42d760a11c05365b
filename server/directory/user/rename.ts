/** Renames users and machines, and checks whether a name is free. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readOrganization } from "../../storage/organization/organization";
import type { UserRow } from "../../storage/user/user";
import { noSuchOrganization } from "../not-found";
import { changeUser, type UserRef } from "./change";
import { claimMachineName, freeLoginName } from "./login-name";
import { changeMachine } from "./machine";
import { changePerson } from "./user";

/** Returns whether the organization may assign this name to a new user. */
export async function isUserNameFree(
  ctx: Context,
  organizationId: string,
  userName: string,
): Promise<boolean | ApiError> {
  const organization = await readOrganization(ctx.db.prisma, organizationId);
  if (!organization) return noSuchOrganization();
  return !isApiError(await freeLoginName(ctx, ctx.db.prisma, organization, userName));
}

/** Renames a user; a machine authenticates with the new name from then on. */
export function renameUser(
  ctx: Context,
  ref: UserRef,
  userName: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, origin, (tx, stored) => renameUserIn(ctx, tx, stored, userName, origin));
}

/** Renames a user within a transaction of `changeDirectory`. */
export async function renameUserIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  userName: string,
  origin: Origin,
): Promise<ApiError | undefined> {
  const organization = await readOrganization(tx, stored.organizationId);
  if (!organization) return noSuchOrganization();
  const loginName = await freeLoginName(ctx, tx, organization, userName, stored.id);
  if (isApiError(loginName)) return loginName;
  if (stored.kind === "human") {
    await changePerson(ctx, tx, stored, { loginName }, origin);
    return undefined;
  }
  const claimed = await claimMachineName(ctx, tx, stored, loginName, origin);
  if (isApiError(claimed)) return claimed;
  await changeMachine(ctx, tx, stored, { loginName: claimed }, origin);
  return undefined;
}
