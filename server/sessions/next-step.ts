/**
 * What a session still lacks before an application may be answered with it. Asked at the one place that answers
 * (authorization endpoint, "proceed"), so that no step is skipped by going to a later address or by coming back later.
 * Order: another password → second factor, where one is demanded that the session began without.
 */
import type { Context } from "../context";
import { findPolicy } from "../directory/policy/policies";
import { type FactorWish, isMultiFactor } from "../protocol/authentication-context";
import type { SessionRow } from "../storage/sessions";

/** A page of the login that stands between a session and the application. */
export type Step = "change-password" | "second-factor" | "set-up-factor";

export async function nextStep(
  ctx: Context,
  session: Pick<SessionRow, "passwordChangeRequired" | "hasSecondFactor" | "amr" | "organizationId">,
  wish: FactorWish,
): Promise<Step | undefined> {
  if (session.passwordChangeRequired) return "change-password";
  if (isMultiFactor(session.amr)) return undefined;
  const { forceMfa } = await findPolicy(ctx, "login", session.organizationId);
  const demanded = forceMfa || wish === "required";
  if (session.hasSecondFactor) return demanded || wish === "preferred" ? "second-factor" : undefined;
  return demanded ? "set-up-factor" : undefined;
}
