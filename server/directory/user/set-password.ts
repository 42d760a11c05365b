/**
 * A password that version 2 of the API sets: chosen by an administrator, or by the person on a page of the caller's, who
 * proves that by the current password or by a code. What people choose themselves follows the policy of passwords, as on
 * our own pages.
 */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { Origin } from "../../events/record";
import { type ApiError, aborted, invalidArgument, isApiError, resourceExhausted } from "../../protocol/api-error";
import { type Reason, reason, sentenceOf } from "../../protocol/reason";
import type { Transaction } from "../../storage/database";
import type { OneTimeTokenRow } from "../../storage/one-time-tokens";
import type { UserRow } from "../../storage/users";
import type { StoredReset } from "../mailed-code/reset-code";
import { noWorkingCode, openTypedCode } from "../mailed-code/typed";
import { noSuchUser } from "../not-found";
import { findPolicy } from "../policy/policies";
import { changeUser, type UserRef } from "./change";
import { checkCurrentPassword } from "./current-password";
import { forgiveWrongPasswords } from "./forgive-wrong-passwords";
import { readListedUser } from "./list";
import { setPasswordIn } from "./password";
import { checkChosenPassword, type PasswordProblem } from "./password-policy";
import { isForPerson, redeemResetCode } from "./redeem-reset";
import { findUser, type SignInUser } from "./user";

export interface WantedPassword {
  /** In the clear, of a form that `checkPassword` accepted; or its hash, which `checkImportedHash` accepted. */
  password: string | { hash: string };
  /** At the next sign-in. */
  changeRequired: boolean;
  /** What proves that the person has chosen it; one at most. */
  currentPassword?: string;
  verificationCode?: string;
}

/** A password whose proof was checked and that is hashed already. */
export interface PreparedPassword {
  newHash: string;
  changeRequired: boolean;
  /** The code to use up. */
  row?: OneTimeTokenRow<StoredReset>;
  /** The current password was right for this one. */
  provenHash?: string;
}

/** By what tries with the current password are counted. */
const BY_API = { id: "api" };

/** Sets the password; everything signed in before ends. */
export async function setProvenPassword(
  ctx: Context,
  ref: UserRef,
  wanted: WantedPassword,
  origin: Origin,
): Promise<undefined | ApiError> {
  const prepared = await preparePassword(ctx, ref, wanted);
  if (isApiError(prepared)) return prepared;
  const refusal = await changeUser(ctx, { ...ref, kind: "human" }, origin, (tx, stored) =>
    setPreparedPasswordIn(ctx, tx, stored, prepared, origin),
  );
  if (!refusal) await forgiveWrongPasswords(ctx, ref.userId);
  return refusal;
}

/** What takes long, before the transaction of `setPreparedPasswordIn`; afterwards wrong passwords are forgiven. */
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
  const problem = isOwnChoice ? await checkChoice(ctx, person, password, currentPassword) : undefined;
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

/** Within a transaction of `changeUser`. */
export async function setPreparedPasswordIn(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  { newHash, changeRequired, row, provenHash }: PreparedPassword,
  origin: Origin,
): Promise<undefined | ApiError> {
  if (row) {
    return (await redeemResetCode(ctx, tx, stored, row, { newHash, origin, changeRequired }))
      ? undefined
      : noWorkingCode();
  }
  if (provenHash !== undefined && stored.passwordHash !== provenHash) {
    return aborted("request.overtaken", "The password was changed at the same time. Try again.");
  }
  await setPasswordIn(ctx, tx, { userId: stored.id, newHash, origin, changeRequired });
  return undefined;
}

/** What is wrong with a password that the person chooses; nothing can be said of a hash. */
async function checkChoice(
  ctx: Context,
  person: SignInUser,
  password: WantedPassword["password"],
  currentPassword: string | undefined,
): Promise<ApiError | undefined> {
  if (typeof password !== "string") return undefined;
  if (password === currentPassword) return unfit(reason("same_password"));
  const { minLength } = await findPolicy(ctx, "password", person.organizationId);
  const names = [person.loginName, person.email, person.firstName, person.lastName];
  const problem = checkChosenPassword(password, minLength, names);
  return problem && unfit(reasonOf(problem));
}

function reasonOf({ code, limit = 0 }: PasswordProblem): Reason {
  if (code === "common") return reason("common_password");
  if (code === "personal") return reason("personal_password");
  if (code === "malformed") return reason("not_text");
  return reason(code, { n: limit });
}

const unfit = (why: Reason) =>
  invalidArgument("request.invalid", `The password ${sentenceOf(why)}`, { field: "password", reason: why });

async function checkCurrent(ctx: Context, user: SignInUser, typed: string): Promise<ApiError | undefined> {
  const problem = await checkCurrentPassword(ctx, { session: BY_API, user }, typed);
  if (!problem) return undefined;
  if (problem.currentPassword !== "throttled") {
    return invalidArgument("user.password_wrong", "The current password is not correct. Check it and try again.", {
      field: "currentPassword",
    });
  }
  const retryAfter = Math.ceil(((problem.retryAt ?? ctx.clock()) - ctx.clock()) / 1_000);
  return resourceExhausted("user.too_many_passwords", "Too many wrong passwords. Try again later.", { retryAfter });
}
