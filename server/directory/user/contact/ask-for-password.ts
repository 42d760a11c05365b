/** A code to choose a new password, mailed to the person or given to the caller of the API. */
import type { Context } from "../../../context";
import type { Origin } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import { checkPassing } from "../../mailed-code/check-passing";
import type { BySms, Passing } from "../../mailed-code/passing";
import { noResetBySms } from "../../mailed-code/phone-code";
import { makeResetCode, requestedByNobody } from "../../mailed-code/reset-code";
import { findPolicy } from "../../policy/policies";
import { changeUser, type UserPlace } from "../change";
import { readListedUser } from "../list";
import { findUser } from "../user";
import type { Proving } from "./prove-email";

/** A mailed code goes to the verified address alone, and only where people may choose a password by mail. */
export async function askForPassword(
  ctx: Context,
  place: UserPlace,
  passing: Passing | BySms,
  origin: Origin,
): Promise<Proving | ApiError> {
  if (passing.by === "sms") return noResetBySms();
  const listed = await readListedUser(ctx, { ...place, kind: "human" });
  if (isApiError(listed)) return listed;
  const person = await findUser(ctx, listed.id);
  if (!person?.mayAuthenticate) {
    return failedPrecondition("user.not_active", "The person, or the organization, is not active.");
  }
  if (passing.by === "mail") {
    if (person.email === null || !person.isEmailVerified) {
      return failedPrecondition("user.email_unverified", "The person has no address that is verified.");
    }
    if ((await findPolicy(ctx, "login", place.organizationId)).hidePasswordReset) {
      return failedPrecondition("policy.no_reset_by_mail", "The login policy lets nobody reset a password by mail.");
    }
    const refusal = await checkPassing(ctx, place, { email: { email: person.email, passing } }, origin);
    if (refusal) return refusal;
  }
  return changeUser(ctx, { ...place, kind: "human" }, origin, async (tx, stored) => {
    const { code } = await makeResetCode(ctx, tx, stored, { requested: requestedByNobody(ctx), passing }, origin);
    return { code: passing.by === "caller" ? code : undefined };
  });
}
