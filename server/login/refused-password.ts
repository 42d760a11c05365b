/** The reasons for a rejected password, for administrators; the page only shows that it was rejected (ASVS 6.3.8). */
import type { Context } from "../context";
import type { SignInUser } from "../directory/user/user";
import type { SignInFlow } from "../oidc/flow";
import { type ApiError, resourceExhausted } from "../protocol/api-error";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import type { UserAgent } from "../sessions/user-agent";
import { limits, type Tally } from "../throttle";
import { noteInFlow } from "./note-attempt";

/** Returns the first cause that would also have rejected the correct password; else that it was wrong. */
export function reasonOfRefusal(person: SignInUser | undefined, allowUsernamePassword: boolean): AttemptReason {
  if (!person) return "unknown_name";
  if (!person.mayAuthenticate) return reasonOfState(person) ?? "wrong_password";
  if (!allowUsernamePassword) return "password_not_allowed";
  return person.passwordHash === null ? "no_password" : "wrong_password";
}

/** Returns the reason; undefined if the user may sign in. */
export function reasonOfState({ state, organizationState }: SignInUser): AttemptReason | undefined {
  if (state === "locked") return "user_locked";
  if (state !== "active") return "user_inactive";
  return organizationState === "active" ? undefined : "organization_inactive";
}

export function reasonOfBlock({ blockedBy }: Tally): AttemptReason {
  if (blockedBy === limits.password.name) return "locked_out";
  return blockedBy === limits.passwordsFrom.name ? "network_throttled" : "throttled";
}

export interface Refused<Candidate> {
  candidates: readonly Candidate[];
  reasonOf(candidate: Candidate): AttemptReason;
  detail?: string;
  typed: string;
  userAgent: UserAgent;
}

/**
 * Records the attempt for all users that the name can mean. Only the first is also recorded for the app: two records
 * would reveal to its owner that two users share a name.
 */
export function noteCandidates<Candidate extends { person: SignInUser | undefined }>(
  ctx: Context,
  flow: SignInFlow,
  { candidates, reasonOf, detail, typed, userAgent }: Refused<Candidate>,
): void {
  candidates.forEach((candidate, index) => {
    const { person } = candidate;
    noteInFlow(ctx, flow, { reason: reasonOf(candidate), person, typed, detail, userAgent, isRepeated: index > 0 });
  });
}

/** The error of the management APIs. @param retryAt epoch milliseconds, if known */
export function tooManyAttempts(ctx: Context, retryAt: number | undefined): ApiError {
  const retryAfter = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - ctx.clock()) / 1000));
  return resourceExhausted("session.throttled", "Too many failed attempts. Try again later.", { retryAfter });
}
