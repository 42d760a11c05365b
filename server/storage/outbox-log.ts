/** Queued and settled messages for people to read: newest first, of one or all organizations; and deleting old ones. */
import type { Database, Value } from "./database";
import type { SettledState } from "./outbox";

export type MessageState = "queued" | SettledState;

/** Times are epoch milliseconds. */
export interface OutboxLogRow {
  id: string;
  type: string;
  organizationId: string;
  userId: string | null;
  recipient: string;
  state: MessageState;
  createdAt: number;
  nextAttemptAt: number;
  expiresAt: number | null;
  settledAt: number | null;
  attempts: number;
  lastAnswer: string | null;
  /** Without codes; null until the mail has been rendered. */
  subject: string | null;
}

export interface LogWanted {
  /** Undefined for all organizations. */
  organizationId?: string;
  /** The last row of the previous page. */
  after?: { createdAt: number; id: string };
  limit: number;
}

const COLUMNS = `"id", "type", "organizationId", "userId", "recipient", "state", "createdAt", "nextAttemptAt",
            "expiresAt", "settledAt", "attempts", "lastAnswer", "subject"`;

export function listOutboxLog(db: Database, { organizationId, after, limit }: LogWanted): Promise<OutboxLogRow[]> {
  const values: Value[] = [];
  const placed = (value: Value) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (organizationId !== undefined) conditions.push(`"organizationId" = ${placed(organizationId)}`);
  if (after) conditions.push(`("createdAt", "id") < (${placed(new Date(after.createdAt))}, ${placed(after.id)})`);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT ${COLUMNS} FROM "OutboxMessage" ${where}
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${placed(limit)}`;
  return db.all<OutboxLogRow>(sql, values);
}

export function findOutboxMessage(
  db: Database,
  id: string,
): Promise<(OutboxLogRow & { letter: string | null }) | undefined> {
  return db.one(`SELECT ${COLUMNS}, "letter" FROM "OutboxMessage" WHERE "id" = $1`, [id]);
}

/**
 * Puts a failed message back into the queue, due at once, with no attempts counted. False if it did not fail, or has
 * expired.
 */
export async function requeueOutboxMessage(db: Database, id: string, now: number): Promise<boolean> {
  const sql = `UPDATE "OutboxMessage" SET "state" = 'queued', "nextAttemptAt" = $1, "settledAt" = NULL, "letter" = NULL,
        "attempts" = 0
      WHERE "id" = $2 AND "state" = 'failed' AND ("expiresAt" IS NULL OR "expiresAt" > $1)`;
  return (await db.run(sql, [new Date(now), id])) === 1;
}

/** Deletes up to `limit` messages settled before a time; returns how many. */
export function deleteSettledMessages(db: Database, before: number, limit: number): Promise<number> {
  return db.run(
    `DELETE FROM "OutboxMessage" WHERE "id" IN (SELECT "id" FROM "OutboxMessage"
        WHERE "createdAt" < $1 AND "state" <> 'queued' ORDER BY "createdAt" LIMIT $2)`,
    [new Date(before), limit],
  );
}

const STATES: readonly MessageState[] = ["queued", "sent", "kept", "failed", "expired"];

export interface MessageCounts {
  byState: Record<MessageState, number>;
  /**
   * When the first queued message is due, epoch milliseconds (in the future if none is due yet); undefined if none is
   * queued.
   */
  dueSince: number | undefined;
}

/** Reads only the index. */
export async function countMessages(db: Database): Promise<MessageCounts> {
  const rows = await db.all<{ state: MessageState; count: number; first: number }>(
    `SELECT "state", CAST(COUNT(*) AS INTEGER) AS "count", MIN("nextAttemptAt") AS "first"
       FROM "OutboxMessage" GROUP BY "state"`,
    [],
  );
  const countOf = (state: MessageState) => rows.find((row) => row.state === state)?.count ?? 0;
  return {
    byState: Object.fromEntries(STATES.map((state) => [state, countOf(state)])) as Record<MessageState, number>,
    dueSince: rows.find(({ state }) => state === "queued")?.first,
  };
}
