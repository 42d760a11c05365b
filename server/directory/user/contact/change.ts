/** Changes of a user's profile, and of an email address or phone number without a code. */

import { composeName } from "../../../../messages/person-name";
import type { OriginContext } from "../../../events/record";
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
  ctx: OriginContext,
  ref: UserRef,
  { firstName, lastName, nickName = null, displayName, preferredLanguage = null, gender = null }: Profile,
): Promise<undefined | ApiError> {
  const profile = { firstName, lastName, nickName, preferredLanguage, gender };
  const fields = { ...profile, displayName: displayName ?? composeName(profile) };
  return changeFields(ctx, ref, () => fields);
}

/** Marks the address or number as verified, if there is one. */
export function markVerified(
  ctx: OriginContext,
  ref: UserRef,
  { column, columns }: ContactChannel,
): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, ({ [column]: value }) => (value === null ? {} : columns(value, true)));
}

export function removePhone(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  return changeFields(ctx, ref, () => phoneContact.columns(null, false));
}

/** Changes the fields that differ from the stored ones. */
function changeFields(
  ctx: OriginContext,
  ref: UserRef,
  fieldsOf: (stored: UserRow) => PersonFields,
): Promise<undefined | ApiError> {
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) => {
    await changePerson(ctx, stored, fieldsOf(stored));
    return undefined;
  });
}
