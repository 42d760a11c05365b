/** Lists queued and settled messages, newest first, of one or all organizations; and deletes old ones. */
import type { Database } from "../database";
import type { Filter } from "../pages";
import { bind, columnsIn, type Params, statement, tables } from "../statement";
import type { OutboxChannel, SettledState } from "./outbox";

export type MessageState = "queued" | SettledState;

type Narrowed = Pick<OutboxLogRow, "state" | "channel">;

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
  /** Null in rows of releases without channels. */
  channel: OutboxChannel | null;
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
  channel?: OutboxChannel;
  /** When they were created, epoch milliseconds, both included. */
  from?: number;
  to?: number;
}

export interface LogWanted extends MessageFilter {
  /** The last row of the previous page. */
  after?: { createdAt: number; id: string };
  limit: number;
}

const eb = columnsIn<{ x: "OutboxMessage" }>();

const COLUMNS = [
  ...(["x.id", "x.type", "x.organizationId", "x.userId", "x.recipient", "x.state", "x.createdAt"] as const),
  ...([
    "x.nextAttemptAt",
    "x.expiresAt",
    "x.settledAt",
    "x.attempts",
    "x.lastAnswer",
    "x.channel",
    "x.subject",
  ] as const),
] as const;

/** Rows without a channel count as emails, as most of them are. */
function hasChannel(channel: OutboxChannel) {
  const given = eb("x.channel", "=", channel);
  return channel === "email" ? eb.or([given, eb("x.channel", "is", null)]) : given;
}

/** Appended to a text, it is greater than everything that begins with the text. */
const LAST = "\u{10ffff}";

/** Returns the conditions of a filter. All except the channel have an index that ends in the time. */
function matching({ organizationId, userId, recipient, state, type, channel, from, to }: MessageFilter): Filter {
  const where: Filter = [];
  if (organizationId !== undefined) where.push(eb("x.organizationId", "=", organizationId));
  if (userId !== undefined) where.push(eb("x.userId", "=", userId));
  if (state !== undefined) where.push(eb("x.state", "=", state));
  if (type !== undefined) where.push(eb("x.type", "=", type));
  if (channel !== undefined) where.push(hasChannel(channel));
  if (recipient !== undefined) {
    const begins = recipient.toLowerCase();
    where.push(eb("x.recipientKey", ">=", begins), eb("x.recipientKey", "<", begins + LAST));
  }
  if (from !== undefined) where.push(eb("x.createdAt", ">=", from));
  if (to !== undefined) where.push(eb("x.createdAt", "<=", to));
  return where;
}

export function listOutboxLog(db: Database, { after, limit, ...filter }: LogWanted): Promise<OutboxLogRow[]> {
  const where = matching(filter);
  if (after) where.push(eb(eb.refTuple("x.createdAt", "x.id"), "<", eb.tuple(after.createdAt, after.id)));
  const messages = tables.selectFrom("OutboxMessage as x").select(COLUMNS).$narrowType<Narrowed>();
  const found = where.reduce((query, condition) => query.where(condition), messages);
  return db.all(bind(found.orderBy("x.createdAt", "desc").orderBy("x.id", "desc").limit(limit)));
}

const message = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("OutboxMessage as x")
    .select([...COLUMNS, "x.letter", "x.answers"])
    .where("x.id", "=", $("id"))
    .$narrowType<Narrowed>(),
);

export function findOutboxMessage(
  db: Database,
  id: string,
): Promise<(OutboxLogRow & { letter: string | null; answers: string | null }) | undefined> {
  return db.one(message({ id }));
}

/** Queues failed messages again, due at once, with no attempts counted. */
const requeue = (now: number) =>
  tables
    .updateTable("OutboxMessage as x")
    .set({ state: "queued", nextAttemptAt: now, settledAt: null, letter: null, attempts: 0 })
    .where("x.state", "=", "failed");

const isNotExpired = (now: number) => eb.or([eb("x.expiresAt", "is", null), eb("x.expiresAt", ">", now)]);

/** Queues a failed message again. Returns false if the message did not fail or has expired. */
export async function requeueOutboxMessage(db: Database, id: string, now: number): Promise<boolean> {
  return (await db.run(bind(requeue(now).where("x.id", "=", id).where(isNotExpired(now))))) === 1;
}

/** Queues up to `limit` failed messages that match again, oldest first. Returns their number. */
export async function requeueOutboxMessages(
  db: Database,
  filter: MessageFilter,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const some = tables
    .selectFrom("OutboxMessage as x")
    .select("x.id")
    .where(eb.and([...matching(filter), eb("x.state", "=", "failed"), isNotExpired(now)]))
    .orderBy("x.createdAt")
    .orderBy("x.id")
    .limit(limit);
  // The state is checked again: another process may have been faster.
  return db.run(bind(requeue(now).where("x.id", "in", some)));
}

const deleteSettled = statement(($: Params<{ before: number; limit: number }>) =>
  tables
    .deleteFrom("OutboxMessage")
    .where("id", "in", (of) =>
      of
        .selectFrom("OutboxMessage")
        .select("id")
        .where("createdAt", "<", $("before"))
        .where("state", "<>", "queued")
        .orderBy("createdAt")
        .limit($("limit")),
    ),
);

/** Deletes up to `limit` messages settled before a time. Returns their number. */
export function deleteSettledMessages(db: Database, before: number, limit: number): Promise<number> {
  return db.run(deleteSettled({ before, limit }));
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

const counts = statement(() =>
  tables
    .selectFrom("OutboxMessage")
    .select("state")
    .select((of) => [of.cast<number>(of.fn.countAll(), "integer").as("count"), of.fn.min("nextAttemptAt").as("first")])
    .groupBy("state")
    .$narrowType<{ state: MessageState }>(),
);

/** Counts messages by state. It reads only the index. */
export async function countMessages(db: Database): Promise<MessageCounts> {
  const rows = await db.all(counts());
  const countOf = (state: MessageState) => rows.find((row) => row.state === state)?.count ?? 0;
  return {
    byState: Object.fromEntries(STATES.map((state) => [state, countOf(state)])) as Record<MessageState, number>,
    dueSince: rows.find(({ state }) => state === "queued")?.first,
  };
}
