/**
 * Whether the app that somebody has just connected works: who got as far as the app redeeming the code. It is asked of the
 * caller and, for those who may read people, of those of the organization who signed in for it lately. A trial in the playground
 * says nothing of the app itself, which still waits.
 *
 * What the app was told is computed anew and not kept: the claims of an ID token as it would be issued for that sign-in
 * now, without a signature, so that nobody gets anything that works as a token (attack: a manager who signs in with what
 * the console shows). It is told of those whom the caller may name anyway.
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
import { type AppSignInRow, findLatestAppSignIn } from "../storage/app-sign-ins";
import { findGrant } from "../storage/grants";
import type { Caller } from "./caller";

export interface LatestSignIn {
  /** Without the person if they belong to another organization. */
  signIn?: (Omit<AppSignInRow, "grantId"> & { idToken?: ShownIdToken }) | { at: number };
  /** The latest attempt, if it was refused and nobody got further since; only for callers who may read attempts. */
  refused?: Pick<ReadAttempt, "reason" | "detail"> & { at: number };
}

/** As many attempts as are looked at: the first sign-ins of an app. */
const FEW = 5;

/** The latest sign-in to an app, and what went wrong since. */
export async function latestSignIn(ctx: Context, { userId }: Caller, ref: AppRef): Promise<LatestSignIn | ApiError> {
  const app = await readListedApp(ctx, ref);
  if (isApiError(app)) return app;
  const { clientId } = app;
  const { organizationId } = ref;
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
  const signIn = (known && (await withIdToken(ctx, clientId, known))) ?? (other && { at: other.lastAt });
  const [last] = attempts;
  const isOver = last === undefined || last.reason === "signed_in" || (signIn && signIn.at >= last.lastAt);
  return { signIn, ...(!isOver && { refused: { reason: last.reason, detail: last.detail, at: last.lastAt } }) };
}

/** With the ID token that came with the app's code, as long as it could be issued again. */
async function withIdToken(ctx: Context, clientId: string, { grantId, ...signIn }: AppSignInRow) {
  const [grant, client] = await Promise.all([findGrant(ctx.db, grantId), findClient(ctx, clientId)]);
  const isIssued = grant?.codeConsumedAt != null && grant.revokedAt === null && grant.stands;
  if (!isIssued || client?.kind !== "oidc") return signIn;
  const notAfter = endOfSession(grant, grant.refreshIdleUntil !== null);
  return {
    ...signIn,
    idToken: await shownIdTokenOfGrant(ctx, client, grant, { scope: grant.scope.split(" "), notAfter }),
  };
}
