/** The credentials of a user, as administrators see, set and remove them. */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../../protocol/api-error";
import { isSentKind } from "../../protocol/second-factor";
import { listPasskeys, type PasskeyRow } from "../../storage/factor/passkeys";
import { type FactorRow, listFactors, listRecoveryCodes } from "../../storage/factor/second-factors";
import { changeUser, type UserRef } from "./change";
import { type ListedUser, readListedUser } from "./list";
import { removePasskey } from "./passkey";
import { setPasswordIn } from "./password";
import { createRecoveryCodes, removeRecoveryCodes } from "./recovery-codes";
import { resetWrongPasswords } from "./reset-wrong-passwords";
import { removeFactor, sentFactorId, skipSecondFactor } from "./second-factor";
import { checkGivenPassword } from "./set-password";

export type ListedFactor = Pick<FactorRow, "id" | "kind" | "name" | "createdAt" | "usedAt">;
export type ListedPasskey = Pick<
  PasskeyRow,
  "id" | "name" | "isMultiDevice" | "isBackedUp" | "isUserVerified" | "createdAt" | "usedAt"
>;

/** The methods with which a user can authenticate. */
export interface AuthenticationMethods {
  hasPassword: boolean;
  passkeys: readonly ListedPasskey[];
  factors: readonly ListedFactor[];
  hasRecoveryCodes: boolean;
}

const findPerson = (ctx: Context, ref: UserRef) => readListedUser(ctx, { ...ref, kind: "human" });

/**
 * Sets a password that an administrator chose, and ends all earlier sessions.
 * @param wanted.password plain text that `checkPassword` accepted
 */
export async function setPassword(
  ctx: Context,
  ref: UserRef,
  { password, changeRequired }: { password: string; changeRequired: boolean },
  origin: Origin,
): Promise<undefined | ApiError> {
  const person = await findPerson(ctx, ref);
  if (isApiError(person)) return person;
  const refusal = await checkGivenPassword(ctx, person.organizationId, password);
  if (refusal) return refusal;
  const newHash = await hashGivenPassword(password);
  const outcome = await changeUser(ctx, { ...ref, kind: "human" }, origin, (tx, { id: userId }) =>
    setPasswordIn(ctx, tx, { userId, newHash, origin, changeRequired }),
  );
  if (isApiError(outcome)) return outcome;
  await resetWrongPasswords(ctx, person.id);
  return undefined;
}

export async function readAuthenticationMethods(ctx: Context, ref: UserRef): Promise<AuthenticationMethods | ApiError> {
  const person = await findPerson(ctx, ref);
  if (isApiError(person)) return person;
  const [passkeys, factors, codes] = await Promise.all([
    listPasskeys(ctx.db, person.id),
    listFactors(ctx.db, person.id),
    listRecoveryCodes(ctx.db, person.id),
  ]);
  return { hasPassword: person.passwordChangedAt !== null, passkeys, factors, hasRecoveryCodes: codes.length > 0 };
}

/** Lists a user's second factors, oldest first. The id of a factor whose codes are sent is its kind. */
export async function listFactorsOf(ctx: Context, ref: UserRef): Promise<ListedFactor[] | ApiError> {
  const person = await findPerson(ctx, ref);
  if (isApiError(person)) return person;
  const factors = await listFactors(ctx.db, person.id);
  return factors.map((factor) => ({ ...factor, id: isSentKind(factor.kind) ? factor.kind : factor.id }));
}

/**
 * Removes a second factor.
 * @param factorId as listed
 */
export function removeFactorOf(
  ctx: Context,
  ref: UserRef,
  factorId: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  const id = isSentKind(factorId) ? sentFactorId(factorId, ref.userId) : factorId;
  return takeAway(ctx, ref, "factor", (person) => removeFactor(ctx, person, id, origin));
}

/** Lists a user's passkeys, oldest first. */
export async function listPasskeysOf(ctx: Context, ref: UserRef): Promise<ListedPasskey[] | ApiError> {
  const person = await findPerson(ctx, ref);
  return isApiError(person) ? person : listPasskeys(ctx.db, person.id);
}

export function removePasskeyOf(
  ctx: Context,
  ref: UserRef,
  passkeyId: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  return takeAway(ctx, ref, "passkey", (person) => removePasskey(ctx, person, passkeyId, origin));
}

export function removeRecoveryCodesOf(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  return takeAway(ctx, ref, "recovery codes", (person) => removeRecoveryCodes(ctx, person, origin));
}

/** Replaces a user's recovery codes. Without a factor that they could replace, there are none. */
export async function renewRecoveryCodesOf(ctx: Context, ref: UserRef, origin: Origin): Promise<string[] | ApiError> {
  const methods = await readAuthenticationMethods(ctx, ref);
  if (isApiError(methods)) return methods;
  if (methods.factors.length + methods.passkeys.length === 0) {
    return failedPrecondition("recovery_codes.no_factor", "The user has no second factor that they could replace.");
  }
  return changeUser(ctx, ref, origin, (tx, user) => createRecoveryCodes(ctx, tx, user, origin));
}

/** Records that the user chose not to set up a second factor now. */
export async function noteFactorSkipped(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  const person = await findPerson(ctx, ref);
  return isApiError(person) ? person : skipSecondFactor(ctx, person, origin).then(() => undefined);
}

async function takeAway(
  ctx: Context,
  ref: UserRef,
  what: string,
  remove: (person: ListedUser) => Promise<boolean>,
): Promise<undefined | ApiError> {
  const person = await findPerson(ctx, ref);
  if (isApiError(person)) return person;
  if (await remove(person)) return undefined;
  return notFound("credential.not_found", `The user has no such ${what}.`);
}
