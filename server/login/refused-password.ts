/** Why a password was refused, in words for the administrators; the page says only that it was (ASVS 6.3.8). */
import type { Context } from "../context";
import type { SignInUser } from "../directory/user/user";
import type { SignInFlow } from "../oidc/flow";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import type { UserAgent } from "../sessions/user-agent";
import { limits, type Tally } from "../throttle";
import { noteInFlow } from "./note-attempt";

/** The first cause that would have refused the right password, too; else that it was wrong. */
export function reasonOfRefusal(person: SignInUser | undefined, allowUsernamePassword: boolean): AttemptReason {
  if (!person) return "unknown_name";
  if (!person.mayAuthenticate) return reasonOfState(person) ?? "wrong_password";
  if (!allowUsernamePassword) return "password_not_allowed";
  return person.passwordHash === null ? "no_password" : "wrong_password";
}

/** Undefined if the person may sign in. */
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
  typed: string;
  userAgent: UserAgent;
}

/**
 * Notes it for everybody whom the name can mean. Only the first is noted as an attempt at the app as well: two would
 * show its owner that two people share a name.
 */
export function noteCandidates<Candidate extends { person: SignInUser | undefined }>(
  ctx: Context,
  flow: SignInFlow,
  { candidates, reasonOf, typed, userAgent }: Refused<Candidate>,
): void {
  candidates.forEach((candidate, index) => {
    const { person } = candidate;
    noteInFlow(ctx, flow, { reason: reasonOf(candidate), person, typed, userAgent, isRepeated: index > 0 });
  });
}
