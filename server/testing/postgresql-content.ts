/** The content of a PostgreSQL database, for tests that reuse databases: emptied, kept, copied into another. */
import type pg from "pg";

/** The size in bytes from which a table is recreated, so that deleted rows do not slow down later tests. */
const LARGE = 2 ** 18;

/**
 * Turns off the checks of references, because all rows are added or removed together. It requires a superuser, and the
 * connection ends soon.
 */
const WITHOUT_CHECKS = "SET session_replication_role = replica";

/** Returns the tables. A partitioned table counts as one, because each database has its own partitions. */
async function tablesOf(client: pg.Client): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await client.query(
    `SELECT format('%I', relname) AS name,
            CASE relkind WHEN 'r' THEN pg_relation_size(oid)
                         ELSE (SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(oid)) END::int AS bytes
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT LIKE '\\_%'`,
  );
  return rows;
}

/**
 * Empties all tables and resets their sequences. Deleting takes a hundredth of the time of TRUNCATE, which creates
 * three files per table.
 */
export async function emptyTables(client: pg.Client): Promise<void> {
  const tables = await tablesOf(client);
  const names = tables.map(({ name }) => name);
  if (tables.some(({ bytes }) => bytes > LARGE)) {
    await client.query(`TRUNCATE ${names.join()} RESTART IDENTITY CASCADE`);
    return;
  }
  const used = tables.filter(({ bytes }) => bytes > 0);
  const sequences = `SELECT setval(format('%I', sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = 'public'`;
  const statements = [WITHOUT_CHECKS, ...used.map(({ name }) => `DELETE FROM ${name}`), sequences];
  await client.query(statements.join("; "));
}

/** Returns the statements that copy all rows into an empty database. */
export async function contentOf(client: pg.Client): Promise<string> {
  const used = (await tablesOf(client)).filter(({ bytes }) => bytes > 0);
  const statements = [WITHOUT_CHECKS];
  for (const { name } of used) {
    const { rows } = await client.query(`SELECT json_agg(t)::text AS all_rows FROM ${name} AS t`);
    const text: string | null = rows[0].all_rows;
    if (text === null) continue;
    statements.push(
      `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, '${text.replaceAll("'", "''")}')`,
    );
  }
  const { rows } = await client.query(
    `SELECT format('%I', sequencename) AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  for (const { name, last } of rows) statements.push(`SELECT setval('${name}', ${last})`);
  return statements.join("; ");
}

/** Inserts rows. @param content the result of `contentOf` */
export async function fillTables(client: pg.Client, content: string): Promise<void> {
  await client.query(content);
}
