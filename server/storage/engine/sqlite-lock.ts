/**
 * One process serves the embedded database: two would block each other's event loops, and neither's caches would see
 * the other's changes. The serving process holds an operating system lock on a file next to the database, which is
 * released however the process ends; the operator's tool does not need it.
 */
import BetterSqlite3 from "better-sqlite3";
import { connectionError, readDatabaseUrl } from "./address";
import { createDatabaseFile } from "./sqlite-file";

/** Milliseconds to wait for another process to end. */
const PATIENCE = 1_000;

/**
 * Claims the database of `url` for this process; any number of processes may serve PostgreSQL.
 * @returns a function that releases it
 * @throws Error with a message of one line if another process serves it
 */
export function claimDatabase(url: string): () => void {
  const address = readDatabaseUrl(url);
  if (address.kind !== "sqlite") return () => {};
  const file = `${address.file}.lock`;
  let connection: BetterSqlite3.Database | undefined;
  try {
    createDatabaseFile(file);
    connection = new BetterSqlite3(file, { timeout: PATIENCE });
    connection.exec("BEGIN EXCLUSIVE"); // never committed, so nothing is written
  } catch (error) {
    connection?.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY") {
      throw new Error(
        `DATABASE_URL: another process serves ${address.file} already; stop it, or use PostgreSQL for several processes (example: DATABASE_URL=postgresql://user:password@localhost:5432/identity)`,
      );
    }
    throw connectionError(address, error);
  }
  const held = connection;
  return () => held.close();
}
