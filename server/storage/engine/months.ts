/**
 * Monthly partitions of tables that grow with time and whose old rows are deleted. PostgreSQL keeps the rows of each
 * month (UTC, by `createdAt`) in a separate partition, so that indexes stay small, vacuum processes one month, and the
 * space of a month is freed when it is dropped. Rows without a partition are in the default one. SQLite has no
 * partitions, and these functions do nothing there.
 *
 * A unique index of the whole table would have to contain the time, so unique indexes exist in each partition only:
 * positions come from one sequence, the numbers of an object's events from its aggregate's row, and ids of messages are
 * random.
 */
import type { Database, Transaction } from "../database";
import { hasCode } from "./violations";

export type DividedTable = "Event" | "OutboxMessage";

/** The number of months for which partitions exist in advance, including the current one. */
const MONTHS_READY = 3;
/**
 * Milliseconds to wait for users of a table, because later users wait too. The next run tries again after a long
 * transaction such as a backup.
 */
const PATIENCE = 200;
const LOCK_NOT_AVAILABLE = new Set(["55P03"]);

/** A partition. Bounds are epoch milliseconds or null for an open bound; the default partition has neither. */
interface Partition {
  name: string;
  from: number | null;
  until: number | null;
}

const PARTITIONS = `
  SELECT b."name", ${edge("FROM")} AS "from", ${edge("TO")} AS "until"
    FROM (SELECT c."relname" AS "name", pg_get_expr(c."relpartbound", c."oid") AS "bound"
            FROM pg_inherits i JOIN pg_class c ON c."oid" = i."inhrelid"
           WHERE i."inhparent" = to_regclass($1)) AS b
   ORDER BY 2 NULLS FIRST, 1`;

function edge(side: "FROM" | "TO"): string {
  const time = `(regexp_match(b."bound", '${side} \\(''([^'']+)''\\)'))[1]::timestamp`;
  return `CAST(EXTRACT(EPOCH FROM ${time}) * 1000 AS DOUBLE PRECISION)`;
}

const partitionsOf = (db: Database, table: DividedTable): Promise<Partition[]> =>
  db.all<Partition>(PARTITIONS, [`"${table}"`]);

/**
 * Creates the partitions of this month and the next ones, and moves their rows there from the default partition.
 * @param now epoch milliseconds
 * @returns the created months, such as 2026-11; none if another process creates them or a long transaction uses the
 * table
 */
export async function makeMonths(db: Database, table: DividedTable, now: number): Promise<string[]> {
  if (db.kind === "sqlite") return [];
  const made: string[] = [];
  for (const missing of missingMonths(await partitionsOf(db, table), now)) {
    if (await inTurn(db, table, (tx, partitions) => makeMonth(tx, table, missing, partitions)))
      made.push(missing.month);
  }
  return made;
}

/** Returns whether the rows of this month go to the default partition because its own could not be created. */
export async function lacksMonth(db: Database, table: DividedTable, now: number): Promise<boolean> {
  if (db.kind === "sqlite") return false;
  return missingMonths(await partitionsOf(db, table), now).some(({ from }) => from <= now);
}

/** Bounds are epoch milliseconds. */
interface Month {
  month: string;
  from: number;
  until: number;
}

function missingMonths(partitions: readonly Partition[], now: number): Month[] {
  const months = Array.from({ length: MONTHS_READY }, (_, ahead) => monthOf(now, ahead));
  return months.filter((month) => !isThere(month, partitions));
}

/** Returns whether a month has a partition. The default partition has no bounds and does not count. */
const isThere = (month: Month, partitions: readonly Partition[]): boolean =>
  partitions.some(({ from, until }) => until !== null && (from ?? -Infinity) < month.until && month.from < until);

/** Returns the month that is `ahead` months after the month of `time`. */
function monthOf(time: number, ahead: number): Month {
  const date = new Date(time);
  const [from = 0, until = 0] = [ahead, ahead + 1].map((more) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more),
  );
  return { month: new Date(from).toISOString().slice(0, 7), from, until };
}

/** Creates the partition of a month. Returns false if another process was faster. */
async function makeMonth(
  tx: Transaction,
  table: DividedTable,
  wanted: Month,
  partitions: readonly Partition[],
): Promise<boolean> {
  if (isThere(wanted, partitions)) return false;
  const { month, from, until } = wanted;
  const rest = `"${table}_default"`;
  const part = `"${table}_${month.replace("-", "_")}"`;
  const [first, end] = [toTimestamp(from), toTimestamp(until)];
  await tx.$executeRawUnsafe(
    `CREATE TABLE ${part} (LIKE ${rest} INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)`,
  );
  await tx.$executeRawUnsafe(`LOCK TABLE ${rest} IN ACCESS EXCLUSIVE MODE`); // keeps new rows out
  await tx.$executeRawUnsafe(
    `WITH "moved" AS (DELETE FROM ${rest} WHERE "createdAt" >= ${first} AND "createdAt" < ${end} RETURNING *)
     INSERT INTO ${part} SELECT * FROM "moved"`,
  );
  await tx.$executeRawUnsafe(`ALTER TABLE "${table}" ATTACH PARTITION ${part} FOR VALUES FROM (${first}) TO (${end})`);
  return true;
}

const toTimestamp = (time: number) => `'${new Date(time).toISOString().replace("Z", "")}'::timestamp`;

export interface OldMonths {
  /** Epoch milliseconds; months that end later are kept. */
  before: number;
  /** Types of rows that are kept permanently: they are moved to the default partition. */
  lasting?: readonly string[];
  /** Whether months are dropped together with their rows; otherwise only once their rows were removed. */
  withRows?: boolean;
}

/**
 * Drops the partitions of past months.
 * @returns the number of rows that were deleted with them, without those that are kept
 */
export async function dropMonths(db: Database, table: DividedTable, old: OldMonths): Promise<number> {
  if (db.kind === "sqlite") return 0;
  let rows = 0;
  const isOver = ({ until }: Partition) => until !== null && until <= old.before;
  for (const { name } of (await partitionsOf(db, table)).filter(isOver)) {
    const drop = async (tx: Transaction, partitions: readonly Partition[]) =>
      partitions.some((one) => one.name === name) ? dropMonth(tx, table, `"${name}"`, old) : 0;
    rows += (await inTurn(db, table, drop)) ?? 0;
  }
  return rows;
}

async function dropMonth(tx: Transaction, table: DividedTable, part: string, old: OldMonths): Promise<number> {
  const { lasting = [], withRows = false } = old;
  await tx.$executeRawUnsafe(`LOCK TABLE ${part} IN SHARE ROW EXCLUSIVE MODE`); // no change while it is counted
  const rows = await countGoing(tx, part, lasting, withRows);
  if (rows > 0 && !withRows) return 0;
  await tx.$executeRawUnsafe(`ALTER TABLE "${table}" DETACH PARTITION ${part}`);
  await tx.$executeRawUnsafe(`INSERT INTO "${table}" SELECT * FROM ${part} WHERE "type" = ANY($1)`, lasting);
  await tx.$executeRawUnsafe(`DROP TABLE ${part}`);
  return rows;
}

/**
 * Counts the rows that would be deleted.
 * @param all true to count them, false to find out only whether there are any
 */
async function countGoing(tx: Transaction, part: string, lasting: readonly string[], all: boolean): Promise<number> {
  const going = `SELECT 1 FROM ${part} WHERE "type" <> ALL($1) ${all ? "" : "LIMIT 1"}`;
  const sql = `SELECT COUNT(*) AS "rows" FROM (${going}) AS "going"`;
  const [found] = await tx.$queryRawUnsafe<{ rows: bigint }[]>(sql, lasting);
  return Number(found?.rows ?? 0);
}

/**
 * Calls `work` with the existing partitions while no other process changes them. Returns undefined if another process
 * is changing the partitions of the table, or a long transaction uses it.
 */
async function inTurn<T>(
  db: Database,
  table: DividedTable,
  work: (tx: Transaction, partitions: readonly Partition[]) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${`months of ${table}`}, 0)) AS "mine"`;
      if (turn?.mine !== true) return undefined;
      await tx.$executeRawUnsafe(`SET LOCAL lock_timeout = ${PATIENCE}`);
      return work(tx, await tx.$queryRawUnsafe<Partition[]>(PARTITIONS, `"${table}"`));
    });
  } catch (error) {
    if (hasCode(error, LOCK_NOT_AVAILABLE)) return undefined;
    throw error;
  }
}
