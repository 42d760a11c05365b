/**
 * Takes the locks that PostgreSQL migrations need, all at once before the first migration runs. The previous release
 * still serves requests, and its transactions lock tables in another order. A migration that locked one table after
 * another could deadlock with them (deadlock_detected), and either a request or the upgrade would fail.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Migration } from "./migrations";

/** deadlock_detected, lock_not_available, query_canceled: another transaction holds one of the tables. */
const HELD = new Set(["40P01", "55P03", "57014"]);
/**
 * The time of an attempt as a share of deadlock_timeout, so that an attempt ends before PostgreSQL checks transactions
 * that wait for it for a deadlock.
 */
const SHARE_OF_DEADLOCK_TIMEOUT = 0.8;
/** Milliseconds between two attempts, in which the transactions that waited for the locks can run. */
const PAUSE = 250;

/**
 * Locks every existing table that the migrations name, until the end of the transaction.
 *
 * An attempt ends before another transaction's wait can be taken for a deadlock. Requests wait for less than a second
 * (deadlock_timeout), are then undisturbed for {@link PAUSE}, and none of them fails.
 * @param client inside a transaction
 * @param patience milliseconds for all attempts together
 * @throws the database's error of the last attempt if a table is locked for longer, for instance by a backup
 */
export async function lockTables(client: pg.Client, migrations: readonly Migration[], patience: number): Promise<void> {
  const tables = await existingTables(client, migrations);
  if (tables.length === 0) return;
  const settings = await client.query<{ before: string; milliseconds: number }>(
    `SELECT current_setting('statement_timeout') AS "before", "setting"::int AS "milliseconds"
       FROM pg_settings WHERE "name" = 'deadlock_timeout'`,
  );
  const { before = "0", milliseconds = 1000 } = settings.rows[0] ?? {};
  const attempt = Math.max(1, Math.floor(milliseconds * SHARE_OF_DEADLOCK_TIMEOUT));
  const lock = `LOCK TABLE ${tables.map((table) => `"${table}"`).join(", ")} IN ACCESS EXCLUSIVE MODE`;
  const deadline = Date.now() + patience;
  await client.query("SAVEPOINT before_locks");
  while (true) {
    try {
      await client.query(`SET LOCAL statement_timeout = ${attempt}`);
      await client.query(lock);
      await client.query("SELECT set_config('statement_timeout', $1, true)", [before]);
      return;
    } catch (error) {
      if (!HELD.has(String((error as { code?: unknown }).code)) || Date.now() > deadline) throw error;
      await client.query("ROLLBACK TO SAVEPOINT before_locks"); // releases the tables that it did get
      await sleep(PAUSE);
    }
  }
}

/** Returns the existing tables among the quoted names in the migrations. Other quoted names match no table. */
async function existingTables(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const named = new Set(migrations.flatMap(({ sql }) => [...sql.matchAll(/"(\w+)"/g)].map(([, name]) => name)));
  const { rows } = await client.query<{ relname: string }>(
    `SELECT "relname" FROM pg_class
      WHERE "relkind" IN ('r', 'p') AND pg_table_is_visible("oid") AND "relname" = ANY($1) ORDER BY 1`,
    [[...named]],
  );
  return rows.map(({ relname }) => relname);
}
