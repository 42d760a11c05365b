/**
 * Finds and removes old events. A process that removes events holds a database lock for one batch, so that processes
 * never work on the same rows. The lock ends with its transaction, also if the process is killed.
 */
import { sql } from "kysely";
import type { Database, Transaction } from "../database";
import { readAll, readOne, write } from "../in-transaction";
import { bind, columnsIn, statement, tables } from "../statement";
import { EVENT_COLUMNS, type EventRow } from "./list";

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

const eb = columnsIn<{ e: "Event" }>();

/** 64 bits, whatever the driver takes a number for. */
const position = (at: number) => eb.cast<number>(eb.val(String(at)), "bigint");

/** Selects the oldest removable events. */
function oldest({ before, after, limit }: OldEvents) {
  const old = tables
    .selectFrom("Event as e")
    .select(EVENT_COLUMNS)
    .where("e.createdAt", "<", before)
    .where("e.type", "not in", LASTING_EVENTS)
    .orderBy("e.createdAt")
    .orderBy("e.position")
    .limit(limit)
    .$castTo<EventRow>();
  if (!after) return old;
  const at = after.createdAt;
  const isLater = eb.or([eb("e.createdAt", ">", at), eb("e.position", ">", position(after.position))]);
  return old.where("e.createdAt", ">=", at).where(isLater);
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
  const remove = (tx: Transaction, events: readonly EventRow[]) => write(tx, bind(removal(events)));
  const batch = async (
    reader: Pick<Transaction, "$queryRaw">,
    end: (events: readonly EventRow[]) => Promise<number>,
  ): Promise<Batch> => {
    const events = await readAll(reader, bind(oldest(wanted)));
    if (events.length === 0) return { removed: 0 };
    const failure = await archive(events);
    return failure === undefined ? { removed: await end(events), last: events.at(-1) } : { failure };
  };
  // One process serves an embedded database. Its write lock, for which all writers wait, is not held while files are
  // written.
  if (db.kind === "sqlite") return batch(db.prisma, (events) => db.transaction((tx) => remove(tx, events)));
  return db.transaction(async (tx) => ((await takeTurn(tx)) ? batch(tx, (events) => remove(tx, events)) : "busy"));
}

/** Deletes these ordered events. Its time range keeps it from reading the partitions of other months. */
const removal = (events: readonly EventRow[]) =>
  tables
    .deleteFrom("Event as e")
    .where("e.createdAt", ">=", events[0]?.createdAt ?? 0)
    .where("e.createdAt", "<=", events.at(-1)?.createdAt ?? 0)
    .where(
      "e.position",
      "in",
      events.map((event) => position(event.position)),
    );

const turn = statement(() =>
  tables.selectNoFrom(
    sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('events that are removed', 0))`.as("isMine"),
  ),
);

/** Takes the lock of one batch, on PostgreSQL. */
const takeTurn = async (tx: Transaction): Promise<boolean> => (await readOne(tx, turn()))?.isMine === true;

const oldestRemovable = statement(() =>
  tables.selectFrom("Event").select("createdAt").where("type", "not in", LASTING_EVENTS).orderBy("createdAt").limit(1),
);

/** Returns when the oldest removable event was recorded, epoch milliseconds; undefined if no such event exists. */
export async function oldestEvent(db: Database): Promise<number | undefined> {
  return (await db.one(oldestRemovable()))?.createdAt;
}
