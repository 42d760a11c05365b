/**
 * Changes a password. The hash, the end of all sessions, the event and the message to the user are written in one
 * transaction: no stolen session survives the change, and the change cannot go unnoticed (ASVS 7.4.3, 6.3.7).
 */
import { type ChangeContext, type Details, type OriginContext, recordIn } from "../../events/record";
import { readUser, updateUser } from "../../storage/user/user";
import { changeDirectory } from "../change";
import { noticesTo } from "./notices";

export interface PasswordChange {
  userId: string;
  /** argon2id in PHC format, of a password that `checkPassword` accepted. */
  newHash: string;
  /** Keeps sessions and tokens valid, because the user knew the old password and requested that. */
  keepSessions?: boolean;
}

/**
 * Sets a new password; earlier sessions, grants and tokens become invalid.
 * @returns undefined if there is no such user
 */
export function changePassword(ctx: OriginContext, change: PasswordChange): Promise<Details | undefined> {
  return changeDirectory(ctx, (ctx) => changePasswordIn(ctx, change));
}

/** Changes a password within the caller's transaction, which must be run by `changeDirectory`. */
async function changePasswordIn(
  ctx: ChangeContext,
  { userId, newHash, keepSessions = false }: PasswordChange,
): Promise<Details | undefined> {
  const user = await readUser(ctx.tx, userId);
  if (user?.kind !== "human") return undefined;
  return recordIn(ctx, {
    type: "user.password.changed",
    object: { id: userId, organizationId: user.organizationId },
    async state(_, now) {
      const changes = { passwordHash: newHash, passwordChangedAt: now, passwordChangeRequired: false };
      await updateUser(ctx.tx, userId, keepSessions ? changes : { ...changes, validFrom: now }, now);
      return { messages: await noticesTo(ctx, user, "passwordChange", { at: now }) };
    },
  });
}

/** Sets a password chosen by someone else, which the user must change at the next sign-in if `changeRequired`. */
export async function setPasswordIn(
  ctx: ChangeContext,
  change: Omit<PasswordChange, "keepSessions"> & { changeRequired: boolean },
): Promise<Details | undefined> {
  const { userId, changeRequired } = change;
  const details = await changePasswordIn(ctx, change);
  if (!details || !changeRequired) return details;
  return recordIn(ctx, {
    type: "user.password.change_required",
    object: { id: userId, organizationId: details.resourceOwner },
    async state(_, now) {
      await updateUser(ctx.tx, userId, { passwordChangeRequired: true }, now);
      return {};
    },
  });
}
