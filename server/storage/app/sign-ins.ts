/**
 * Finds the users who got tokens of an app. It is queried for few users with few grants each, so apps need no index.
 */
import type { Database } from "../database";

export interface AppSignInRow {
  userId: string;
  displayName: string;
  organizationId: string;
  grantId: string;
  /** Epoch milliseconds: when the app redeemed its code, or when it got its tokens if there was no code. */
  at: number;
}

/**
 * Returns the one of these users who most recently got tokens of the app, or undefined.
 * @param notTo a redirect URI that is not the app's own
 */
export function findLatestAppSignIn(
  db: Database,
  { clientId, userIds, notTo }: { clientId: string; userIds: readonly string[]; notTo: string },
): Promise<AppSignInRow | undefined> {
  const places = userIds.map((_, index) => `$${index + 3}`).join(", ");
  return db.lookUp<AppSignInRow>(
    `SELECT g."userId", g."id" AS "grantId", COALESCE(u."displayName", u."userName") AS "displayName", u."organizationId",
            COALESCE(g."codeConsumedAt", g."createdAt") AS "at"
       FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
      WHERE g."userId" IN (${places}) AND g."clientId" = $1 AND (g."codeConsumedAt" IS NOT NULL OR g."codeDigest" IS NULL)
        AND (g."redirectUri" IS NULL OR g."redirectUri" <> $2)
      ORDER BY 4 DESC LIMIT 1`,
    [clientId, notTo, ...userIds],
  );
}
