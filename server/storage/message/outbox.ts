/**
 * Rows of messages to be sent, stored in the same transaction as their cause. The process that sends a message holds
 * its lease. One conditional statement takes it, so that two processes never send a row at the same time, and it
 * expires, so that another process takes over the row if the first was killed.
 */
import type { Expression } from "kysely";
import type { Database, Transaction } from "../database";
import { write } from "../in-transaction";
import { bind, columnsIn, listStatement, type Params, statement, tables } from "../statement";
import { withDeliveryAttempt } from "./delivery-attempts";
import { noteQueued } from "./outbox-signal";

/** How a message is sent; a webhook is called for emails and for text messages. */
export type OutboxChannel = "email" | "sms" | "webhook";

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

/** Queues messages, due at once. Whether a webhook is called is decided at each attempt, which corrects the channel. */
export async function insertOutboxMessages(tx: Transaction, messages: readonly NewOutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => ({
    ...message,
    recipientKey: message.recipient.toLowerCase(),
    nextAttemptAt: message.createdAt,
    attempts: 0,
    channel: message.recipient.includes("@") ? "email" : "sms",
  }));
  await write(tx, bind(tables.insertInto("OutboxMessage").values(rows)));
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

type LeaseParams = Params<{ now: number; leaseId: string; until: number }>;

function isDue($: LeaseParams) {
  const eb = columnsIn<{ m: "OutboxMessage" }>();
  const isFree = eb.or([eb("m.leaseUntil", "is", null), eb("m.leaseUntil", "<=", $("now"))]);
  return eb.and([eb("m.state", "=", "queued"), eb("m.nextAttemptAt", "<=", $("now")), isFree]);
}

/**
 * Returns the query for the next due message. Its order is exactly that of the index, otherwise every lease would sort
 * all due messages. Messages to a user are sent in order: a later one waits for an earlier one, unless that has
 * expired. This applies only to the same address: after the correction of a mistyped address, messages do not wait for
 * the mail server of the wrong one.
 */
function next($: LeaseParams, passedOver: Expression<string>[]) {
  const messages = tables
    .selectFrom("OutboxMessage as m")
    .select("m.id")
    .where(isDue($))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("OutboxMessage as e")
            .select("e.id")
            .whereRef("e.userId", "=", "m.userId")
            .whereRef("e.recipient", "=", "m.recipient")
            .where("e.state", "=", "queued")
            .where((eb) => eb.or([eb("e.expiresAt", "is", null), eb("e.expiresAt", ">", $("now"))]))
            .where((eb) => eb(eb.refTuple("e.createdAt", "e.id"), "<", eb.refTuple("m.createdAt", "m.id"))),
        ),
      ),
    )
    .orderBy("m.nextAttemptAt")
    .limit(1);
  return passedOver.length === 0 ? messages : messages.where("m.organizationId", "not in", passedOver);
}

const look = listStatement(next);

const take = (kind: Database["kind"]) =>
  listStatement(($: LeaseParams, passedOver) => {
    const chosen = next($, passedOver);
    return tables
      .updateTable("OutboxMessage as m")
      .set((eb) => ({ leaseId: $("leaseId"), leaseUntil: $("until"), attempts: eb("m.attempts", "+", 1) }))
      .where("m.id", "=", kind === "postgresql" ? chosen.forUpdate("m").skipLocked() : chosen)
      .where(isDue($));
  });
const takeOn = { sqlite: take("sqlite"), postgresql: take("postgresql") };

const leased = statement(($: Params<{ leaseId: string }>) =>
  tables
    .selectFrom("OutboxMessage")
    .select(["id", "type", "organizationId", "userId", "recipient", "payload", "createdAt", "expiresAt", "attempts"])
    .select(["leaseId", "letter", "answers"])
    .where("leaseId", "=", $("leaseId"))
    .$narrowType<{ payload: Record<string, unknown>; leaseId: string }>(),
);

/** Leases the next due message; returns undefined if no message is due or another process was faster. */
export async function leaseOutboxMessage(
  db: Database,
  { leaseId, now, until, passedOver = [] }: Lease,
): Promise<LeasedMessage | undefined> {
  const values = { leaseId, now, until };
  // Reading first keeps an idle service from constantly taking SQLite's write lock.
  if (!(await db.one(look(values, passedOver)))) return undefined;
  if ((await db.run(takeOn[db.kind](values, passedOver))) === 0) return undefined;
  return db.one(leased({ leaseId }));
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
export async function storeEmail(db: Database, held: Held, { subject, letter }: Rendered): Promise<boolean> {
  return (await db.run(bind(change(held).set({ subject, letter })))) === 1;
}

/** Changes a queued row while its lease is held. */
const change = ({ id, leaseId }: Held) =>
  tables.updateTable("OutboxMessage").where((eb) => eb.and({ id, leaseId, state: "queued" }));

export type SettledState = "sent" | "kept" | "failed" | "expired";

export interface Settlement {
  state: SettledState;
  now: number;
  /** The response of the mail server, or the reason why the message was not sent. */
  answer: string;
  /** Replaces the stored mail, sealed; undefined keeps it. */
  letter?: string;
  /** How it was sent; undefined if the last attempt came to no provider. */
  channel?: OutboxChannel;
}

type Tried = Held & Pick<LeasedMessage, "answers">;

/** Settles a queued row. Returns false if the lease was lost. */
export async function settleOutboxMessage(db: Database, tried: Tried, end: Settlement): Promise<boolean> {
  const { state, now, answer, letter, channel } = end;
  const settled = change(tried).set({ state, settledAt: now, letter, channel, ...attempted(tried, now, answer) });
  return (await db.run(bind(settled))) === 1;
}

/** Ends the lease; the next attempt is at `nextAttemptAt`. Returns false if the lease was lost. */
export async function postponeOutboxMessage(
  db: Database,
  tried: Tried,
  { now, nextAttemptAt, answer, channel }: Pick<Settlement, "now" | "answer" | "channel"> & { nextAttemptAt: number },
): Promise<boolean> {
  const postponed = change(tried).set({ nextAttemptAt, channel, ...attempted(tried, now, answer) });
  return (await db.run(bind(postponed))) === 1;
}

/** The columns that every ended attempt changes. */
const attempted = ({ answers }: Tried, at: number, answer: string) => ({
  lastAnswer: answer,
  answers: withDeliveryAttempt(answers, { at, answer }),
  leaseId: null,
  leaseUntil: null,
});
