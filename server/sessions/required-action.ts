/**
 * The steps that a session still lacks before an application may get a response for it. They are checked in the one
 * place that responds to applications (authorization endpoint, "proceed"), so that users cannot skip a step by opening
 * a later URL or by returning later. First a password that must be changed, then a second factor, if one is required
 * and the session began without.
 */
import type { Context } from "../context";
import { findPolicy } from "../directory/policy/policies";
import { type FactorWish, isMultiFactor } from "../protocol/authentication-context";
import type { SessionRow } from "../storage/session/session";

/** A page of the login that is shown before the application gets its response. */
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
