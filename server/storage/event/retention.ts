/**
 * Finds and removes old events. A process that removes events holds a database lock for one batch, so that processes
 * never work on the same rows. The lock ends with its transaction, also if the process is killed.
 */
import type { Database, Transaction } from "../database";
import { Prisma } from "../generated/sqlite/client";
import { readJson } from "../json-column";
import type { EventRow } from "./list";

/**
 * Events that are kept permanently, because rules depend on them: whether a code that is still valid may have gone
 * through the mail server of an organization (`hadOwnMailServer`). After each of them a mail server is no longer used.
 * They are rare. The first was recorded while there was only one.
 */
export const LASTING_EVENTS = [
  "organization.mail_settings.removed",
  "organization.email_provider.deactivated",
  "organization.email_provider.removed",
] as const;

/** The event that a batch ended with. */
export type LastRemoved = Pick<EventRow, "createdAt" | "position">;

export interface OldEvents {
  /** Epoch milliseconds; events of this time are kept. */
  before: number;
  /** The end of the previous batch: older events are not searched again. Undefined starts with the oldest event. */
  after?: LastRemoved | undefined;
  limit: number;
}

/** The condition for removable events, in SQL because Prisma accepts no position beyond 32 bits. */
function removable({ before, after }: OldEvents): Prisma.Sql {
  const old = Prisma.sql`"createdAt" < ${new Date(before)} AND "type" NOT IN (${Prisma.join([...LASTING_EVENTS])})`;
  if (!after) return old;
  const at = new Date(after.createdAt);
  return Prisma.sql`${old} AND "createdAt" >= ${at}
    AND ("createdAt" > ${at} OR "position" > CAST(${String(after.position)} AS BIGINT))`;
}

/** The result of a batch. `busy`: another process removes events. `last` is missing if there was nothing to remove. */
export type Batch = { removed: number; last?: LastRemoved | undefined } | { failure: string } | "busy";

/**
 * Removes up to `limit` of the oldest events before a time after `archive` has returned undefined. Any other result is
 * the reason why it failed, and then nothing is removed. `archive` may be called with the same events again.
 */
export function removeEventsBefore(
  db: Database,
  wanted: OldEvents,
  archive: (events: readonly EventRow[]) => Promise<string | undefined>,
): Promise<Batch> {
  const remove = (tx: Transaction, events: readonly EventRow[]) =>
    tx.$executeRaw`DELETE FROM "Event" WHERE ${timeOf(events)} AND "position" IN (${Prisma.join(
      events.map(({ position }) => Prisma.sql`CAST(${String(position)} AS BIGINT)`),
    )})`;
  const batch = async (
    reader: Pick<Transaction, "$queryRaw">,
    end: (events: readonly EventRow[]) => Promise<number>,
  ): Promise<Batch> => {
    const events = await readOldest(reader, wanted);
    if (events.length === 0) return { removed: 0 };
    const failure = await archive(events);
    return failure === undefined ? { removed: await end(events), last: events.at(-1) } : { failure };
  };
  // One process serves an embedded database. Its write lock, for which all writers wait, is not held while files are
  // written.
  if (db.kind === "sqlite") return batch(db.prisma, (events) => db.transaction((tx) => remove(tx, events)));
  return db.transaction(async (tx) => ((await takeTurn(tx)) ? batch(tx, (events) => remove(tx, events)) : "busy"));
}

/** The condition for the time range of these ordered events: partitions of other months are not read. */
const timeOf = (events: readonly EventRow[]): Prisma.Sql =>
  Prisma.sql`"createdAt" >= ${new Date(events[0]?.createdAt ?? 0)} AND "createdAt" <= ${new Date(events.at(-1)?.createdAt ?? 0)}`;

async function takeTurn(tx: Transaction): Promise<boolean> {
  const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('events that are removed', 0)) AS "mine"`;
  return turn?.mine === true;
}

async function readOldest(reader: Pick<Transaction, "$queryRaw">, wanted: OldEvents): Promise<EventRow[]> {
  const rows = await reader.$queryRaw<RawEvent[]>`
    SELECT "position", "aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "requestId",
           "address", "clientId", "payload", "createdAt"
      FROM "Event" WHERE ${removable(wanted)} ORDER BY "createdAt", "position" LIMIT ${wanted.limit}`;
  return rows.map((row) => ({
    ...row,
    position: Number(row.position),
    sequence: Number(row.sequence),
    payload: readJson(row.payload),
    createdAt: Number(row.createdAt),
  }));
}

/**
 * An event as the drivers return it: times are a Date from PostgreSQL and a number from SQLite; JSON is text from
 * SQLite.
 */
type RawEvent = Omit<EventRow, "position" | "sequence" | "createdAt"> &
  Record<"position" | "sequence", number | bigint> & { createdAt: Date | number | bigint };

/** Returns when the oldest removable event was recorded, epoch milliseconds; undefined if no such event exists. */
export async function oldestEvent(db: Database): Promise<number | undefined> {
  const sql = `SELECT "createdAt" FROM "Event" WHERE "type" NOT IN ($1, $2, $3) ORDER BY "createdAt" LIMIT 1`;
  return (await db.one<{ createdAt: number }>(sql, [...LASTING_EVENTS]))?.createdAt;
}
