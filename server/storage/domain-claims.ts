/** Users of other organizations whose user name ends in a domain. */
import type { Database, Transaction } from "./database";
import { Prisma } from "./generated/sqlite/client";
import type { UserRow } from "./users";

/** Users with names ending in `@domain`, outside one organization; uses an index. */
export function readUsersUnderDomain(tx: Transaction, organizationId: string, domain: string): Promise<UserRow[]> {
  return tx.user.findMany({
    where: { userNameDomain: domain, kind: "human", NOT: { organizationId } },
    orderBy: { id: "asc" },
  });
}

/** Gives machines outside the organization, with names ending in `@domain`, login names under another domain. */
export async function releaseLoginNames(
  tx: Transaction,
  of: { organizationId: string; domain: string; temporaryDomain: string },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "User" SET "loginNameKey" = "id" || '@' || ${of.temporaryDomain}
     WHERE "userNameDomain" = ${of.domain} AND "kind" = 'machine' AND "organizationId" <> ${of.organizationId}`;
}

export type Renamed = Pick<UserRow, "id" | "userName" | "userNameKey" | "userNameDomain" | "loginNameKey">;

const CHUNK = 500;

/** Renames the users, with one statement for every 500. */
export async function renameUsers(tx: Transaction, renamed: readonly Renamed[], now: number): Promise<void> {
  const at = new Date(now);
  for (let start = 0; start < renamed.length; start += CHUNK) {
    const rows = renamed
      .slice(start, start + CHUNK)
      .map(
        (row) =>
          Prisma.sql`(${row.id}, ${row.userName}, ${row.userNameKey}, ${row.userNameDomain}, ${row.loginNameKey})`,
      );
    // Both databases name the columns of VALUES column1, column2 and so on.
    await tx.$executeRaw`
      UPDATE "User" SET "userName" = v.column2, "userNameKey" = v.column3, "userNameDomain" = v.column4,
             "loginNameKey" = v.column5, "changedAt" = ${at}
        FROM (VALUES ${Prisma.join(rows)}) AS v WHERE "User"."id" = v.column1`;
  }
}

export interface UserUnderDomain {
  userId: string;
  userName: string;
  organizationId: string;
  organizationName: string;
  /** Where the message would be sent; null if nowhere. */
  email: string | null;
}

/** The first `limit` of the same users, outside a transaction. */
export function listUsersUnderDomain(
  db: Database,
  wanted: { organizationId: string; domain: string; limit: number },
): Promise<UserUnderDomain[]> {
  return db.all<UserUnderDomain>(
    `SELECT u."id" AS "userId", u."userName", u."organizationId", o."name" AS "organizationName", u."email"
       FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE u."userNameDomain" = $1 AND u."organizationId" <> $2 AND u."kind" = 'human'
      ORDER BY u."id" LIMIT $3`,
    [wanted.domain, wanted.organizationId, wanted.limit],
  );
}

export async function countUsersUnderDomain(db: Database, organizationId: string, domain: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT CAST(COUNT(*) AS INTEGER) AS "n" FROM "User"
      WHERE "userNameDomain" = $1 AND "organizationId" <> $2 AND "kind" = 'human'`,
    [domain, organizationId],
  );
  return row?.n ?? 0;
}
