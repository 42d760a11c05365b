/** Lists and ends the sessions of all users or of an organization's, for administrators. */
import type { Context } from "../context";
import { type PagedList, pagedList } from "../directory/listing";
import type { OriginContext } from "../events/record";
import { type ApiError, notFound } from "../protocol/api-error";
import type { Filter } from "../storage/pages";
import {
  activeSessions,
  findSessionOwner,
  findSessionUser,
  matchSessions,
  type SessionConditions,
  type ShownSession,
  sessionList,
} from "../storage/session/list";
import { signOut } from "./session";

export type ListedSession = ShownSession;

/** Filter for a list of sessions; a session must match all given fields. */
export type SessionMatch = SessionConditions;

/** Lists live sessions, newest first. */
export function listActiveSessions(ctx: Context, matches: readonly SessionMatch[]): PagedList<ListedSession> {
  return pagedList(ctx, matchingAll(ctx, matches), sessionList);
}

/**
 * Ends a session of any user.
 * @returns the session's user
 */
export async function endActiveSession(ctx: OriginContext, sessionId: string): Promise<{ userId: string } | ApiError> {
  const list = pagedList(ctx, matchingAll(ctx, [{ id: sessionId }]), sessionList);
  const { rows } = await list.page({ after: undefined, offset: 0, limit: 1, ascending: undefined });
  const [found] = rows;
  if (!found) return notFound("session.not_found", "This session has ended.");
  await signOut(ctx, found, "all");
  return { userId: found.userId };
}

/** Returns the user of a session, even if it has ended. */
export function findUserOfSession(ctx: Context, sessionId: string): Promise<string | undefined> {
  return findSessionUser(ctx.db, sessionId);
}

/** Returns the organization of a session's user, even if the session has ended. */
export function findOwnerOfSession(ctx: Context, sessionId: string): Promise<string | undefined> {
  return findSessionOwner(ctx.db, sessionId);
}

function matchingAll(ctx: Context, matches: readonly SessionMatch[]): Filter {
  const now = ctx.clock();
  const where = activeSessions(now, now - ctx.config.lifetimes.sessionIdle);
  for (const match of matches) matchSessions(where, match);
  return where;
}
