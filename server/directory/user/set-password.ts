/**
 * Passwords that version 2 of the API sets: chosen by an administrator, or by the user on a page of the caller, proven
 * by the current password or by a code. Passwords that users choose must follow the password policy, as on our own
 * pages.
 */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, aborted, invalidArgument, isApiError, resourceExhausted } from "../../protocol/api-error";
import { type Reason, reason, sentenceOf } from "../../protocol/reason";
import type { OneTimeTokenRow } from "../../storage/user/one-time-tokens";
import type { UserRow } from "../../storage/user/user";
import type { StoredReset } from "../mailed-code/reset-code";
import { noWorkingCode, openTypedCode } from "../mailed-code/typed";
import { noSuchUser } from "../not-found";
import { findPolicy } from "../policy/policies";
import { changeUser, type UserRef } from "./change";
import { checkCurrentPassword, passwordUnavailable } from "./current-password";
import { readListedUser } from "./list";
import { setPasswordIn } from "./password";
import { checkCharacters, checkChosenPassword, type PasswordProblem } from "./password-policy";
import { isForPerson, redeemResetCode } from "./redeem-reset";
import { resetWrongPasswords } from "./reset-wrong-passwords";
import { findUser, type SignInUser } from "./user";

export interface WantedPassword {
  /** Plain text that `checkPassword` accepted; or its hash, which `checkImportedHash` accepted. */
  password: string | { hash: string };
  /** Whether the password must be changed at the next sign-in. */
  changeRequired: boolean;
  /** The proof that the user has chosen the password; at most one of the two. */
  currentPassword?: string;
  verificationCode?: string;
}

/** A hashed password whose proof was checked. */
export interface PreparedPassword {
  newHash: string;
  changeRequired: boolean;
  /** The code to consume. */
  row?: OneTimeTokenRow<StoredReset>;
  /** The stored hash that the current password matched. */
  provenHash?: string;
}

/** The session id for counting attempts with the current password. */
const BY_API = { id: "api" };

/** Sets the password; all earlier sessions end. */
export async function setProvenPassword(
  ctx: OriginContext,
  ref: UserRef,
  wanted: WantedPassword,
): Promise<undefined | ApiError> {
  const prepared = await preparePassword(ctx, ref, wanted);
  if (isApiError(prepared)) return prepared;
  const refusal = await changeUser(ctx, { ...ref, kind: "human" }, (ctx, stored) =>
    setPreparedPasswordIn(ctx, stored, prepared),
  );
  if (!refusal) await resetWrongPasswords(ctx, ref.userId);
  return refusal;
}

/**
 * Does the slow part before the transaction of `setPreparedPasswordIn`. The caller resets the counted wrong passwords
 * afterwards.
 */
export async function preparePassword(
  ctx: Context,
  ref: UserRef,
  { password, changeRequired, currentPassword, verificationCode }: WantedPassword,
): Promise<PreparedPassword | ApiError> {
  const listed = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(listed)) return listed;
  const person = await findUser(ctx, listed.id);
  if (!person) return noSuchUser();
  const isOwnChoice = currentPassword !== undefined || verificationCode !== undefined;
  const problem = isOwnChoice
    ? await checkChoice(ctx, person, password, currentPassword)
    : await checkGivenPassword(ctx, person.organizationId, password);
  if (problem) return problem;
  const wrong = currentPassword === undefined ? undefined : await checkCurrent(ctx, person, currentPassword);
  if (wrong) return wrong;
  const row =
    verificationCode === undefined
      ? undefined
      : await openTypedCode<StoredReset>(ctx, "password_reset", person.id, verificationCode);
  if (isApiError(row)) return row;
  if (row && !isForPerson(row.payload, person)) return noWorkingCode();
  const newHash = typeof password === "string" ? await hashGivenPassword(password) : password.hash;
  const provenHash = currentPassword === undefined ? undefined : (person.passwordHash ?? undefined);
  return { newHash, changeRequired, row, provenHash };
}

/** Sets a prepared password within a transaction of `changeUser`. */
export async function setPreparedPasswordIn(
  ctx: ChangeContext,
  stored: UserRow,
  { newHash, changeRequired, row, provenHash }: PreparedPassword,
): Promise<undefined | ApiError> {
  if (row) {
    return (await redeemResetCode(ctx, stored, row, { newHash, changeRequired })) ? undefined : noWorkingCode();
  }
  if (provenHash !== undefined && stored.passwordHash !== provenHash) {
    return aborted("request.overtaken", "The password was changed at the same time. Try again.");
  }
  await setPasswordIn(ctx, { userId: stored.id, newHash, changeRequired });
  return undefined;
}

/** Returns what is wrong with a password that someone else gives a user; a hash cannot be checked. */
export async function checkGivenPassword(
  ctx: Context,
  organizationId: string,
  password: WantedPassword["password"] | undefined,
): Promise<ApiError | undefined> {
  if (typeof password !== "string") return undefined;
  const problem = checkCharacters(password, await findPolicy(ctx, "password", organizationId));
  return problem && unfit(passwordReason(problem));
}

/** Returns what is wrong with a password that the user chooses; a hash cannot be checked. */
async function checkChoice(
  ctx: Context,
  person: SignInUser,
  password: WantedPassword["password"],
  currentPassword: string | undefined,
): Promise<ApiError | undefined> {
  if (typeof password !== "string") return undefined;
  if (password === currentPassword) return unfit(reason("same_password"));
  const policy = await findPolicy(ctx, "password", person.organizationId);
  const names = [person.loginName, person.email, person.firstName, person.lastName];
  const problem = checkChosenPassword(password, policy, names);
  return problem && unfit(passwordReason(problem));
}

export function passwordReason({ code, limit = 0 }: PasswordProblem): Reason {
  if (code === "common") return reason("common_password");
  if (code === "personal") return reason("personal_password");
  if (code === "malformed") return reason("not_text");
  return code === "too_short" || code === "too_long" ? reason(code, { n: limit }) : reason(code);
}

const unfit = (why: Reason) =>
  invalidArgument("request.invalid", `The password ${sentenceOf(why)}`, { field: "password", reason: why });

async function checkCurrent(ctx: Context, user: SignInUser, typed: string): Promise<ApiError | undefined> {
  const problem = await checkCurrentPassword(ctx, { session: BY_API, user }, typed);
  if (!problem) return undefined;
  if (problem.currentPassword === "unavailable") return passwordUnavailable();
  if (problem.currentPassword !== "throttled") {
    return invalidArgument("user.password_wrong", "The current password is not correct. Check it and try again.", {
      field: "currentPassword",
    });
  }
  const retryAfter = Math.ceil(((problem.retryAt ?? ctx.clock()) - ctx.clock()) / 1_000);
  return resourceExhausted("user.too_many_passwords", "Too many wrong passwords. Try again later.", { retryAfter });
}
