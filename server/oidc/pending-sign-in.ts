/**
 * A sign-in between its factors. What has been proven is stored only in the sealed flow. Without it, in another browser
 * or too late, the sign-in starts over (ASVS 6.3.3; ZITADEL CVE-2025-64103, a skipped factor).
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { newId } from "../crypto/random";
import type { SentKind } from "../protocol/second-factor";
import type { UserAgent } from "../sessions/user-agent";
import type { SignInFlow } from "./flow";
import type { PendingSignIn } from "./proven";

/** The time that the user may take to present the second factor, in milliseconds. */
const PENDING_LIFETIME = 10 * 60_000;

/** @param userAgentToken the value of the browser's cookie */
export function makePending(
  ctx: Context,
  proven: Pick<PendingSignIn, "userId" | "amr" | "providerSession">,
  userAgentToken: string,
): PendingSignIn {
  return { id: newId(), ...proven, at: ctx.clock(), browser: digest(userAgentToken) };
}

/** Returns the pending sign-in of a flow, if it belongs to this browser and has not expired. */
export function pendingOf(ctx: Context, { pending }: SignInFlow, { token }: UserAgent): PendingSignIn | undefined {
  if (!pending || token === undefined || digest(token) !== pending.browser) return undefined;
  return ctx.clock() - pending.at <= PENDING_LIFETIME ? pending : undefined;
}

/** Returns the pending sign-in of a flow that belongs to this browser and has expired. */
export function latePendingOf(ctx: Context, { pending }: SignInFlow, { token }: UserAgent): PendingSignIn | undefined {
  if (!pending || token === undefined || digest(token) !== pending.browser) return undefined;
  return ctx.clock() - pending.at > PENDING_LIFETIME ? pending : undefined;
}

/** Returns the code that was sent and not yet entered, if it was sent through this channel. */
export function sentCodeOf({ mailed }: PendingSignIn, kind: SentKind): PendingSignIn["mailed"] {
  return mailed && (mailed.kind ?? "email") === kind ? mailed : undefined;
}
