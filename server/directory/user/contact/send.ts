/** Mails that an administrator sends to a user: a code for the address, or a link to choose a password. */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import { sendAddressCode } from "../../mailed-code/address-code";
import { makeFirstLink } from "../../mailed-code/first-link";
import { countInvitations, countMailTo } from "../../mailed-code/mail-limit";
import { noSuchUser } from "../../not-found";
import { changeUser, type UserRef } from "../change";
import { changePerson, findUser, type SignInUser } from "../user";
import { askForPassword } from "./ask-for-password";

/** Sends the code for an unverified address again. */
export async function resendAddressCode(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  const person = await findAddressee(ctx, ref);
  if (isApiError(person)) return person;
  const { email } = person;
  if (email === null || person.isEmailVerified) {
    return failedPrecondition(
      "user.nothing_to_verify",
      "The person has no email address that is waiting to be verified.",
    );
  }
  const tooMany = await countMailTo(ctx, email);
  if (tooMany) return tooMany;
  await sendAddressCode(ctx, person, email, origin);
  return undefined;
}

/** Sends a link to choose a new password. */
export async function sendPasswordReset(ctx: Context, ref: UserRef, origin: Origin): Promise<undefined | ApiError> {
  const sent = await askForPassword(ctx, ref, { by: "mail" }, origin);
  return isApiError(sent) ? sent : undefined;
}

/**
 * Sends the invitation to a user without a password again.
 * @param wanted.email an address that replaces the stored one
 */
export async function resendInvitation(
  ctx: Context,
  ref: UserRef,
  wanted: { email?: string },
  origin: Origin,
): Promise<undefined | ApiError> {
  const person = await findAddressee(ctx, ref);
  if (isApiError(person)) return person;
  if (person.passwordHash !== null) {
    return failedPrecondition("user.already_initialized", "The person has a password already.");
  }
  if (!person.mayAuthenticate) return notActive();
  const email = wanted.email ?? person.email;
  if (email === null) return failedPrecondition("user.no_email", "The person has no email address. Add one first.");
  const tooMany = (await countMailTo(ctx, email)) ?? (await countInvitations(ctx, ref.organizationId));
  if (tooMany) return tooMany;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    if (email !== stored.email) await changePerson(ctx, tx, stored, { email, isEmailVerified: false }, origin);
    await makeFirstLink(ctx, tx, { ...stored, email }, { type: "init" }, { delivery: { by: "mail" }, origin });
    return undefined;
  });
}

/** Returns a user of the organization, with the data that a mail needs. */
async function findAddressee(ctx: Context, { userId, organizationId }: UserRef): Promise<SignInUser | ApiError> {
  const user = await findUser(ctx, userId);
  return user?.organizationId === organizationId ? user : noSuchUser();
}

const notActive = () =>
  failedPrecondition("user.not_active", "The person or the organization is not active. Activate it first.");
