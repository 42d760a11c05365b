/**
 * Rows of messages to be sent, stored in the same transaction as their cause. The process that sends a message holds
 * its lease. One conditional statement takes it, so that two processes never send a row at the same time, and it
 * expires, so that another process takes over the row if the first was killed.
 */
import type { Database, Transaction } from "../database";
import { readJson } from "../json-column";
import { withDeliveryAttempt } from "./delivery-attempts";
import { noteQueued } from "./outbox-signal";

/** Times are epoch milliseconds. */
export interface NewOutboxMessage {
  id: string;
  type: string;
  organizationId: string;
  userId: string | null;
  recipient: string;
  payload: Record<string, unknown>;
  createdAt: number;
  /** Not to be sent after this time, for instance because its code has expired. */
  expiresAt: number | null;
}

/** Queues messages, due at once. */
export async function insertOutboxMessages(tx: Transaction, messages: readonly NewOutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.outboxMessage.createMany({
    data: messages.map((message) => ({
      ...message,
      recipientKey: message.recipient.toLowerCase(),
      payload: message.payload as object,
      createdAt: new Date(message.createdAt),
      nextAttemptAt: new Date(message.createdAt),
      expiresAt: message.expiresAt === null ? null : new Date(message.expiresAt),
      attempts: 0,
    })),
  });
  noteQueued(tx);
}

/** A row that is being sent. */
export interface LeasedMessage extends NewOutboxMessage {
  leaseId: string;
  /** The number of attempts, including this one. */
  attempts: number;
  /** The message as rendered for an earlier attempt, sealed. */
  letter: string | null;
  /** The stored results of earlier attempts. */
  answers: string | null;
}

export interface Lease {
  /** Unique to this lease. */
  leaseId: string;
  now: number;
  until: number;
  /** Organizations whose messages are left to other processes. */
  passedOver?: readonly string[];
}

const DUE = `m."state" = 'queued' AND m."nextAttemptAt" <= $1 AND (m."leaseUntil" IS NULL OR m."leaseUntil" <= $1)`;
// Messages to a user are sent in order: a later one waits for an earlier one, unless that has expired. This applies
// only to the same address: after the correction of a mistyped address, messages do not wait for the mail server of the
// wrong one.
const FIRST_OF_USER = `NOT EXISTS (SELECT 1 FROM "OutboxMessage" e
      WHERE e."userId" = m."userId" AND e."state" = 'queued' AND (e."expiresAt" IS NULL OR e."expiresAt" > $1)
        AND (e."createdAt", e."id") < (m."createdAt", m."id") AND e."recipient" = m."recipient")`;

/**
 * Returns the query for the next due message. Its order is exactly that of the index, otherwise every lease would sort
 * all due messages.
 * @param first the number of the placeholder of the first organization that is passed over
 */
function next(passedOver: readonly string[], first: number): string {
  const others =
    passedOver.length === 0
      ? ""
      : `AND m."organizationId" NOT IN (${passedOver.map((_, index) => `$${first + index}`).join(", ")})`;
  return `SELECT m."id" FROM "OutboxMessage" m WHERE ${DUE} ${others} AND ${FIRST_OF_USER}
    ORDER BY m."nextAttemptAt" LIMIT 1`;
}

/** Leases the next due message; returns undefined if no message is due or another process was faster. */
export async function leaseOutboxMessage(db: Database, lease: Lease): Promise<LeasedMessage | undefined> {
  const { leaseId, now, until, passedOver = [] } = lease;
  // Reading first keeps an idle service from constantly taking SQLite's write lock.
  if (!(await db.one(next(passedOver, 2), [new Date(now), ...passedOver]))) return undefined;
  const chosen = next(passedOver, 4);
  const locked = db.kind === "postgresql" ? `${chosen} FOR UPDATE OF m SKIP LOCKED` : chosen;
  const taken = await db.run(
    `UPDATE "OutboxMessage" AS m SET "leaseId" = $2, "leaseUntil" = $3, "attempts" = m."attempts" + 1
      WHERE m."id" = (${locked}) AND ${DUE}`,
    [new Date(now), leaseId, new Date(until), ...passedOver],
  );
  if (taken === 0) return undefined;
  const row = await db.one<LeasedMessage>(
    `SELECT "id", "type", "organizationId", "userId", "recipient", "payload", "createdAt", "expiresAt", "attempts",
            "leaseId", "letter", "answers"
       FROM "OutboxMessage" WHERE "leaseId" = $1`,
    [leaseId],
  );
  return row && { ...row, payload: readJson(row.payload) };
}

type Held = Pick<LeasedMessage, "id" | "leaseId">;

export interface Rendered {
  /** Without codes. */
  subject: string;
  /** Sealed. */
  letter: string;
}

/**
 * Stores the rendered mail before it is sent, so that later attempts send the same. Returns false if the lease was
 * lost.
 */
export async function storeEmail(db: Database, { id, leaseId }: Held, { subject, letter }: Rendered): Promise<boolean> {
  const sql = `UPDATE "OutboxMessage" SET "subject" = $1, "letter" = $2
      WHERE "id" = $3 AND "leaseId" = $4 AND "state" = 'queued'`;
  return (await db.run(sql, [subject, letter, id, leaseId])) === 1;
}

export type SettledState = "sent" | "kept" | "failed" | "expired";

export interface Settlement {
  state: SettledState;
  now: number;
  /** The response of the mail server, or the reason why the message was not sent. */
  answer: string;
  /** Replaces the stored mail, sealed; undefined keeps it. */
  letter?: string;
}

type Tried = Held & Pick<LeasedMessage, "answers">;

/** Settles a queued row. Returns false if the lease was lost. */
export async function settleOutboxMessage(db: Database, tried: Tried, end: Settlement): Promise<boolean> {
  const { state, now, answer, letter = null } = end;
  const sql = `UPDATE "OutboxMessage" SET "state" = $1, "settledAt" = $2, "lastAnswer" = $3, "answers" = $4,
        "letter" = COALESCE($5, "letter"), "leaseId" = NULL, "leaseUntil" = NULL
      WHERE "id" = $6 AND "leaseId" = $7 AND "state" = 'queued'`;
  const answers = withDeliveryAttempt(tried.answers, { at: now, answer });
  const values = [state, new Date(now), answer, answers, letter, tried.id, tried.leaseId];
  return (await db.run(sql, values)) === 1;
}

/** Ends the lease; the next attempt is at `nextAttemptAt`. Returns false if the lease was lost. */
export async function postponeOutboxMessage(
  db: Database,
  tried: Tried,
  { now, nextAttemptAt, answer }: { now: number; nextAttemptAt: number; answer: string },
): Promise<boolean> {
  const sql = `UPDATE "OutboxMessage" SET "nextAttemptAt" = $1, "lastAnswer" = $2, "answers" = $3, "leaseId" = NULL,
        "leaseUntil" = NULL
      WHERE "id" = $4 AND "leaseId" = $5 AND "state" = 'queued'`;
  const answers = withDeliveryAttempt(tried.answers, { at: now, answer });
  return (await db.run(sql, [new Date(nextAttemptAt), answer, answers, tried.id, tried.leaseId])) === 1;
}
