/**
 * Activates an account with a passkey instead of a first password, by the link of the invitation: the link is used up
 * and the user is signed in, as with a password.
 */
import type { Context } from "../../context";
import { isSameDestination } from "../../directory/mailed-code/reset-code";
import { isPermittedIn } from "../../directory/policy/second-factors";
import { proveInvitedIn } from "../../directory/user/redeem-reset";
import { consumeOneTimeToken } from "../../storage/user/one-time-tokens";
import { readUser } from "../../storage/user/user";
import { type Attempt, causeOf } from "../attempt";
import { ownNames, type ResetLink, whoseResetLink } from "../reset-password";
import type { TypedNames } from "../typed-names";
import { keepNewPasskey } from "./passkey";

/** Whether the user of the link may start with a passkey. */
export async function mayBeginWithPasskey(ctx: Context, { isFirst, organizationId }: ResetLink): Promise<boolean> {
  return isFirst && isPermittedIn(ctx, organizationId, "passkey");
}

export type FirstPasskeyOutcome =
  | { kind: "dead"; usedAt?: number }
  | { kind: "refused" }
  /** `amr`: the RFC 8176 values that it proves. */
  | { kind: "added"; link: ResetLink; amr: string[]; recoveryCodes: string[] | undefined };

export async function addFirstPasskey(
  ctx: Context,
  token: string,
  made: { sealed: string; credential: string; names?: TypedNames },
  attempt: Attempt,
): Promise<FirstPasskeyOutcome> {
  const link = await whoseResetLink(ctx, token, attempt.userAgent);
  if ("usedAt" in link) return { kind: "dead", usedAt: link.usedAt };
  if (!(await mayBeginWithPasskey(ctx, link))) return { kind: "refused" };
  const { user, row } = link;
  const { names, ...credential } = made;
  const kept = await keepNewPasskey(ctx, user, { ...credential, cause: causeOf(attempt) }, async (ctx) => {
    const stored = await readUser(ctx.tx, user.id);
    if (!stored || stored.passwordHash !== null || !isSameDestination(row.payload, stored)) return false;
    if (!(await consumeOneTimeToken(ctx.tx, row.digest, "password_reset", ctx.clock()))) return false;
    await proveInvitedIn(ctx, stored, row, names && ownNames(names));
    return true;
  });
  if (kept.kind === "added") return { kind: "added", link, amr: kept.amr, recoveryCodes: kept.recoveryCodes };
  // Another browser with the same link was faster.
  const again = await whoseResetLink(ctx, token, attempt.userAgent);
  return "usedAt" in again ? { kind: "dead", usedAt: again.usedAt } : { kind: "refused" };
}
