/** Converts the errors of the account pages' use cases to API errors. */
import type { Context } from "../../context";
import { passwordReason } from "../../directory/user/set-password";
import type { ChangeAddressProblems } from "../../login/account/contact";
import type { ChangePasswordProblems } from "../../login/change-password";
import {
  type ApiError,
  failedPrecondition,
  fieldProblem,
  invalidArgument,
  type Problem,
  resourceExhausted,
} from "../../protocol/api-error";
import { type Reason, reason } from "../../protocol/reason";

/** @param names of the members of the body */
export function passwordRefusal(
  ctx: Context,
  { currentPassword, retryAt = ctx.clock(), password }: ChangePasswordProblems,
  names: { current: string; chosen: string },
): ApiError {
  if (currentPassword === "throttled") return tooManyPasswords(ctx, retryAt);
  if (currentPassword === "wrong") {
    return invalidArgument("user.password_wrong", "The current password is not correct. Check it and try again.", {
      field: names.current,
    });
  }
  const problems = [
    ...(currentPassword ? [fieldProblem("request.invalid", names.current, reason("required"))] : []),
    ...(password ? [fieldProblem("request.invalid", names.chosen, reasonOf(password))] : []),
  ] as [Problem, ...Problem[]];
  const [first] = problems;
  return invalidArgument("request.invalid", first.message, {
    field: first.field,
    reason: first.reason,
    problems: problems.length > 1 ? problems : undefined,
  });
}

/** The errors of the form for another address. The API has already checked that it is an address. */
export function addressRefusal(ctx: Context, { email, ...password }: ChangeAddressProblems): ApiError {
  if (email === "same") {
    return failedPrecondition("user.nothing_to_verify", "This address is verified already.", { field: "email" });
  }
  if (email)
    return invalidArgument("request.invalid", "email is not valid", { field: "email", reason: reason("email") });
  return passwordRefusal(ctx, password, { current: "currentPassword", chosen: "" });
}

function tooManyPasswords(ctx: Context, retryAt: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil((retryAt - ctx.clock()) / 1_000));
  return resourceExhausted("user.too_many_passwords", "Too many wrong passwords. Try again later.", { retryAfter });
}

function reasonOf(problem: NonNullable<ChangePasswordProblems["password"]>): Reason {
  if (problem === "missing") return reason("required");
  if (problem === "same") return reason("same_password");
  return passwordReason(problem);
}

export const tooManyMails = (): ApiError =>
  resourceExhausted("mail.too_many", "Too many emails were sent to this address. Try again in an hour.");

const CODE = { field: "code" };
export const wrongCode = (): ApiError =>
  invalidArgument("user.code_wrong", "The code is not correct. Use the one from the latest email.", CODE);
export const blockedCode = (): ApiError =>
  resourceExhausted("user.too_many_codes", "Too many wrong codes. Ask for another one later.");
export const deadCode = (): ApiError =>
  failedPrecondition("user.code_dead", "No code is waiting to be used. Ask for another one.", CODE);
