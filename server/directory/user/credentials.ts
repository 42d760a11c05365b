/** The credentials of a user, as administrators see, set and remove them. */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { OriginContext } from "../../events/record";
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
  ctx: OriginContext,
  ref: UserRef,
  { password, changeRequired }: { password: string; changeRequired: boolean },
): Promise<undefined | ApiError> {
  const person = await findPerson(ctx, ref);
  if (isApiError(person)) return person;
  const refusal = await checkGivenPassword(ctx, person.organizationId, password);
  if (refusal) return refusal;
  const newHash = await hashGivenPassword(password);
  const outcome = await changeUser(ctx, { ...ref, kind: "human" }, (ctx, { id: userId }) =>
    setPasswordIn(ctx, { userId, newHash, changeRequired }),
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
export function removeFactorOf(ctx: OriginContext, ref: UserRef, factorId: string): Promise<undefined | ApiError> {
  const id = isSentKind(factorId) ? sentFactorId(factorId, ref.userId) : factorId;
  return takeAway(ctx, ref, "factor", (person) => removeFactor(ctx, person, id));
}

/** Lists a user's passkeys, oldest first. */
export async function listPasskeysOf(ctx: Context, ref: UserRef): Promise<ListedPasskey[] | ApiError> {
  const person = await findPerson(ctx, ref);
  return isApiError(person) ? person : listPasskeys(ctx.db, person.id);
}

export function removePasskeyOf(ctx: OriginContext, ref: UserRef, passkeyId: string): Promise<undefined | ApiError> {
  return takeAway(ctx, ref, "passkey", (person) => removePasskey(ctx, person, passkeyId));
}

export function removeRecoveryCodesOf(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  return takeAway(ctx, ref, "recovery codes", (person) => removeRecoveryCodes(ctx, person));
}

/** Replaces a user's recovery codes. Without a factor that they could replace, there are none. */
export async function renewRecoveryCodesOf(ctx: OriginContext, ref: UserRef): Promise<string[] | ApiError> {
  const methods = await readAuthenticationMethods(ctx, ref);
  if (isApiError(methods)) return methods;
  if (methods.factors.length + methods.passkeys.length === 0) {
    return failedPrecondition("recovery_codes.no_factor", "The user has no second factor that they could replace.");
  }
  return changeUser(ctx, ref, (ctx, user) => createRecoveryCodes(ctx, user));
}

/** Records that the user chose not to set up a second factor now. */
export async function noteFactorSkipped(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  const person = await findPerson(ctx, ref);
  return isApiError(person) ? person : skipSecondFactor(ctx, person).then(() => undefined);
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
