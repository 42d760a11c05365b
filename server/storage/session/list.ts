/** Active sessions for administrators: of all users, of an organization or of a user, newest first. */
import type { Database } from "../database";
import { type Conditions, conditions, countListed, type ListReading, listPage, type Page } from "../listing";

/** Times are epoch milliseconds. */
export interface ShownSession {
  id: string;
  userId: string;
  loginName: string;
  displayName: string;
  organizationId: string;
  authTime: number;
  /** Space-delimited RFC 8176 values. */
  amr: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  clientAddress: string | null;
  userAgentName: string | null;
}

const COLUMNS = `s."id", s."userId", u."organizationId", s."authTime", s."amr", s."createdAt", s."lastSeenAt",
  s."expiresAt", s."clientAddress", s."userAgentName",
  CASE WHEN u."userName" LIKE '%@%' THEN u."userName" ELSE u."loginNameKey" END AS "loginName",
  COALESCE(u."displayName", u."userName") AS "displayName"`;
const FROM = `"Session" s JOIN "User" u ON u."id" = s."userId"`;

/**
 * Returns the conditions of `listValidSessions`.
 * @param idleSince sessions last seen before this time have expired
 */
export function activeSessions(now: number, idleSince: number): Conditions {
  const where = conditions();
  where.all.push(
    `s."endedAt" IS NULL`,
    `s."expiresAt" > ${where.parameter(new Date(now))}`,
    `s."lastSeenAt" > ${where.parameter(new Date(idleSince))}`,
    `s."authTime" >= u."validFrom" AND u."state" = 'active'`,
  );
  return where;
}

export function matchSessions(
  where: Conditions,
  wanted: { id?: string; userId?: string; organizationId?: string },
): void {
  if (wanted.id !== undefined) where.all.push(`s."id" = ${where.parameter(wanted.id)}`);
  if (wanted.userId !== undefined) where.all.push(`s."userId" = ${where.parameter(wanted.userId)}`);
  if (wanted.organizationId !== undefined) {
    where.all.push(`u."organizationId" = ${where.parameter(wanted.organizationId)}`);
  }
}

/** Returns sessions, ordered by id, which begins with the time of the sign-in. */
export function listSessions(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownSession>> {
  const sort = { sql: `s."id"`, kind: "text", descending } as const;
  return listPage(db, { columns: COLUMNS, from: FROM, where, sort, unique: `s."userId"`, ...reading });
}

export const countSessions = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: FROM, where });

/** The user of a session, even if it has ended. */
export async function findSessionUser(db: Database, id: string): Promise<string | undefined> {
  const row = await db.one<{ userId: string }>(`SELECT "userId" FROM "Session" WHERE "id" = $1`, [id]);
  return row?.userId;
}

/** The organization of a session's user, even if the session has ended. */
export async function findSessionOwner(db: Database, id: string): Promise<string | undefined> {
  const row = await db.one<{ organizationId: string }>(`SELECT u."organizationId" FROM ${FROM} WHERE s."id" = $1`, [
    id,
  ]);
  return row?.organizationId;
}
