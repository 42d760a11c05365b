/**
 * Revokes grants: one grant with its token exchanges, the grants that end with a session, and those that an app or a
 * user ends.
 */
import type { Database, Transaction } from "../database";
import type { GrantRow } from "./grant";

/**
 * Revokes a grant with its code, refresh tokens and access tokens, and every grant that was exchanged from it.
 * @returns false if it has already ended
 */
export async function revokeGrantRow(tx: Transaction, id: string, now: number): Promise<boolean> {
  const revokedAt = new Date(now);
  const { count } = await tx.grant.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } });
  if (count === 1) {
    const exchanged = await tx.$queryRaw<{ id: string }[]>`
      WITH RECURSIVE "family"("id") AS (
        SELECT "id" FROM "Grant" WHERE "parentId" = ${id}
        UNION SELECT g."id" FROM "Grant" g JOIN "family" f ON g."parentId" = f."id")
      SELECT "id" FROM "family"`;
    await revokeAll(tx, exchanged, revokedAt);
  }
  return count === 1;
}

/**
 * The grants with refresh tokens that end with their session, in addition to all grants without refresh tokens: all,
 * those of the app that requested the sign-out, or none (rule SIGNOUT-4).
 */
export type EndingOffline = "all" | "none" | AskingApp;

/** The app that requests a sign-out. */
export interface AskingApp {
  clientId: string;
  /** The grant of the id_token_hint. */
  grantId: string | undefined;
}

/** Revokes grants of a session that ends. */
export async function revokeGrantsOfSession(
  tx: Transaction,
  sessionId: string,
  now: number,
  offline: EndingOffline,
): Promise<void> {
  const revokedAt = new Date(now);
  const open = { sessionId, revokedAt: null };
  const ending = offline === "all" ? open : { ...open, OR: [{ refreshIdleUntil: null }, ...grantsOfApp(offline)] };
  const { count } = await tx.grant.updateMany({ where: ending, data: { revokedAt } });
  if (count === 0 || offline === "all") return;
  // Grants that were exchanged from an ended grant end with it, with or without refresh tokens. They are read
  // afterwards, because an exchange locks its parent: this query sees what an exchange stored meanwhile.
  const exchanged = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE "family"("id") AS (
      SELECT c."id" FROM "Grant" p JOIN "Grant" c ON c."parentId" = p."id"
       WHERE p."sessionId" = ${sessionId} AND p."revokedAt" IS NOT NULL
      UNION SELECT g."id" FROM "Grant" g JOIN "family" f ON g."parentId" = f."id")
    SELECT "id" FROM "family"`;
  await revokeAll(tx, exchanged, revokedAt);
}

/**
 * The conditions for grants of the requesting app. A device has a grant without a code, which ends only if the device
 * itself requests it.
 */
function grantsOfApp(offline: "none" | AskingApp) {
  if (offline === "none") return [];
  const { clientId, grantId } = offline;
  const byBrowser = { clientId, OR: [{ codeDigest: { not: null } }, { parentId: { not: null } }] };
  return [byBrowser, ...(grantId === undefined ? [] : [{ clientId, id: grantId }])];
}

/** A grant and the organization of its user. */
export type OwnedGrant = Pick<GrantRow, "id" | "clientId" | "userId"> & { organizationId: string };

/**
 * Returns the open grants of an app with refresh tokens that came from a session, which may have ended, or that its
 * hint names.
 */
export function listOfflineGrants(
  db: Database,
  { clientId, userId, sessionId, grantId }: AskingApp & { userId: string; sessionId: string | undefined },
): Promise<OwnedGrant[]> {
  return db.all<OwnedGrant>(
    `SELECT g."id", g."clientId", g."userId", u."organizationId" FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
      WHERE g."clientId" = $1 AND g."userId" = $2 AND g."revokedAt" IS NULL AND g."refreshIdleUntil" IS NOT NULL
        AND (g."id" = $3 OR (g."sessionId" = $4 AND (g."codeDigest" IS NOT NULL OR g."parentId" IS NOT NULL)))`,
    [clientId, userId, grantId ?? "", sessionId ?? ""],
  );
}

/**
 * Returns the open grants of a user with refresh tokens, except those that an app got in the browser of this session.
 */
export function listOfflineGrantsElsewhere(db: Database, userId: string, sessionId: string): Promise<OwnedGrant[]> {
  return db.all<OwnedGrant>(
    `SELECT g."id", g."clientId", g."userId", u."organizationId" FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
      WHERE g."userId" = $1 AND g."revokedAt" IS NULL AND g."refreshIdleUntil" IS NOT NULL AND NOT (
        g."sessionId" IS NOT NULL AND g."sessionId" = $2 AND (g."codeDigest" IS NOT NULL OR g."parentId" IS NOT NULL))`,
    [userId, sessionId],
  );
}

/** Less than the maximum number of values of a statement. */
const CHUNK = 500;

async function revokeAll(tx: Transaction, rows: readonly { id: string }[], revokedAt: Date): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    const ids = rows.slice(start, start + CHUNK).map((row) => row.id);
    await tx.grant.updateMany({ where: { id: { in: ids }, revokedAt: null }, data: { revokedAt } });
  }
}
