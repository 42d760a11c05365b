/** Codes and links for choosing a password, sent to the user or returned to the API caller. */
import type { OriginContext } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import { listFactors } from "../../../storage/factor/second-factors";
import { contactChannels } from "../../mailed-code/contact-code";
import { type CodeDelivery, checkDelivery } from "../../mailed-code/delivery";
import { makeFirstLink } from "../../mailed-code/first-link";
import { countInvitations, countMailTo } from "../../mailed-code/mail-limit";
import { makeResetCode, requestedByNobody } from "../../mailed-code/reset-code";
import { noSuchUser } from "../../not-found";
import { findPolicy } from "../../policy/policies";
import { changeUser, type UserRef } from "../change";
import { readListedUser } from "../list";
import { changePerson, findUser, type SignInUser } from "../user";
import type { Proving } from "./prove";

/**
 * Makes a code for choosing a new password. A code is only sent to the verified address or number, and only if the
 * policy permits resets. A number that receives the codes of the second factor cannot be used, because it would then
 * give access to the whole account.
 */
export async function askForPassword(
  ctx: OriginContext,
  ref: UserRef,
  delivery: CodeDelivery,
): Promise<Proving | ApiError> {
  const listed = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(listed)) return listed;
  const person = await findUser(ctx, listed.id);
  if (!person?.mayAuthenticate) return notActive();
  const refusal = delivery.by === "caller" ? undefined : await refuseToSend(ctx, ref, person, delivery);
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) => {
    const { code } = await makeResetCode(ctx, stored, { requested: requestedByNobody(ctx), delivery });
    return { code: delivery.by === "caller" ? code : undefined };
  });
}

async function refuseToSend(
  ctx: OriginContext,
  ref: UserRef,
  person: SignInUser,
  delivery: Exclude<CodeDelivery, { by: "caller" }>,
): Promise<ApiError | undefined> {
  const { column, verified, noun } = contactChannels[delivery.by];
  const to = person[column];
  if (to === null || !person[verified]) {
    return failedPrecondition(`user.${column}_unverified`, `The user has no verified ${noun}. Verify one first.`);
  }
  if ((await findPolicy(ctx, "login", ref.organizationId)).hidePasswordReset) {
    return failedPrecondition(
      "policy.no_reset_by_mail",
      "The login policy does not allow passwords to be reset by email. Set one, or ask for the code to be returned.",
    );
  }
  if (delivery.by === "sms" && (await listFactors(ctx.db, person.id)).some(({ kind }) => kind === "sms")) {
    return failedPrecondition(
      "sms.no_password_reset",
      "The codes of the user's second factor go to this number, so it cannot be used to reset the password as well. Send sendLink or returnCode.",
    );
  }
  return checkDelivery(ctx, ref, { to, delivery });
}

/**
 * Sends the invitation to a user without a password again.
 * @param wanted.email an address that replaces the stored one
 */
export async function resendInvitation(
  ctx: OriginContext,
  ref: UserRef,
  wanted: { email?: string },
): Promise<undefined | ApiError> {
  const person = await findUser(ctx, ref.userId);
  if (person?.organizationId !== ref.organizationId) return noSuchUser();
  if (person.passwordHash !== null) {
    return failedPrecondition("user.already_initialized", "The user has a password already.");
  }
  if (!person.mayAuthenticate) return notActive();
  const email = wanted.email ?? person.email;
  if (email === null) return failedPrecondition("user.no_email", "The user has no email address. Add one first.");
  const tooMany = (await countMailTo(ctx, email)) ?? (await countInvitations(ctx, ref.organizationId));
  if (tooMany) return tooMany;
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) => {
    if (email !== stored.email) await changePerson(ctx, stored, { email, isEmailVerified: false });
    await makeFirstLink(ctx, { ...stored, email }, { type: "init" }, { by: "mail" });
    return undefined;
  });
}

const notActive = () =>
  failedPrecondition("user.not_active", "The user or the organization is not active. Activate it first.");
