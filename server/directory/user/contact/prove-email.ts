/**
 * The email address of a user in version 2 of the API: set and either verified at once, verified later with a code that
 * is mailed or returned to the caller, or left unverified. Only mails that the caller requests are sent.
 */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import type { Transaction } from "../../../storage/database";
import { countPasskeys } from "../../../storage/factor/passkeys";
import { consumeOneTimeToken, type OneTimeTokenRow } from "../../../storage/user/one-time-tokens";
import type { UserRow } from "../../../storage/user/user";
import { ADDRESS_PURPOSE, type AddressPayload, makeAddressCode } from "../../mailed-code/address-code";
import { checkDelivery } from "../../mailed-code/check-delivery";
import type { CodeDelivery } from "../../mailed-code/delivery";
import { noWorkingCode, openTypedCode } from "../../mailed-code/typed";
import { changeUser, type UserRef } from "../change";
import { provesMailbox } from "../email-trust";
import { readListedUser } from "../list";
import { changePerson } from "../user";

export interface WantedEmail {
  email: string;
  /** By default a new address is unverified, and an unchanged one keeps its state unless a code is made for it. */
  isVerified?: boolean;
  /** Undefined if no code is to be made. */
  delivery?: CodeDelivery;
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
  const refusal = await checkDelivery(ctx, ref, { email: { delivery: undefined, ...wanted } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, (tx, stored) =>
    setEmailIn(ctx, tx, stored, wanted, origin),
  );
}

/** Sets the address within a transaction of `changeUser`. The caller has called `checkDelivery`. */
export async function setEmailIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { email, delivery, ...wanted }: WantedEmail,
  origin: Origin,
): Promise<Proving> {
  const isVerified = wanted.isVerified ?? (!delivery && email === stored.email && Boolean(stored.isEmailVerified));
  await changePerson(ctx, tx, stored, { email, isEmailVerified: isVerified }, origin);
  if (!delivery) return { code: undefined };
  return makeCode(ctx, tx, { ...stored, email, isEmailVerified: isVerified }, { email, delivery }, origin);
}

/** Makes another code for an address that is not verified yet. */
export async function proveEmailAgain(
  ctx: Context,
  ref: UserRef,
  delivery: CodeDelivery,
  origin: Origin,
): Promise<Proving | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { email } = person;
  if (email === null || person.isEmailVerified) return nothingToVerify();
  const refusal = await checkDelivery(ctx, ref, { email: { email, delivery } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    if (stored.email !== email || stored.isEmailVerified) return nothingToVerify();
    return makeCode(ctx, tx, stored, { email, delivery }, origin);
  });
}

async function makeCode(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  wanted: { email: string; delivery: CodeDelivery },
  origin: Origin,
): Promise<Proving> {
  const cannotSignIn = stored.passwordHash === null && (await countPasskeys(tx, stored.id)) === 0;
  const { code } = await makeAddressCode(ctx, tx, stored, { ...wanted, cannotSignIn }, origin);
  return { code: wanted.delivery.by === "caller" ? code : undefined };
}

/** Verifies the address with the code that the user has typed into a page of the API caller. */
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
 * Consumes the code: the address that it was sent to becomes the user's verified address.
 * @returns false if the code was used meanwhile, or the user's address has changed since
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
  // A code that was passed on is only as trustworthy as the caller who submits it.
  const isEmailTrusted = payload.passedOn ? undefined : await provesMailbox(tx, stored.organizationId, createdAt);
  await changePerson(ctx, tx, stored, { email: payload.email, isEmailVerified: true, isEmailTrusted }, origin);
  return true;
}

const nothingToVerify = () =>
  failedPrecondition("user.nothing_to_verify", "The person has no email address that is waiting to be verified.");
