/**
 * The locks that migrations of PostgreSQL need, taken all at once before the first of them runs. The previous release
 * serves meanwhile, and its transactions lock tables in an order of their own: a migration that asked for one table after
 * another would now and then hold what they wait for and wait for what they hold (deadlock_detected), and one of the two
 * would end, a request or the upgrade.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Migration } from "./migrations";

/** deadlock_detected, lock_not_available, query_canceled: somebody holds one of the tables. */
const HELD = new Set(["40P01", "55P03", "57014"]);
/** Of the time after which PostgreSQL looks for deadlocks: who waits for us that long finds us no longer waiting. */
const SHARE_OF_DEADLOCK_TIMEOUT = 0.8;
/** Milliseconds between two attempts, in which those that waited for us get their turn. */
const PAUSE = 250;

/**
 * Locks every table that the migrations name and that exists already, until the end of the transaction.
 *
 * An attempt is given up before anybody else's wait can be taken for a deadlock: requests wait for less than a second
 * (deadlock_timeout), then for {@link PAUSE} no longer, and none of them fails.
 * @param client inside a transaction
 * @param patience milliseconds for all attempts together
 * @throws the database's error of the last attempt, when a table is held for longer, by a backup for instance
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

/** Tables by the name they have in our migrations, which is always quoted. What is no table's name finds none. */
async function existingTables(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const named = new Set(migrations.flatMap(({ sql }) => [...sql.matchAll(/"(\w+)"/g)].map(([, name]) => name)));
  const { rows } = await client.query<{ relname: string }>(
    `SELECT "relname" FROM pg_class
      WHERE "relkind" IN ('r', 'p') AND pg_table_is_visible("oid") AND "relname" = ANY($1) ORDER BY 1`,
    [[...named]],
  );
  return rows.map(({ relname }) => relname);
}
