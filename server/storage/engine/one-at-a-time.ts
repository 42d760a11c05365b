/**
 * Runs work in one process at a time among those that share a PostgreSQL database. The others poll, because a waiting
 * statement would exceed the statement timeout. An embedded database has one process anyway.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { connectionError, readDatabaseUrl } from "./address";
import { openClient } from "./postgresql-hosts";

/** Milliseconds between two attempts. */
const PAUSE = 200;
/**
 * Milliseconds to wait for other processes. Afterwards, or if the connection is lost, the work is done concurrently.
 */
const PATIENCE = 10 * 60_000;

/**
 * Runs the work when no other process runs work of this name. The database releases the lock of a process that ends.
 * @param onWait called once if another process is running
 * @throws Error with a message of one line if the database cannot be reached
 */
export async function oneAtATime<T>(
  databaseUrl: string,
  name: string,
  work: () => Promise<T>,
  onWait: () => void = () => {},
): Promise<T> {
  const address = readDatabaseUrl(databaseUrl);
  if (address.kind !== "postgresql") return work();
  let client: Client | undefined;
  try {
    ({ client } = await openClient(address, { keepAlive: true }));
    await waitForTurn(client, name, onWait);
  } catch (error) {
    await client?.end().catch(() => {});
    throw connectionError(address, error);
  }
  try {
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}

async function waitForTurn(client: Client, name: string, onWait: () => void): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  for (let attempt = 1; performance.now() < deadline; attempt++) {
    const { rows } = await client.query<{ mine: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine",
      [name],
    );
    if (rows[0]?.mine) return;
    if (attempt === 1) onWait();
    await sleep(PAUSE);
  }
}
