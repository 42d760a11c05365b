/** Using a code that lets a person choose a password, on our own page or by version 2 of the API. */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { consumeOneTimeToken, type OneTimeTokenRow } from "../../storage/one-time-tokens";
import type { UserRow } from "../../storage/users";
import { isSameDestination, type StoredReset } from "../mailed-code/reset-code";
import { provesMailbox } from "./email-trust";
import { setPasswordIn } from "./password";
import { changePerson, type SignInUser } from "./user";

/**
 * Whether the code still lets this person choose: it is for the address or number they have; the
 * address may be unverified if invited.
 */
export function isForPerson(payload: StoredReset, person: SignInUser): boolean {
  if (!person.mayAuthenticate || !isSameDestination(payload, person)) return false;
  return Boolean(person.isEmailVerified) || payload.invitation !== undefined || payload.phone !== undefined;
}

/**
 * Uses the code up and sets the password, within a transaction of `changeDirectory`; everything signed in before ends.
 * @returns undefined if it was used meanwhile, or the person's address has changed since
 */
export async function redeemResetCode(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  row: OneTimeTokenRow<StoredReset>,
  { newHash, origin, changeRequired = false }: { newHash: string; origin: Origin; changeRequired?: boolean },
): Promise<Details | undefined> {
  if (!(await consumeOneTimeToken(tx, row.digest, "password_reset", ctx.clock()))) return undefined;
  if (!isSameDestination(row.payload, stored)) return undefined;
  const details = await setPasswordIn(ctx, tx, { userId: stored.id, newHash, origin, changeRequired });
  await proveInvitedIn(ctx, tx, stored, row, origin);
  return details;
}

/** An invitation that came by mail shows that the person reads it. */
export async function proveInvitedIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { payload, createdAt }: OneTimeTokenRow<StoredReset>,
  origin: Origin,
): Promise<void> {
  if (!payload.invitation?.provesEmail) return;
  const isEmailTrusted = payload.passedOn ? undefined : await provesMailbox(tx, stored.organizationId, createdAt);
  await changePerson(ctx, tx, stored, { isEmailVerified: true, isEmailTrusted }, origin);
}
