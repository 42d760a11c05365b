/**
 * The steps that a session still lacks before an application may get a response for it. They are checked in the one
 * place that responds to applications (authorization endpoint, "proceed"), so that users cannot skip a step by opening
 * a later URL or by returning later. First a password that must be changed, then a second factor, if one is required
 * and the session began without.
 */
import type { Context } from "../context";
import { findPolicy } from "../directory/policy/policies";
import { type FactorWish, FEDERATED, isMultiFactor } from "../protocol/authentication-context";
import type { SessionRow } from "../storage/session/session";

/** Milliseconds. */
const DAY = 86_400_000;

/** A page of the login that is shown before the application gets its response. */
export type RequiredAction = "change-password" | "second-factor" | "set-up-factor";

type PasswordSession = Pick<SessionRow, "passwordChangeRequired" | "passwordChangedAt" | "amr" | "organizationId">;

/** Returns why the password must be changed first: someone else has set it, or it is too old; else undefined. */
export async function whyChangePassword(
  ctx: Context,
  session: PasswordSession,
): Promise<"required" | "expired" | undefined> {
  if (session.passwordChangeRequired) return "required";
  const expiry = session.amr.split(" ").includes("pwd") ? await passwordExpiry(ctx, session) : undefined;
  return expiry !== undefined && ctx.clock() >= expiry.expiresAt ? "expired" : undefined;
}

/** Returns when a password expires, and from when on this is said (epoch milliseconds); undefined for never. */
export async function passwordExpiry(
  ctx: Context,
  { organizationId, passwordChangedAt }: Pick<SessionRow, "organizationId" | "passwordChangedAt">,
): Promise<{ expiresAt: number; warnAt: number } | undefined> {
  const { maxAgeDays, expireWarnDays } = await findPolicy(ctx, "passwordAge", organizationId);
  if (maxAgeDays === 0 || passwordChangedAt === null) return undefined;
  const expiresAt = passwordChangedAt + maxAgeDays * DAY;
  return { expiresAt, warnAt: expiresAt - expireWarnDays * DAY };
}

/** Returns whether the login policy requires a second factor of a user who began with these factors. */
export async function isFactorForced(
  ctx: Context,
  { organizationId, amr }: Pick<SessionRow, "organizationId" | "amr">,
): Promise<boolean> {
  const { forceMfa, forceMfaLocalOnly } = await findPolicy(ctx, "login", organizationId);
  return forceMfa || (forceMfaLocalOnly && !amr.split(" ").includes(FEDERATED));
}

export async function requiredAction(
  ctx: Context,
  session: PasswordSession & Pick<SessionRow, "hasSecondFactor">,
  wish: FactorWish,
): Promise<RequiredAction | undefined> {
  if (await whyChangePassword(ctx, session)) return "change-password";
  if (isMultiFactor(session.amr)) return undefined;
  const demanded = wish === "required" || (await isFactorForced(ctx, session));
  if (session.hasSecondFactor) return demanded || wish === "preferred" ? "second-factor" : undefined;
  return demanded ? "set-up-factor" : undefined;
}
