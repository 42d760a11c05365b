/**
 * Whether the app that somebody has just connected works: who got as far as the app redeeming the code. It is asked of the
 * caller and, for those who may read people, of those of the organization who signed in for it lately. A trial in the playground
 * says nothing of the app itself, which still waits.
 */
import type { Context } from "../context";
import type { AppPlace } from "../directory/app/change";
import { readListedApp } from "../directory/app/list";
import { playgroundRedirectUri } from "../directory/app/playground";
import { hasPermission } from "../directory/member/permissions";
import { type ReadAttempt, readAttempts } from "../directory/sign-in-attempt/list";
import { type ApiError, isApiError } from "../protocol/api-error";
import { type AppSignInRow, findLatestAppSignIn } from "../storage/app-sign-ins";
import type { Caller } from "./caller";

export interface LatestSignIn {
  /** Without the person if they belong to another organization. */
  signIn?: AppSignInRow | { at: number };
  /** The latest attempt, if it was refused and nobody got further since; only for callers who may read attempts. */
  refused?: Pick<ReadAttempt, "reason" | "detail"> & { at: number };
}

/** As many attempts as are looked at: the first sign-ins of an app. */
const FEW = 5;

/** The latest sign-in to an app, and what went wrong since. */
export async function latestSignIn(
  ctx: Context,
  { userId }: Caller,
  place: AppPlace,
): Promise<LatestSignIn | ApiError> {
  const app = await readListedApp(ctx, place);
  if (isApiError(app)) return app;
  const { clientId } = app;
  const { organizationId } = place;
  const reader = { level: "organization", organizationId } as const;
  const mayRead = await hasPermission(ctx, userId, "user.read", { organizationId });
  const attempts = mayRead ? (await readAttempts(ctx, reader, { clientId }, { limit: FEW })).attempts : [];
  const people = new Set([userId, ...attempts.flatMap((attempt) => attempt.userId ?? [])]);
  const known = await findLatestAppSignIn(ctx.db, {
    clientId,
    userIds: [...people],
    notTo: playgroundRedirectUri(ctx),
  });
  // Whose tokens others have is not looked up; that they got past the sign-in says enough of an app.
  const other = attempts.find(({ reason, userId: person }) => reason === "signed_in" && person === null);
  const signIn = known ?? (other && { at: other.lastAt });
  const [last] = attempts;
  const isOver = last === undefined || last.reason === "signed_in" || (signIn && signIn.at >= last.lastAt);
  return { signIn, ...(!isOver && { refused: { reason: last.reason, detail: last.detail, at: last.lastAt } }) };
}
