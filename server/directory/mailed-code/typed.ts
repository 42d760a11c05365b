/** Codes that somebody types into a page of the caller's, and the caller of the API hands in for them (rule API-15). */
import type { Context } from "../../context";
import { type ApiError, failedPrecondition, invalidArgument, resourceExhausted } from "../../protocol/api-error";
import { findOpenTokenOf, type OneTimeTokenRow, type TokenPurpose } from "../../storage/one-time-tokens";
import type { Limit } from "../../throttle";
import { openMailedCode } from "./open";

/** Characters; what is longer is not a code but the secret of a link. */
const MAX_CODE_LENGTH = 20;

/**
 * The row of the code that the person was given last, if it is the one that was typed, or the secret of its link. It is not
 * consumed here, but a wrong one counts as a try, of that code and of all codes of this person.
 */
export async function openTypedCode<Payload>(
  ctx: Context,
  purpose: TokenPurpose,
  userId: string,
  typed: string,
  tries?: Limit,
): Promise<OneTimeTokenRow<Payload> | ApiError> {
  const row = await findOpenTokenOf<Payload>(ctx.db, purpose, userId, ctx.clock());
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
  invalidArgument("user.code_wrong", "The code is not correct. Use the one that the person was given last.", {
    field: "verificationCode",
  });

/** Used, too old, replaced by another one, or for an address or number that the person does not have any more. */
export const noWorkingCode = () =>
  failedPrecondition("user.code_dead", "The person has no code that still works. Ask for another one.", {
    field: "verificationCode",
  });
