/**
 * What a session still lacks before an application may get an answer for it. This is asked at the one place that
 * answers applications (authorization endpoint, "proceed"), so that nobody can skip a step by opening a later address
 * or by coming back later. First a password that must be changed, then a second factor, if one is required that the
 * session began without.
 */
import type { Context } from "../context";
import { findPolicy } from "../directory/policy/policies";
import { type FactorWish, isMultiFactor } from "../protocol/authentication-context";
import type { SessionRow } from "../storage/sessions";

/** A page of the login that comes before the application gets its answer. */
export type RequiredAction = "change-password" | "second-factor" | "set-up-factor";

export async function requiredAction(
  ctx: Context,
  session: Pick<SessionRow, "passwordChangeRequired" | "hasSecondFactor" | "amr" | "organizationId">,
  wish: FactorWish,
): Promise<RequiredAction | undefined> {
  if (session.passwordChangeRequired) return "change-password";
  if (isMultiFactor(session.amr)) return undefined;
  const { forceMfa } = await findPolicy(ctx, "login", session.organizationId);
  const demanded = forceMfa || wish === "required";
  if (session.hasSecondFactor) return demanded || wish === "preferred" ? "second-factor" : undefined;
  return demanded ? "set-up-factor" : undefined;
}
