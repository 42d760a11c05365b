/** The apps that a user has given access: active grants and stored consents, with the names of the apps. */
import type { Database, Transaction } from "../database";

/** Times are epoch milliseconds. */
export interface ActiveGrantRow {
  id: string;
  clientId: string;
  scope: string;
  createdAt: number;
  /** When a token was last issued for it. */
  usedAt: number;
  /** Null for a client without an app: the console. */
  appName: string | null;
  organizationName: string | null;
}

/**
 * Returns the grants of a user that are valid at `now`, most recently used first. Such a grant is redeemed; it is not
 * revoked, expired, idle for too long or older than the last password change; and its session has not ended, unless the
 * grant outlives the session.
 */
export function listActiveGrants(db: Database, userId: string, now: number): Promise<ActiveGrantRow[]> {
  return db.all<ActiveGrantRow>(
    `SELECT g."id", g."clientId", g."scope", g."createdAt",
            COALESCE(g."refreshedAt", g."codeConsumedAt", g."createdAt") AS "usedAt",
            a."name" AS "appName", o."name" AS "organizationName"
       FROM "Grant" g
       JOIN "User" u ON u."id" = g."userId"
       LEFT JOIN "Session" s ON s."id" = g."sessionId"
       LEFT JOIN "App" a ON a."clientId" = g."clientId"
       LEFT JOIN "Project" p ON p."id" = a."projectId"
       LEFT JOIN "Organization" o ON o."id" = p."organizationId"
      WHERE g."userId" = $1 AND g."revokedAt" IS NULL AND g."expiresAt" > $2
        AND (g."refreshIdleUntil" IS NULL OR g."refreshIdleUntil" > $2)
        AND (g."codeDigest" IS NULL OR g."codeConsumedAt" IS NOT NULL)
        AND g."createdAt" >= u."validFrom" AND (s."endedAt" IS NULL OR g."refreshIdleUntil" IS NOT NULL)
      ORDER BY "usedAt" DESC, g."id" DESC`,
    [userId, new Date(now)],
  );
}

/** An app that a user has consented to, with or without a current grant. Times are epoch milliseconds. */
export type ConsentedAppRow = Omit<ActiveGrantRow, "id">;

export function listConsentedApps(db: Database, userId: string): Promise<ConsentedAppRow[]> {
  return db.all<ConsentedAppRow>(
    `SELECT c."clientId", c."scope", c."createdAt", c."changedAt" AS "usedAt",
            a."name" AS "appName", o."name" AS "organizationName"
       FROM "Consent" c
       JOIN "App" a ON a."clientId" = c."clientId"
       JOIN "Project" p ON p."id" = a."projectId"
       JOIN "Organization" o ON o."id" = p."organizationId"
      WHERE c."userId" = $1 ORDER BY c."changedAt" DESC, c."clientId"`,
    [userId],
  );
}

/** Returns all grants of a user to a client that are valid at `now`, including those whose code is not redeemed yet. */
export async function readValidGrants(
  tx: Transaction,
  { userId, clientId }: { userId: string; clientId: string },
  now: number,
): Promise<string[]> {
  const rows = await tx.grant.findMany({
    where: { userId, clientId, revokedAt: null, expiresAt: { gt: new Date(now) } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return rows.map(({ id }) => id);
}

/** Returns the names of the apps with these client ids, as pairs. Other clients are left out. */
export async function listAppNames(db: Database, clientIds: readonly string[]): Promise<[string, string][]> {
  if (clientIds.length === 0) return [];
  const wanted = clientIds.map((_, index) => `$${index + 1}`).join(", ");
  const sql = `SELECT "clientId", "name" FROM "App" WHERE "clientId" IN (${wanted})`;
  const rows = await db.all<{ clientId: string; name: string }>(sql, clientIds);
  return rows.map(({ clientId, name }) => [clientId, name]);
}
