/** Renames users and machines, and checks whether a name is free. */
import type { Context } from "../../context";
import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
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
  return !isApiError(await freeLoginName({ ...ctx, tx: ctx.db.prisma }, organization, userName));
}

/** Renames a user; a machine authenticates with the new name from then on. */
export function renameUser(ctx: OriginContext, ref: UserRef, userName: string): Promise<undefined | ApiError> {
  return changeUser(ctx, ref, (ctx, stored) => renameUserIn(ctx, stored, userName));
}

/** Renames a user within a transaction of `changeDirectory`. */
export async function renameUserIn(
  ctx: ChangeContext,
  stored: UserRow,
  userName: string,
): Promise<ApiError | undefined> {
  const organization = await readOrganization(ctx.tx, stored.organizationId);
  if (!organization) return noSuchOrganization();
  const loginName = await freeLoginName(ctx, organization, userName, stored.id);
  if (isApiError(loginName)) return loginName;
  if (stored.kind === "human") {
    await changePerson(ctx, stored, { loginName });
    return undefined;
  }
  const claimed = await claimMachineName(ctx, stored, loginName);
  if (isApiError(claimed)) return claimed;
  await changeMachine(ctx, stored, { loginName: claimed });
  return undefined;
}
