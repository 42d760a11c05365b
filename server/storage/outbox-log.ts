/** Queued and settled messages as people look at them: newest first, by organization or all; old ones are removed. */
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
  /** Without codes; null until it was rendered. */
  subject: string | null;
}

export interface LogWanted {
  /** Undefined: of all organizations. */
  organizationId?: string;
  /** What comes after this row in the list. */
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

/** Puts a failed message back into the queue, due at once and not tried yet. False: it did not fail, or has expired. */
export async function requeueOutboxMessage(db: Database, id: string, now: number): Promise<boolean> {
  const sql = `UPDATE "OutboxMessage" SET "state" = 'queued', "nextAttemptAt" = $1, "settledAt" = NULL, "letter" = NULL,
        "attempts" = 0
      WHERE "id" = $2 AND "state" = 'failed' AND ("expiresAt" IS NULL OR "expiresAt" > $1)`;
  return (await db.run(sql, [new Date(now), id])) === 1;
}

/** Removes up to `limit` settled messages from before an instant; returns how many went. */
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
  /** Epoch milliseconds since when the first queued one is due; in the future where none is; undefined without any. */
  dueSince: number | undefined;
}

/** By index alone. */
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
