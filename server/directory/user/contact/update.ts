/**
 * Changes a user in version 2 of the API: all given fields or none. Omitted fields and the state of the account are
 * kept.
 */

import type { ChangeContext, OriginContext } from "../../../events/record";
import { type ApiError, isApiError } from "../../../protocol/api-error";
import { readUser, type UserRow } from "../../../storage/user/user";
import { type ContactChannel, emailContact, phoneContact } from "../../mailed-code/contact-code";
import { checkDelivery } from "../../mailed-code/delivery";
import { noSuchUser } from "../../not-found";
import { changeUser, type UserRef } from "../change";
import { displayNameAfter } from "../display-name";
import { renameUserIn } from "../rename";
import { resetWrongPasswords } from "../reset-wrong-passwords";
import { preparePassword, setPreparedPasswordIn, type WantedPassword } from "../set-password";
import { changePerson } from "../user";
import type { Profile } from "./change";
import { setContactIn, type WantedContact } from "./prove";

export interface PersonUpdate {
  userName?: string;
  profile?: Partial<Profile>;
  email?: WantedContact;
  phone?: WantedContact;
  password?: WantedPassword;
}

/** The codes for the caller to pass on. */
export interface UpdateCodes {
  emailCode: string | undefined;
  phoneCode: string | undefined;
}

type ContactChange = (ctx: ChangeContext, stored: UserRow) => Promise<ApiError | undefined>;

export async function updatePerson(
  ctx: OriginContext,
  ref: UserRef,
  { userName, profile, email, phone, password }: PersonUpdate,
): Promise<UpdateCodes | ApiError> {
  const codes = [email, phone].map((wanted) => wanted && { to: wanted.value, delivery: wanted.delivery });
  const refusal = await checkDelivery(ctx, ref, ...codes);
  if (refusal) return refusal;
  const prepared = password && (await preparePassword(ctx, ref, password));
  if (isApiError(prepared)) return prepared;
  const made: UpdateCodes = { emailCode: undefined, phoneCode: undefined };
  const set = (channel: ContactChannel, wanted: WantedContact | undefined, code: keyof UpdateCodes) =>
    wanted &&
    (async (ctx: ChangeContext, stored: UserRow) => {
      made[code] = (await setContactIn(ctx, channel, stored, wanted)).code;
      return undefined;
    });
  const steps: (ContactChange | undefined)[] = [
    // The password comes first, because its code is void once the address has changed.
    prepared && ((ctx, stored) => setPreparedPasswordIn(ctx, stored, prepared)),
    userName === undefined ? undefined : (ctx, stored) => renameUserIn(ctx, stored, userName),
    profile &&
      (async (ctx, stored) => {
        await changePerson(ctx, stored, { ...profile, displayName: displayNameAfter(stored, profile) });
        return undefined;
      }),
    set(emailContact, email, "emailCode"),
    set(phoneContact, phone, "phoneCode"),
  ];
  const outcome = await changeUser(ctx, { ...ref, kind: "human" }, async (ctx, { id }) => {
    for (const step of steps) {
      // Each step reads the changes of the steps before it.
      const stored = step && (await readUser(ctx.tx, id));
      if (step && !stored) return noSuchUser();
      const refused = step && stored && (await step(ctx, stored));
      if (refused) return refused;
    }
    return made;
  });
  if (prepared && !isApiError(outcome)) await resetWrongPasswords(ctx, ref.userId);
  return outcome;
}
