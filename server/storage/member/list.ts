/** The members of an object with all their roles on it, for lists. */
import type { Database, Transaction } from "../database";
import { type Conditions, type Cursor, conditions, countListed, listPage, type Page } from "../listing";

export interface LevelRef {
  level: "instance" | "organization" | "project";
  levelId: string;
}

/** Times are epoch milliseconds. */
export interface ShownMember {
  userId: string;
  kind: "human" | "machine";
  /** Sorted by name. */
  roles: string[];
  loginName: string;
  displayName: string;
  email: string | null;
  createdAt: number;
}

/** Each user once, with their first role. */
const FROM = `"Membership" m JOIN "User" u ON u."id" = m."userId"`;
const FIRST = `NOT EXISTS (SELECT 1 FROM "Membership" f WHERE f."userId" = m."userId" AND f."level" = m."level"
    AND f."levelId" = m."levelId" AND f."role" < m."role")`;

export function membersOf({ level, levelId }: LevelRef): Conditions {
  const where = conditions();
  where.all.push(`m."level" = ${where.parameter(level)}`, `m."levelId" = ${where.parameter(levelId)}`, FIRST);
  return where;
}

export function matchMembers(where: Conditions, { userId, role }: { userId?: string; role?: string }): void {
  if (userId !== undefined) where.all.push(`m."userId" = ${where.parameter(userId)}`);
  if (role === undefined) return;
  where.all.push(`EXISTS (SELECT 1 FROM "Membership" r WHERE r."userId" = m."userId" AND r."level" = m."level"
    AND r."levelId" = m."levelId" AND r."role" = ${where.parameter(role)})`);
}

const COLUMNS = `m."userId", m."level", m."levelId", m."createdAt", u."kind", u."email",
       COALESCE(u."displayName", u."name", u."userName") AS "displayName",
       CASE WHEN u."userName" LIKE '%@%' THEN u."userName"
            ELSE u."userName" || COALESCE((SELECT '@' || d."domain" FROM "Domain" d
                   WHERE d."organizationId" = u."organizationId" AND d."isPrimary" LIMIT 1), '') END AS "loginName"`;

interface Reading {
  after: Cursor | undefined;
  offset: number;
  limit: number;
  descending: boolean;
}

/** Returns members, ordered by user id. */
export async function listMembers(
  db: Database,
  at: LevelRef,
  where: Conditions,
  { descending, ...reading }: Reading,
): Promise<Page<ShownMember>> {
  const sort = { sql: `m."userId"`, kind: "text", descending } as const;
  const list = { columns: COLUMNS, from: FROM, where, sort, unique: `m."role"`, ...reading };
  const { rows, next } = await listPage<Omit<ShownMember, "roles">>(db, list);
  const roles = await rolesOf(
    db,
    at,
    rows.map(({ userId }) => userId),
  );
  return { rows: rows.map((row) => ({ ...row, roles: roles.get(row.userId) ?? [] })), next };
}

async function rolesOf(db: Database, { level, levelId }: LevelRef, userIds: readonly string[]) {
  const found = new Map<string, string[]>();
  if (userIds.length === 0) return found;
  const placeholders = userIds.map((_, index) => `$${index + 3}`).join(", ");
  const rows = await db.all<{ userId: string; role: string }>(
    `SELECT "userId", "role" FROM "Membership" WHERE "level" = $1 AND "levelId" = $2 AND "userId" IN (${placeholders})
      ORDER BY "role"`,
    [level, levelId, ...userIds],
  );
  for (const { userId, role } of rows) found.set(userId, [...(found.get(userId) ?? []), role]);
  return found;
}

export const countMembers = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: FROM, where });

export async function readRolesAt(tx: Transaction, { level, levelId }: LevelRef, userId: string): Promise<string[]> {
  const rows = await tx.membership.findMany({ where: { userId, level, levelId }, select: { role: true } });
  return rows.map(({ role }) => role);
}

export async function deleteMembership(
  tx: Transaction,
  { level, levelId }: LevelRef,
  userId: string,
  role: string,
): Promise<void> {
  await tx.membership.delete({ where: { userId_level_levelId_role: { userId, level, levelId, role } } });
}
