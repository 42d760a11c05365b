/** Codes for choosing a new password, sent to the user or returned to the API caller. */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import { listFactors } from "../../../storage/factor/second-factors";
import { checkDelivery } from "../../mailed-code/check-delivery";
import type { BySms, CodeDelivery } from "../../mailed-code/delivery";
import { makeResetCode, requestedByNobody } from "../../mailed-code/reset-code";
import { findPolicy } from "../../policy/policies";
import { changeUser, type UserRef } from "../change";
import { readListedUser } from "../list";
import { findUser, type SignInUser } from "../user";
import type { Proving } from "./prove-email";

/**
 * Makes a code for choosing a new password. A code is only sent to the verified address or number, and only if the
 * policy permits resets. A number that receives the codes of the second factor cannot be used, because it would then
 * give access to the whole account.
 */
export async function askForPassword(
  ctx: Context,
  ref: UserRef,
  delivery: CodeDelivery | BySms,
  origin: Origin,
): Promise<Proving | ApiError> {
  const listed = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(listed)) return listed;
  const person = await findUser(ctx, listed.id);
  if (!person?.mayAuthenticate) {
    return failedPrecondition("user.not_active", "The person or the organization is not active. Activate it first.");
  }
  if (delivery.by === "mail") {
    if (person.email === null || !person.isEmailVerified) {
      return failedPrecondition("user.email_unverified", "The person has no verified email address. Verify one first.");
    }
    const refusal =
      (await refuseByPolicy(ctx, ref)) ??
      (await checkDelivery(ctx, ref, { email: { email: person.email, delivery } }, origin));
    if (refusal) return refusal;
  }
  if (delivery.by === "sms") {
    const refusal = await refuseBySms(ctx, ref, person, origin);
    if (refusal) return refusal;
  }
  return changeUser(ctx, { ...ref, kind: "human" }, origin, async (tx, stored) => {
    const { code } = await makeResetCode(ctx, tx, stored, { requested: requestedByNobody(ctx), delivery }, origin);
    return { code: delivery.by === "caller" ? code : undefined };
  });
}

/** Sends a code by text message, for callers who get no code. */
export async function sendPasswordResetBySms(
  ctx: Context,
  ref: UserRef,
  origin: Origin,
): Promise<undefined | ApiError> {
  const made = await askForPassword(ctx, ref, { by: "sms" }, origin);
  return isApiError(made) ? made : undefined;
}

async function refuseByPolicy(ctx: Context, { organizationId }: UserRef): Promise<ApiError | undefined> {
  if (!(await findPolicy(ctx, "login", organizationId)).hidePasswordReset) return undefined;
  return failedPrecondition(
    "policy.no_reset_by_mail",
    "The login policy does not allow passwords to be reset by email. Set one, or ask for the code to be returned.",
  );
}

async function refuseBySms(
  ctx: Context,
  ref: UserRef,
  { id, phone, isPhoneVerified }: SignInUser,
  origin: Origin,
): Promise<ApiError | undefined> {
  if (phone === null || !isPhoneVerified) {
    return failedPrecondition("user.phone_unverified", "The person has no verified phone number. Verify one first.");
  }
  const refusal = await refuseByPolicy(ctx, ref);
  if (refusal) return refusal;
  if ((await listFactors(ctx.db, id)).some(({ kind }) => kind === "sms")) {
    return failedPrecondition(
      "sms.no_password_reset",
      "The codes of the person's second factor go to this number, so it cannot be used to reset the password as well. Send sendLink or returnCode.",
    );
  }
  return checkDelivery(ctx, ref, { phone: { phone, delivery: { by: "sms" } } }, origin);
}
