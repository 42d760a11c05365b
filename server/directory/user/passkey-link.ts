/** Invites a user to add a passkey, by mail or by a link that the caller passes on. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { type CodeDelivery, checkDelivery } from "../mailed-code/delivery";
import { makePasskeyLink, type PasskeyLink } from "../mailed-code/passkey-link";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";

/** Makes the link. Returns an error for users who may not sign in, and for mails to unverified addresses. */
export async function inviteToPasskey(
  ctx: Context,
  ref: UserRef,
  delivery: CodeDelivery,
  origin: Origin,
): Promise<PasskeyLink | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { email } = person;
  if (delivery.by === "mail" && (email === null || !person.isEmailVerified)) return notVerified();
  const refusal = email === null ? undefined : await checkDelivery(ctx, ref, origin, { to: email, delivery });
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, user) => {
    if (user.state !== "active")
      return failedPrecondition("user.not_active", "The user is not active. Activate the account first.");
    if (delivery.by === "mail" && (user.email !== email || !user.isEmailVerified)) return notVerified();
    return makePasskeyLink(ctx, tx, user, { delivery, origin });
  });
}

const notVerified = () =>
  failedPrecondition(
    "user.no_verified_email",
    "The user has no verified email address to send it to. Verify one first.",
  );
