/**
 * The phone number of a person: set, and verified at once, by a code that is sent there or that the caller passes on, or
 * not yet.
 */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import type { Transaction } from "../../../storage/database";
import { consumeOneTimeToken } from "../../../storage/one-time-tokens";
import type { UserRow } from "../../../storage/users";
import { limits } from "../../../throttle";
import { checkPassing } from "../../mailed-code/check-passing";
import type { PassingToPhone } from "../../mailed-code/passing";
import { makePhoneCode, PHONE_PURPOSE, type PhonePayload } from "../../mailed-code/phone-code";
import { noWorkingCode, openTypedCode } from "../../mailed-code/typed";
import { changeUser, type UserRef } from "../change";
import { readListedUser } from "../list";
import { changePerson } from "../user";
import type { Proving } from "./prove-email";

export interface WantedPhone {
  phone: string;
  /** By default another number is not, and the same one is what it was unless a code is made for it. */
  isVerified?: boolean;
  /** Undefined: no code is made. */
  passing?: PassingToPhone;
}

/** Sets the number. */
export async function setPhone(
  ctx: Context,
  ref: UserRef,
  wanted: WantedPhone,
  origin: Origin,
): Promise<Proving | ApiError> {
  const refusal = await checkPassing(ctx, ref, { phone: { passing: undefined, ...wanted } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, (tx, stored) =>
    setPhoneIn(ctx, tx, stored, wanted, origin),
  );
}

/** The same within a transaction of `changeUser`; `checkPassing` is asked before. */
export async function setPhoneIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { phone, passing, ...wanted }: WantedPhone,
  origin: Origin,
): Promise<Proving> {
  const isVerified = wanted.isVerified ?? (!passing && phone === stored.phone && Boolean(stored.isPhoneVerified));
  await changePerson(ctx, tx, stored, { phone, isPhoneVerified: isVerified }, origin);
  return { code: passing && (await makePhoneCode(ctx, tx, stored, { phone, passing }, origin)) };
}

/** Changes the number; unless it is verified, a code is sent there. */
export async function changePhone(
  ctx: Context,
  ref: UserRef,
  { phone, isPhoneVerified = false }: { phone: string; isPhoneVerified?: boolean },
  origin: Origin,
): Promise<undefined | ApiError> {
  const passing: PassingToPhone | undefined = isPhoneVerified ? undefined : { by: "sms" };
  const set = await setPhone(ctx, ref, { phone, isVerified: isPhoneVerified, passing }, origin);
  return isApiError(set) ? set : undefined;
}

/** Changes a number as its owner may: another one is not verified by that, and gets a code. */
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

/** Sends the code for a number that is not verified again. */
export async function resendPhoneCode(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  const sent = await provePhoneAgain(ctx, ref, { by: "sms" }, origin);
  return isApiError(sent) ? sent : undefined;
}

/** Another code for the number that waits to be verified. */
export async function provePhoneAgain(
  ctx: Context,
  ref: UserRef,
  passing: PassingToPhone,
  origin: Origin,
): Promise<Proving | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { phone } = person;
  if (phone === null || person.isPhoneVerified) return nothingToVerify();
  const refusal = await checkPassing(ctx, ref, { phone: { phone, passing } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    if (stored.phone !== phone || stored.isPhoneVerified) return nothingToVerify();
    return { code: await makePhoneCode(ctx, tx, stored, { phone, passing }, origin) };
  });
}

const nothingToVerify = () =>
  failedPrecondition("user.nothing_to_verify", "The person has no phone number that is waiting to be verified.");

/** Verifies the number by the code that the person has typed into a page of the caller's. */
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
