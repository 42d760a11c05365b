/** Changes of a user's profile, and of an email address or phone number without a code. */

import { composeName } from "../../../../messages/person-name";
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import type { ApiError } from "../../../protocol/api-error";
import type { UserRow } from "../../../storage/user/user";
import { type ContactChannel, phoneContact } from "../../mailed-code/contact-code";
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

/** Marks the address or number as verified, if there is one. */
export function markVerified(
  ctx: Context,
  ref: UserRef,
  { column, columns }: ContactChannel,
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, ({ [column]: value }) => (value === null ? {} : columns(value, true)), origin);
}

export function removePhone(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, () => phoneContact.columns(null, false), origin);
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
