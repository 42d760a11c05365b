/**
 * Rows of apps to be notified when a session ends (OpenID Connect Back-Channel Logout 1.0). A row is created when an
 * app first gets an answer in a session, so that it outlives the grants. Ending the session makes it due in the same
 * transaction. Several processes may deliver: each row is leased by one of them.
 */
import { newId } from "../../crypto/random";
import type { Database, Transaction } from "../database";

/** Times are epoch milliseconds. */
export interface LogoutNotificationRow {
  id: string;
  clientId: string;
  sessionId: string;
  userId: string;
  createdAt: number;
  nextAttemptAt: number;
  attempts: number;
  leaseUntil: number | null;
  deliveredAt: number | null;
  failedAt: number | null;
  lastError: string | null;
}

/**
 * Records that the app takes part in the session; repetitions have no effect.
 * @param sessionExpiresAt epoch milliseconds at which the row is due at the latest
 */
export async function noteSessionClient(
  db: Database,
  { sessionId, clientId, userId }: Pick<LogoutNotificationRow, "sessionId" | "clientId" | "userId">,
  now: number,
  sessionExpiresAt: number,
): Promise<void> {
  await db.run(
    `INSERT INTO "LogoutNotification"
            ("id", "clientId", "sessionId", "userId", "createdAt", "nextAttemptAt", "attempts")
     VALUES ($1, $2, $3, $4, $5, $6, 0) ON CONFLICT ("sessionId", "clientId") DO NOTHING`,
    [newId(), clientId, sessionId, userId, new Date(now), new Date(sessionExpiresAt)],
  );
}

/** Makes the rows of an ended session due, once this transaction is committed. */
export async function dueLogoutNotifications(tx: Transaction, sessionId: string, now: number): Promise<void> {
  await tx.logoutNotification.updateMany({
    where: { sessionId, deliveredAt: null, failedAt: null, attempts: 0 },
    data: { nextAttemptAt: new Date(now) },
  });
}

/**
 * Makes rows due whose session ended indirectly: by a password change or the deactivation of a user.
 * @returns the number of rows
 */
export function wakeLogoutNotifications(db: Database, now: number): Promise<number> {
  return db.run(
    `UPDATE "LogoutNotification" SET "nextAttemptAt" = $1
      WHERE "deliveredAt" IS NULL AND "failedAt" IS NULL AND "attempts" = 0 AND "nextAttemptAt" > $1
        AND "sessionId" IN (
          SELECT s."id" FROM "Session" s JOIN "User" u ON u."id" = s."userId"
           WHERE s."endedAt" IS NULL AND (s."authTime" < u."validFrom" OR u."state" <> 'active'))`,
    [new Date(now)],
  );
}

const DUE = `"deliveredAt" IS NULL AND "failedAt" IS NULL AND "nextAttemptAt" <= $1
        AND ("leaseUntil" IS NULL OR "leaseUntil" <= $1)`;

/** A leased row with the organization of its app. */
export interface LeasedLogoutNotification extends LogoutNotificationRow {
  /** Empty if the app was removed. */
  organizationId: string;
}

/** The number of candidate rows, because other processes take rows at the same time. */
const CANDIDATES = 8;

/**
 * Leases the next due row to the caller until `until`.
 * @param passedOver organizations whose rows are left to other processes
 */
export async function leaseLogoutNotification(
  db: Database,
  now: number,
  until: number,
  passedOver: readonly string[],
): Promise<LeasedLogoutNotification | undefined> {
  const others = passedOver.map((_, index) => `$${index + 2}`).join(", ");
  const due = await db.all<LeasedLogoutNotification>(
    `SELECT n."id", n."clientId", n."sessionId", n."userId", n."createdAt", n."nextAttemptAt", n."attempts",
            n."leaseUntil", n."deliveredAt", n."failedAt", n."lastError", COALESCE(p."organizationId", '') AS "organizationId"
       FROM "LogoutNotification" n LEFT JOIN "App" a ON a."clientId" = n."clientId"
            LEFT JOIN "Project" p ON p."id" = a."projectId"
      WHERE ${DUE} ${others && `AND COALESCE(p."organizationId", '') NOT IN (${others})`}
      ORDER BY n."nextAttemptAt", n."id" LIMIT ${CANDIDATES}`,
    [new Date(now), ...passedOver],
  );
  for (const row of due) {
    const taken = await db.run(`UPDATE "LogoutNotification" SET "leaseUntil" = $2 WHERE "id" = $3 AND ${DUE}`, [
      new Date(now),
      new Date(until),
      row.id,
    ]);
    if (taken === 1) return { ...row, leaseUntil: until };
  }
  return undefined;
}

type Held = Pick<LogoutNotificationRow, "id" | "leaseUntil">;

/** The result of an attempt. Times are epoch milliseconds. */
export type LogoutOutcome =
  | { kind: "delivered"; at: number }
  | { kind: "failed"; at: number; error: string }
  | { kind: "again"; at: number; error: string }
  /** Not attempted, because the session has not ended. */
  | { kind: "later"; at: number };

/** Ends the lease with the result. Returns false if the lease had expired, so that another process may have the row. */
export async function settleLogoutNotification(db: Database, held: Held, outcome: LogoutOutcome): Promise<boolean> {
  const { kind, at } = outcome;
  const sets = {
    delivered: `"deliveredAt" = $1, "lastError" = NULL, "attempts" = "attempts" + 1`,
    failed: `"failedAt" = $1, "lastError" = $2, "attempts" = "attempts" + 1`,
    again: `"nextAttemptAt" = $1, "lastError" = $2, "attempts" = "attempts" + 1`,
    later: `"nextAttemptAt" = $1`,
  }[kind];
  const error = "error" in outcome ? [outcome.error] : [];
  const first = 2 + error.length;
  const changed = await db.run(
    `UPDATE "LogoutNotification" SET ${sets}, "leaseUntil" = NULL WHERE "id" = $${first} AND "leaseUntil" = $${first + 1}`,
    [new Date(at), ...error, held.id, held.leaseUntil === null ? null : new Date(held.leaseUntil)],
  );
  return changed === 1;
}

export async function deleteLogoutNotification(db: Database, { id }: Held): Promise<void> {
  await db.run(`DELETE FROM "LogoutNotification" WHERE "id" = $1`, [id]);
}

/** Returns the state of a session: its expiry in epoch milliseconds, or "ended"; undefined if it has expired. */
export async function sessionValidity(
  db: Database,
  sessionId: string,
  now: number,
): Promise<number | "ended" | undefined> {
  const row = await db.one<{ expiresAt: number; ended: number }>(
    `SELECT s."expiresAt", (CASE WHEN s."endedAt" IS NOT NULL OR s."authTime" < u."validFrom" OR u."state" <> 'active'
            THEN 1 ELSE 0 END) AS "ended"
       FROM "Session" s JOIN "User" u ON u."id" = s."userId" WHERE s."id" = $1`,
    [sessionId],
  );
  if (!row) return undefined;
  if (row.ended === 1) return "ended";
  return row.expiresAt > now ? row.expiresAt : undefined;
}

/** An app's notifications, newest first. */
export function listLogoutNotifications(
  db: Database,
  clientId: string,
  limit: number,
): Promise<LogoutNotificationRow[]> {
  return db.all(
    `SELECT "id", "clientId", "sessionId", "userId", "createdAt", "nextAttemptAt", "attempts", "leaseUntil",
            "deliveredAt", "failedAt", "lastError"
       FROM "LogoutNotification" WHERE "clientId" = $1 ORDER BY "createdAt" DESC, "id" DESC LIMIT $2`,
    [clientId, limit],
  );
}
