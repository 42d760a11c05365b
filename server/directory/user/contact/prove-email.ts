/**
 * The e-mail address of a person by version 2 of the API: set, and verified at once, by a code that is mailed or given to
 * the caller, or not yet. Nothing is mailed that the caller does not ask for.
 */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import type { Transaction } from "../../../storage/database";
import { consumeOneTimeToken, type OneTimeTokenRow } from "../../../storage/one-time-tokens";
import { countPasskeys } from "../../../storage/passkeys";
import type { UserRow } from "../../../storage/users";
import { ADDRESS_PURPOSE, type AddressPayload, makeAddressCode } from "../../mailed-code/address-code";
import { checkPassing } from "../../mailed-code/check-passing";
import type { Passing } from "../../mailed-code/passing";
import { noWorkingCode, openTypedCode } from "../../mailed-code/typed";
import { changeUser, type UserRef } from "../change";
import { provesMailbox } from "../email-trust";
import { readListedUser } from "../list";
import { changePerson } from "../user";

export interface WantedEmail {
  email: string;
  /** By default another address is not, and the same one is what it was unless a code is made for it. */
  isVerified?: boolean;
  /** Undefined: no code is made. */
  passing?: Passing;
}

/** The code for the caller to pass on; undefined if it was mailed, or none was made. */
export interface Proving {
  code: string | undefined;
}

/** Sets the address. */
export async function setEmail(
  ctx: Context,
  ref: UserRef,
  wanted: WantedEmail,
  origin: Origin,
): Promise<Proving | ApiError> {
  const refusal = await checkPassing(ctx, ref, { email: { passing: undefined, ...wanted } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, (tx, stored) =>
    setEmailIn(ctx, tx, stored, wanted, origin),
  );
}

/** The same within a transaction of `changeUser`; `checkPassing` is asked before. */
export async function setEmailIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { email, passing, ...wanted }: WantedEmail,
  origin: Origin,
): Promise<Proving> {
  const isVerified = wanted.isVerified ?? (!passing && email === stored.email && Boolean(stored.isEmailVerified));
  await changePerson(ctx, tx, stored, { email, isEmailVerified: isVerified }, origin);
  if (!passing) return { code: undefined };
  return makeCode(ctx, tx, { ...stored, email, isEmailVerified: isVerified }, { email, passing }, origin);
}

/** Another code for the address that waits to be verified. */
export async function proveEmailAgain(
  ctx: Context,
  ref: UserRef,
  passing: Passing,
  origin: Origin,
): Promise<Proving | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { email } = person;
  if (email === null || person.isEmailVerified) return nothingToVerify();
  const refusal = await checkPassing(ctx, ref, { email: { email, passing } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    if (stored.email !== email || stored.isEmailVerified) return nothingToVerify();
    return makeCode(ctx, tx, stored, { email, passing }, origin);
  });
}

async function makeCode(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  wanted: { email: string; passing: Passing },
  origin: Origin,
): Promise<Proving> {
  const cannotSignIn = stored.passwordHash === null && (await countPasskeys(tx, stored.id)) === 0;
  const { code } = await makeAddressCode(ctx, tx, stored, { ...wanted, cannotSignIn }, origin);
  return { code: wanted.passing.by === "caller" ? code : undefined };
}

/** Verifies the address by the code that the person has typed into a page of the caller's. */
export async function verifyEmailByCode(
  ctx: Context,
  ref: UserRef,
  code: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const opened = await openTypedCode<AddressPayload>(ctx, ADDRESS_PURPOSE, person.id, code);
  if (isApiError(opened)) return opened;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) =>
    (await confirmAddressIn(ctx, tx, stored, opened, origin)) ? undefined : noWorkingCode(),
  );
}

/**
 * Uses the code up: from now on the address that it was sent to is the person's, and verified.
 * @returns false if it was used meanwhile, or the person's address has changed since
 */
export async function confirmAddressIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { digest, payload, createdAt }: OneTimeTokenRow<AddressPayload>,
  origin: Origin,
): Promise<boolean> {
  if (!(await consumeOneTimeToken(tx, digest, ADDRESS_PURPOSE, ctx.clock()))) return false;
  if (stored.email !== payload.current) return false;
  // One that was passed on is worth the word of whoever enters it.
  const isEmailTrusted = payload.passedOn ? undefined : await provesMailbox(tx, stored.organizationId, createdAt);
  await changePerson(ctx, tx, stored, { email: payload.email, isEmailVerified: true, isEmailTrusted }, origin);
  return true;
}

const nothingToVerify = () =>
  failedPrecondition("user.nothing_to_verify", "The person has no email address that is waiting to be verified.");
