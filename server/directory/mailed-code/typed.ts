/** Codes that are typed into a page of the API caller, who submits them for the user (rule API-15). */
import type { Context } from "../../context";
import { type ApiError, failedPrecondition, invalidArgument, resourceExhausted } from "../../protocol/api-error";
import { findValidTokenOf, type OneTimeTokenRow, type TokenPurpose } from "../../storage/user/one-time-tokens";
import type { Limit } from "../../throttle";
import { openMailedCode } from "./open";

/** Characters. Longer input is the secret of a link. */
const MAX_CODE_LENGTH = 20;

/**
 * Returns the row of the user's latest code if the typed text is that code or the secret of its link. The row is not
 * consumed here, but a wrong code counts as an attempt, for that code and for all codes of this user.
 */
export async function openTypedCode<Payload>(
  ctx: Context,
  purpose: TokenPurpose,
  userId: string,
  typed: string,
  tries?: Limit,
): Promise<OneTimeTokenRow<Payload> | ApiError> {
  const row = await findValidTokenOf<Payload>(ctx.db, purpose, userId, ctx.clock());
  if (!row) return noWorkingCode();
  const proof =
    typed.length > MAX_CODE_LENGTH
      ? { token: typed }
      : { mailed: { challenge: row.digest, to: userId, tries }, code: typed };
  const opened = await openMailedCode<Payload>(ctx, proof);
  if (opened.kind === "open" && opened.row.digest === row.digest) return opened.row;
  if (opened.kind === "wrong" || opened.kind === "open") return wrongCode();
  if (opened.kind !== "blocked") return noWorkingCode();
  const retryAfter = Math.ceil((opened.until - ctx.clock()) / 1_000);
  return resourceExhausted("user.too_many_codes", "Too many wrong codes. Ask for another one later.", { retryAfter });
}

const wrongCode = () =>
  invalidArgument("user.code_wrong", "The code is not correct. Use the latest one.", {
    field: "verificationCode",
  });

/**
 * Returns the error for a code that was used, is too old, was replaced, or is for an address or number that the user no
 * longer has.
 */
export const noWorkingCode = () =>
  failedPrecondition("user.code_dead", "The user has no code that still works. Ask for another one.", {
    field: "verificationCode",
  });
