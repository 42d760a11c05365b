/** Redeems codes for choosing a password, on our own page or through version 2 of the API. */
import type { ChangeContext, Details } from "../../events/record";
import { consumeOneTimeToken, type OneTimeTokenRow } from "../../storage/user/one-time-tokens";
import type { UserRow } from "../../storage/user/user";
import { isSameDestination, type StoredReset } from "../mailed-code/reset-code";
import { displayNameAfter } from "./display-name";
import { provesMailbox } from "./email-trust";
import { setPasswordIn } from "./password";
import { changePerson, type SignInUser } from "./user";

/**
 * Returns whether the code still permits this user to choose a password. It must be for the address or number that the
 * user has; the address may be unverified for an invitation.
 */
export function isForPerson(payload: StoredReset, person: SignInUser): boolean {
  if (!person.mayAuthenticate || !isSameDestination(payload, person)) return false;
  return Boolean(person.isEmailVerified) || payload.invitation !== undefined || payload.phone !== undefined;
}

/** The names that an invited user enters. */
export interface OwnNames {
  firstName: string;
  lastName: string;
}

interface NewCredential {
  newHash: string;
  changeRequired?: boolean;
  names?: OwnNames;
}

/**
 * Consumes the code and sets the password, within a transaction of `changeDirectory`; all earlier sessions end.
 * @returns undefined if the code was used meanwhile, or the user's address has changed since
 */
export async function redeemResetCode(
  ctx: ChangeContext,
  stored: UserRow,
  row: OneTimeTokenRow<StoredReset>,
  { newHash, changeRequired = false, names }: NewCredential,
): Promise<Details | undefined> {
  if (!(await consumeOneTimeToken(ctx.tx, row.digest, "password_reset", ctx.clock()))) return undefined;
  if (!isSameDestination(row.payload, stored)) return undefined;
  const details = await setPasswordIn(ctx, { userId: stored.id, newHash, changeRequired });
  await proveInvitedIn(ctx, stored, row, names);
  return details;
}

/** Stores the names, and verifies the address if the invitation was mailed, because the user has then read the mail. */
export async function proveInvitedIn(
  ctx: ChangeContext,
  stored: UserRow,
  { payload, createdAt }: OneTimeTokenRow<StoredReset>,
  names?: OwnNames,
): Promise<void> {
  const named = names && { ...names, displayName: displayNameAfter(stored, names) };
  if (!payload.invitation?.provesEmail) {
    if (named) await changePerson(ctx, stored, named);
    return;
  }
  const isEmailTrusted = payload.passedOn ? undefined : await provesMailbox(ctx.tx, stored.organizationId, createdAt);
  await changePerson(ctx, stored, { ...named, isEmailVerified: true, isEmailTrusted });
}
