/** Lists queued and settled messages, newest first, of one or all organizations; and deletes old ones. */
import type { Database } from "../database";
import { type Conditions, conditions } from "../listing";
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
  /** Without codes; null until the message has been rendered. */
  subject: string | null;
}

/** The filter of a list of messages; undefined members do not filter. */
export interface MessageFilter {
  /** Undefined for all organizations. */
  organizationId?: string;
  userId?: string;
  /** An address or its beginning, in any case. */
  recipient?: string;
  state?: MessageState;
  type?: string;
  /** When they were created, epoch milliseconds, both included. */
  from?: number;
  to?: number;
}

export interface LogWanted extends MessageFilter {
  /** The last row of the previous page. */
  after?: { createdAt: number; id: string };
  limit: number;
}

const COLUMNS = `"id", "type", "organizationId", "userId", "recipient", "state", "createdAt", "nextAttemptAt",
            "expiresAt", "settledAt", "attempts", "lastAnswer", "subject"`;

/** Appended to a text, it is greater than everything that begins with the text. */
const LAST = "\u{10ffff}";

/** Returns the conditions of a filter. All except the organization of the user have an index that ends in the time. */
function matching(filter: MessageFilter): Conditions {
  const where = conditions();
  const { organizationId, userId, recipient, state, type, from, to } = filter;
  const equal = { organizationId, userId, state, type };
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) where.all.push(`"${column}" = ${where.parameter(value)}`);
  }
  if (recipient !== undefined) {
    const begins = recipient.toLowerCase();
    where.all.push(
      `"recipientKey" >= ${where.parameter(begins)} AND "recipientKey" < ${where.parameter(begins + LAST)}`,
    );
  }
  if (from !== undefined) where.all.push(`"createdAt" >= ${where.parameter(new Date(from))}`);
  if (to !== undefined) where.all.push(`"createdAt" <= ${where.parameter(new Date(to))}`);
  return where;
}

export function listOutboxLog(db: Database, { after, limit, ...filter }: LogWanted): Promise<OutboxLogRow[]> {
  const where = matching(filter);
  if (after)
    where.all.push(
      `("createdAt", "id") < (${where.parameter(new Date(after.createdAt))}, ${where.parameter(after.id)})`,
    );
  const sql = `SELECT ${COLUMNS} FROM "OutboxMessage" ${where.all.length === 0 ? "" : `WHERE ${where.all.join(" AND ")}`}
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${where.parameter(limit)}`;
  return db.all<OutboxLogRow>(sql, where.values);
}

export function findOutboxMessage(
  db: Database,
  id: string,
): Promise<(OutboxLogRow & { letter: string | null; answers: string | null }) | undefined> {
  return db.one(`SELECT ${COLUMNS}, "letter", "answers" FROM "OutboxMessage" WHERE "id" = $1`, [id]);
}

/** Returns the UPDATE that queues failed messages again, due at once, with no attempts counted. */
function requeue(where: Conditions, now: number): string {
  const at = where.parameter(new Date(now));
  where.all.push(`"state" = 'failed'`, `("expiresAt" IS NULL OR "expiresAt" > ${at})`);
  return `UPDATE "OutboxMessage" SET "state" = 'queued', "nextAttemptAt" = ${at}, "settledAt" = NULL, "letter" = NULL,
        "attempts" = 0`;
}

/** Queues a failed message again. Returns false if the message did not fail or has expired. */
export async function requeueOutboxMessage(db: Database, id: string, now: number): Promise<boolean> {
  const where = conditions();
  where.all.push(`"id" = ${where.parameter(id)}`);
  const change = requeue(where, now);
  return (await db.run(`${change} WHERE ${where.all.join(" AND ")}`, where.values)) === 1;
}

/** Queues up to `limit` failed messages that match again, oldest first. Returns their number. */
export async function requeueOutboxMessages(
  db: Database,
  filter: MessageFilter,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const where = matching(filter);
  const change = requeue(where, now);
  const some = `SELECT "id" FROM "OutboxMessage" WHERE ${where.all.join(" AND ")}
      ORDER BY "createdAt", "id" LIMIT ${where.parameter(limit)}`;
  // Checked again: another process may have been faster.
  return db.run(`${change} WHERE "state" = 'failed' AND "id" IN (${some})`, where.values);
}

/** Deletes up to `limit` messages settled before a time. Returns their number. */
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

/** Counts messages by state. It reads only the index. */
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
