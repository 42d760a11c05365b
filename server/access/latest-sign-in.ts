/**
 * Checks whether a newly connected app works: finds the latest user whose code the app has redeemed. The search covers
 * the caller and, for callers who may read users, the users of the organization who recently signed in to the app. A
 * trial in the playground is reported separately, because it does not involve the app itself.
 *
 * The claims that the app received are computed again, not stored: the claims of an ID token as it would be issued for
 * that sign-in now, without a signature, so that nothing works as a token (attack: a manager who signs in with what the
 * console shows). They are only returned for users that the caller may read.
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import type { AppRef } from "../directory/app/change";
import { readListedApp } from "../directory/app/list";
import { playgroundRedirectUri } from "../directory/app/playground";
import { hasPermission } from "../directory/member/permissions";
import { type ReadAttempt, readAttempts } from "../directory/sign-in-attempt/list";
import { endOfSession } from "../oidc/access-tokens";
import type { ShownIdToken } from "../oidc/id-token";
import { shownIdTokenOfGrant } from "../oidc/token-response";
import { type ApiError, isApiError } from "../protocol/api-error";
import { type AppSignInRow, findLatestAppSignIn } from "../storage/app/sign-ins";
import { findGrant } from "../storage/grant/grant";
import type { Caller } from "./caller";

export interface LatestSignIn {
  /** Without the user if they belong to another organization. */
  signIn?: (Omit<AppSignInRow, "grantId"> & { idToken?: ShownIdToken }) | { at: number };
  /** The latest trial in the playground, until a sign-in to the app itself succeeds. */
  trial?: { at: number };
  /** The latest attempt, if it was rejected and no sign-in succeeded since; only for callers who may read attempts. */
  refused?: Pick<ReadAttempt, "reason" | "detail"> & { at: number };
}

/** The number of attempts that are examined: the first sign-ins of an app. */
const FEW = 5;

/** Returns the latest sign-in to an app, and the latest failure since. */
export async function latestSignIn(ctx: Context, { userId }: Caller, ref: AppRef): Promise<LatestSignIn | ApiError> {
  const app = await readListedApp(ctx, ref);
  if (isApiError(app)) return app;
  const { clientId } = app;
  const { organizationId } = ref;
  const reader = { level: "organization", organizationId } as const;
  const mayRead = await hasPermission(ctx, userId, "user.read", { organizationId });
  const attempts = mayRead ? (await readAttempts(ctx, reader, { clientId }, { limit: FEW })).attempts : [];
  const people = new Set([userId, ...attempts.flatMap((attempt) => attempt.userId ?? [])]);
  const query = { clientId, userIds: [...people], playground: playgroundRedirectUri(ctx) };
  const known = await findLatestAppSignIn(ctx.db, { ...query, isTrial: false });
  // The tokens of other organizations' users are not looked up; that they passed the sign-in is enough.
  const other = attempts.find(({ reason, userId: person }) => reason === "signed_in" && person === null);
  const signIn = (known && (await withIdToken(ctx, clientId, known))) ?? (other && { at: other.lastAt });
  const trial = signIn ? undefined : await findLatestAppSignIn(ctx.db, { ...query, isTrial: true });
  const [last] = attempts;
  const isOver = last === undefined || last.reason === "signed_in" || (signIn && signIn.at >= last.lastAt);
  return {
    signIn,
    ...(trial && { trial: { at: trial.at } }),
    ...(!isOver && { refused: { reason: last.reason, detail: last.detail, at: last.lastAt } }),
  };
}

/** Adds the ID token that was issued with the app's code, as long as it could be issued again. */
async function withIdToken(ctx: Context, clientId: string, { grantId, ...signIn }: AppSignInRow) {
  const [grant, client] = await Promise.all([findGrant(ctx.db, grantId), findClient(ctx, clientId)]);
  const isIssued = grant?.codeConsumedAt != null && grant.revokedAt === null && grant.isValid;
  if (!isIssued || client?.kind !== "oidc") return signIn;
  const notAfter = endOfSession(grant, grant.refreshIdleUntil !== null);
  return {
    ...signIn,
    idToken: await shownIdTokenOfGrant(ctx, client, grant, { scope: grant.scope.split(" "), notAfter }),
  };
}
