/**
 * Gives a long audit trail on PostgreSQL 64-bit positions without blocking other users. Changing the type of a column
 * rewrites the whole table while no one can read it, so the migration does not change a table with more than 50,000
 * events and creates an empty one, "EventWide". This module copies the events to it, month by month, while the service
 * continues. Then both tables are swapped in a transaction that copies the latest events. Processes of the previous
 * release are not affected.
 *
 * Until the end the copy is not visible to others. If a process is stopped, its copy is left, and the next one begins
 * again.
 */
import type pg from "pg";
import type { PostgresqlAddress } from "./address";
import { openClient } from "./postgresql-hosts";

/** Milliseconds to wait for users of the table, because later users wait too. */
const PATIENCE = 200;
/** The maximum number of events that may be copied while no one can record any: a fraction of a second. */
const FEW = 2_000;
/**
 * The names of the locks of the tasks that remove events and that create and drop months, so that neither runs
 * meanwhile.
 */
const KEPT_AWAY = ["months of Event", "events that are removed"];

const PARTITIONS = `
  SELECT c."relname" AS "name", pg_get_expr(c."relpartbound", c."oid") AS "bound"
    FROM pg_inherits i JOIN pg_class c ON c."oid" = i."inhrelid" WHERE i."inhparent" = to_regclass($1) ORDER BY 1`;
/** The indexes, each with its definition after the table name and whether it belongs to the whole table. */
const INDEXES = `
  SELECT c."relname" AS "name", substring(pg_get_indexdef(c."oid") FROM ' (USING .*)$') AS "definition",
         i."indisunique" AS "unique", i."indisprimary" AS "primary"
    FROM pg_index i JOIN pg_class c ON c."oid" = i."indexrelid" WHERE i."indrelid" = to_regclass($1) ORDER BY 1`;

interface Index {
  name: string;
  definition: string;
  unique: boolean;
  primary: boolean;
}

const wideName = (name: string) => name.replace(/^Event/, "EventWide");
const quoted = (name: string) => `"${name}"`;

/**
 * Copies the events and replaces the table with the copy.
 * @param signal ends it early; the next call begins again
 * @returns the number of events; undefined if there is nothing to do, or another process is doing it or blocks it
 */
export async function widenEvents(address: PostgresqlAddress, signal: AbortSignal): Promise<number | undefined> {
  const { client } = await openClient(address, { application_name: "identity-service widening" });
  const pid = (await client.query<{ pid: number }>(`SELECT pg_backend_pid() AS "pid"`)).rows[0]?.pid;
  const stop = () => void cancel(address, pid);
  signal.addEventListener("abort", stop);
  try {
    if (!(await hasWideTable(client)) || !(await keepOthersAway(client))) return undefined;
    return await copyAndSwap(client, signal);
  } catch (error) {
    if (signal.aborted || (error as { code?: string }).code === "55P03") return undefined; // lock_not_available
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

/**
 * Cancels the running statement. A statement that copies a month runs for minutes, and closing its connection does not
 * end it.
 */
async function cancel(address: PostgresqlAddress, pid: number | undefined): Promise<void> {
  try {
    const { client } = await openClient(address);
    await client.query("SELECT pg_cancel_backend($1)", [pid]).finally(() => client.end());
  } catch {
    // It ends by itself, and delays only the next attempt.
  }
}

async function hasWideTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT 1 WHERE to_regclass('"EventWide"') IS NOT NULL`);
  return rows.length > 0;
}

/** Takes the locks of the other tasks for as long as the connection is open. */
async function keepOthersAway(client: pg.Client): Promise<boolean> {
  for (const name of KEPT_AWAY) {
    const sql = `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "mine"`;
    if ((await client.query<{ mine: boolean }>(sql, [name])).rows[0]?.mine !== true) return false;
  }
  return true;
}

async function copyAndSwap(client: pg.Client, signal: AbortSignal): Promise<number | undefined> {
  for (const { name } of await partitionsOf(client, "EventWide")) await client.query(`DROP TABLE ${quoted(name)}`);
  const partitions = await partitionsOf(client, "Event");
  let copiedTo = await lastCommitted(client);
  for (const { name, bound } of partitions) {
    if (signal.aborted) return undefined;
    const wide = quoted(wideName(name));
    await client.query(`CREATE TABLE ${wide} PARTITION OF "EventWide" ${bound}`);
    await client.query(`INSERT INTO ${wide} SELECT * FROM ${quoted(name)} WHERE "position" <= ${copiedTo}`);
    for (const index of await indexesOf(client, name)) await client.query(likeIndex(index, wide));
    await client.query(`ANALYZE ${wide}`);
  }
  for (let left = FEW; left >= FEW && !signal.aborted; ) {
    const until = await lastCommitted(client);
    left = await copyBetween(client, copiedTo, until);
    copiedTo = until;
  }
  return signal.aborted ? undefined : swap(client, partitions, copiedTo);
}

const partitionsOf = async (client: pg.Client, table: string) =>
  (await client.query<{ name: string; bound: string }>(PARTITIONS, [quoted(table)])).rows;

const indexesOf = async (client: pg.Client, table: string) =>
  (await client.query<Index>(INDEXES, [quoted(table)])).rows;

const likeIndex = ({ definition, unique, primary }: Index, table: string) =>
  primary
    ? `ALTER TABLE ${table} ADD PRIMARY KEY ("position")`
    : `CREATE ${unique ? "UNIQUE " : ""}INDEX ON ${table} ${definition}`;

/**
 * Returns a position up to which every event is committed or never will be. A writer that takes a position holds a lock
 * on the table by then, and this function waits for that lock.
 */
async function lastCommitted(client: pg.Client): Promise<string> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${PATIENCE}`);
  try {
    await client.query(`LOCK TABLE "Event" IN SHARE MODE`);
    return await lastPosition(client);
  } finally {
    await client.query("COMMIT");
  }
}

async function lastPosition(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ last: string }>(
    `SELECT CASE WHEN "is_called" THEN "last_value" ELSE 0 END::text AS "last" FROM "Event_position_seq"`,
  );
  return rows[0]?.last ?? "0";
}

async function copyBetween(client: pg.Client, after: string, until: string): Promise<number> {
  const rows = `SELECT * FROM "Event" WHERE "position" > ${after} AND "position" <= ${until}`;
  return (await client.query(`INSERT INTO "EventWide" ${rows}`)).rowCount ?? 0;
}

/** Returns the names of the partitions of the copy and of their indexes. */
async function wideNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT "relname" AS "name" FROM pg_class
      WHERE "relname" LIKE 'EventWide\\_%' AND "relkind" IN ('r', 'i') AND "relnamespace" = current_schema()::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/** Replaces the table with the copy, including the names of its partitions and indexes. */
async function swap(client: pg.Client, partitions: readonly { name: string }[], copiedTo: string): Promise<number> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${PATIENCE}`);
  try {
    await client.query(`LOCK TABLE "Event" IN ACCESS EXCLUSIVE MODE`);
    await copyBetween(client, copiedTo, await lastPosition(client));
    const indexes = await indexesOf(client, "Event");
    await client.query(`ALTER SEQUENCE "Event_position_seq" OWNED BY NONE; DROP TABLE "Event"`);
    await client.query(`ALTER TABLE "EventWide" RENAME TO "Event"`);
    for (const name of await wideNames(client)) {
      const kind = partitions.some((part) => wideName(part.name) === name) ? "TABLE" : "INDEX";
      await client.query(`ALTER ${kind} ${quoted(name)} RENAME TO ${quoted(name.replace(/^EventWide/, "Event"))}`);
    }
    // The indexes of the partitions become parts of the new index; nothing is built.
    for (const { name, definition } of indexes)
      await client.query(`CREATE INDEX ${quoted(name)} ON "Event" ${definition}`);
    await client.query(`ALTER SEQUENCE "Event_position_seq" OWNED BY "Event"."position"`);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
  const { rows } = await client.query<{ events: string }>(
    `SELECT GREATEST(SUM("reltuples"), 0)::bigint::text AS "events" FROM pg_class
      WHERE "oid" IN (SELECT "relid" FROM pg_partition_tree('"Event"')) AND "relkind" = 'r'`,
  );
  return Number(rows[0]?.events ?? 0);
}
