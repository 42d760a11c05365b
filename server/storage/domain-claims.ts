/** People of other organizations whose user name ends in a domain. */
import type { Database, Transaction } from "./database";
import type { UserRow } from "./users";

/** Whose user names end in `@domain`, outside one organization; by index. */
export function readUsersUnderDomain(tx: Transaction, organizationId: string, domain: string): Promise<UserRow[]> {
  return tx.user.findMany({
    where: { userNameDomain: domain, kind: "human", NOT: { organizationId } },
    orderBy: { id: "asc" },
  });
}

export interface UserUnderDomain {
  userId: string;
  userName: string;
  organizationId: string;
  organizationName: string;
  /** Where the message would go; null: nowhere. */
  email: string | null;
}

/** The same, committed, the first `limit` of them. */
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
