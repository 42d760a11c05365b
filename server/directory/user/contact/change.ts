/** Changes of a user's profile, email address and phone number by an administrator. */

import { composeName } from "../../../../messages/person-name";
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import type { ApiError } from "../../../protocol/api-error";
import type { UserRow } from "../../../storage/user/user";
import { sendAddressCode } from "../../mailed-code/address-code";
import { countMailTo } from "../../mailed-code/mail-limit";
import { changeUser, type UserRef } from "../change";
import { changePerson, type PersonFields } from "../user";

export interface Profile {
  firstName: string;
  lastName: string;
  nickName?: string | null;
  /** Composed of the names by default. */
  displayName?: string | null;
  preferredLanguage?: string | null;
  gender?: PersonFields["gender"];
}

/** Replaces the whole profile: omitted fields are cleared. */
export function replaceProfile(
  ctx: Context,
  ref: UserRef,
  { firstName, lastName, nickName = null, displayName, preferredLanguage = null, gender = null }: Profile,
  origin: Origin,
): Promise<undefined | ApiError> {
  const profile = { firstName, lastName, nickName, preferredLanguage, gender };
  const fields = { ...profile, displayName: displayName ?? composeName(profile) };
  return changeFields(ctx, ref, () => fields, origin);
}

/** Changes the address; unless it is verified, a code is mailed to it. */
export async function changeEmail(
  ctx: Context,
  ref: UserRef,
  { email, isEmailVerified = false }: { email: string; isEmailVerified?: boolean },
  origin: Origin,
): Promise<undefined | ApiError> {
  const tooMany = isEmailVerified ? undefined : await countMailTo(ctx, email);
  if (tooMany) return tooMany;
  const refusal = await changeFields(ctx, ref, () => ({ email, isEmailVerified }), origin);
  if (refusal || isEmailVerified) return refusal;
  const { userId: id, organizationId } = ref;
  await sendAddressCode(ctx, { id, organizationId, email, isEmailVerified }, email, origin);
  return undefined;
}

/** Marks the address as verified, if there is one. */
export function verifyEmail(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, ({ email }) => (email === null ? {} : { isEmailVerified: true }), origin);
}

/** Marks the phone number as verified, if there is one. */
export function verifyPhone(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, ({ phone }) => (phone === null ? {} : { isPhoneVerified: true }), origin);
}

export function removePhone(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, () => ({ phone: null, isPhoneVerified: false }), origin);
}

/** Changes the fields that differ from the stored ones. */
function changeFields(
  ctx: Context,
  ref: UserRef,
  fieldsOf: (stored: UserRow) => PersonFields,
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    await changePerson(ctx, tx, stored, fieldsOf(stored), origin);
    return undefined;
  });
}
