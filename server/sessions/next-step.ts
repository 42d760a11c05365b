/**
 * What a session still lacks before an application may be answered with it. Asked at the one place that answers
 * (authorization endpoint, "proceed"), so that no step is skipped by going to a later address or by coming back later.
 * Order: another password → second factor.
 */
import type { SessionRow } from "../storage/sessions";

/** A page of the login that stands between a session and the application. */
export type Step = "change-password";

export function nextStep(session: Pick<SessionRow, "passwordChangeRequired">): Step | undefined {
  if (session.passwordChangeRequired) return "change-password";
  return undefined;
}
