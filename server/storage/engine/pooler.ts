/**
 * Detects poolers between the service and PostgreSQL, such as PgBouncer. In session mode a connection keeps its
 * backend, as without a pooler. In transaction mode each transaction may use another backend, which does not have the
 * prepared statements, the LISTEN and the time limits of the session.
 */
import type { Client } from "pg";
import { connectionError, readDatabaseUrl } from "./address";
import { openClient } from "./postgresql-hosts";

const TIMEOUT = 5_000; // milliseconds

const REFUSAL =
  "it is a connection pooler in transaction mode, where neither prepared statements nor notifications outlive a transaction; use its session mode, or connect to PostgreSQL directly";

/**
 * Opens two connections. While one has an open transaction, the other must use another backend; afterwards a pooler in
 * transaction mode gives the other the backend that was used last.
 * @throws Error with a message of one line if connections change their backend
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const address = readDatabaseUrl(url);
  if (address.kind !== "postgresql") return;
  const settings = { query_timeout: TIMEOUT };
  const opened: Client[] = [];
  try {
    const { client: one, url } = await openClient(address, settings);
    opened.push(one);
    const { client: other } = await openClient({ ...address, hosts: [url] }, settings);
    opened.push(other);
    await one.query("BEGIN");
    await one.query("SELECT 1");
    const before = await backendOf(other);
    await one.query("COMMIT");
    if ((await backendOf(other)) !== before) throw new Error(REFUSAL);
  } catch (error) {
    throw connectionError(address, error);
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => {})));
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}
