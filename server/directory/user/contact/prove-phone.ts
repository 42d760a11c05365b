/**
 * The phone number of a user: set and either verified at once, verified later with a code that is sent to it or passed
 * on by the caller, or left unverified.
 */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import type { Transaction } from "../../../storage/database";
import { consumeOneTimeToken } from "../../../storage/user/one-time-tokens";
import type { UserRow } from "../../../storage/user/user";
import { limits } from "../../../throttle";
import { checkDelivery } from "../../mailed-code/check-delivery";
import type { PhoneCodeDelivery } from "../../mailed-code/delivery";
import { makePhoneCode, PHONE_PURPOSE, type PhonePayload } from "../../mailed-code/phone-code";
import { noWorkingCode, openTypedCode } from "../../mailed-code/typed";
import { changeUser, type UserRef } from "../change";
import { readListedUser } from "../list";
import { changePerson } from "../user";
import type { Proving } from "./prove-email";

export interface WantedPhone {
  phone: string;
  /** By default a new number is unverified, and an unchanged one keeps its state unless a code is made for it. */
  isVerified?: boolean;
  /** Undefined if no code is to be made. */
  delivery?: PhoneCodeDelivery;
}

/** Sets the number. */
export async function setPhone(
  ctx: Context,
  ref: UserRef,
  wanted: WantedPhone,
  origin: Origin,
): Promise<Proving | ApiError> {
  const refusal = await checkDelivery(ctx, ref, { phone: { delivery: undefined, ...wanted } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, (tx, stored) =>
    setPhoneIn(ctx, tx, stored, wanted, origin),
  );
}

/** Sets the number within a transaction of `changeUser`. The caller has called `checkDelivery`. */
export async function setPhoneIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { phone, delivery, ...wanted }: WantedPhone,
  origin: Origin,
): Promise<Proving> {
  const isVerified = wanted.isVerified ?? (!delivery && phone === stored.phone && Boolean(stored.isPhoneVerified));
  await changePerson(ctx, tx, stored, { phone, isPhoneVerified: isVerified }, origin);
  return { code: delivery && (await makePhoneCode(ctx, tx, stored, { phone, delivery }, origin)) };
}

/** Changes the number; unless it is verified, a code is sent to it. */
export async function changePhone(
  ctx: Context,
  ref: UserRef,
  { phone, isPhoneVerified = false }: { phone: string; isPhoneVerified?: boolean },
  origin: Origin,
): Promise<undefined | ApiError> {
  const delivery: PhoneCodeDelivery | undefined = isPhoneVerified ? undefined : { by: "sms" };
  const set = await setPhone(ctx, ref, { phone, isVerified: isPhoneVerified, delivery }, origin);
  return isApiError(set) ? set : undefined;
}

/** Changes a number on behalf of its owner: a new one is unverified and gets a code. */
export async function changeOwnPhone(
  ctx: Context,
  ref: UserRef,
  phone: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  return person.phone === phone ? undefined : changePhone(ctx, ref, { phone }, origin);
}

/** Sends the code for an unverified number again. */
export async function resendPhoneCode(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  const sent = await provePhoneAgain(ctx, ref, { by: "sms" }, origin);
  return isApiError(sent) ? sent : undefined;
}

/** Makes another code for a number that is not verified yet. */
export async function provePhoneAgain(
  ctx: Context,
  ref: UserRef,
  delivery: PhoneCodeDelivery,
  origin: Origin,
): Promise<Proving | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { phone } = person;
  if (phone === null || person.isPhoneVerified) return nothingToVerify();
  const refusal = await checkDelivery(ctx, ref, { phone: { phone, delivery } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    if (stored.phone !== phone || stored.isPhoneVerified) return nothingToVerify();
    return { code: await makePhoneCode(ctx, tx, stored, { phone, delivery }, origin) };
  });
}

const nothingToVerify = () =>
  failedPrecondition("user.nothing_to_verify", "The person has no phone number that is waiting to be verified.");

/** Verifies the number with the code that the user has typed into a page of the API caller. */
export async function verifyPhoneByCode(
  ctx: Context,
  ref: UserRef,
  code: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const row = await openTypedCode<PhonePayload>(ctx, PHONE_PURPOSE, person.id, code, limits.textedCode);
  if (isApiError(row)) return row;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    const { phone, isChange = false } = row.payload;
    if (stored.phone !== phone && !isChange) return noWorkingCode();
    if (!(await consumeOneTimeToken(tx, row.digest, PHONE_PURPOSE, ctx.clock()))) return noWorkingCode();
    await changePerson(ctx, tx, stored, { phone, isPhoneVerified: true }, origin);
    return undefined;
  });
}
