/**
 * Lets only one process serve the embedded database. Two would block each other's event loops, and their caches would
 * not see each other's changes. The serving process holds an operating system lock on a file next to the database,
 * which is released when the process ends in any way. The operator's tool does not need it.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { KEY_FILE } from "../../config/secret-key";
import { connectionError, readDatabaseUrl } from "./address";
import { createDatabaseFile } from "./sqlite-file";

/** Milliseconds to wait for another process to end. */
const PATIENCE = 1_000;
/** The maximum number of symbolic links that Linux follows. */
const MAX_LINKS = 40;

/**
 * Returns the path of the lock file, next to the real database file, also if that is gone. Symbolic links are followed.
 */
function lockOf(file: string): string {
  let name = file;
  for (let links = 0; links < MAX_LINKS && lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    name = resolve(dirname(name), readlinkSync(name));
  }
  return `${name}.lock`;
}

/**
 * Refuses to create a new database where one was served before and is gone. If a volume is not mounted, for instance,
 * it would otherwise become an empty service that the first visitor can take over.
 * @throws Error with a message of one line
 */
export function refuseLostDatabase(url: string): void {
  const address = readDatabaseUrl(url);
  const witness = address.kind === "sqlite" && !existsSync(address.file) && witnessOf(address.file);
  if (!witness) return;
  throw new Error(
    `DATABASE_URL: ${address.file} is gone, but ${witness} says that it was here: restore it from a backup, or remove that file to begin with an empty service`,
  );
}

/**
 * Returns a file that was created together with the database and still exists: its lock, or the key it was sealed with.
 */
function witnessOf(file: string): string | undefined {
  const lock = lockOf(file);
  if (existsSync(lock)) return lock;
  const folder = dirname(lock);
  const key = join(folder, KEY_FILE);
  // Several databases in one folder share the key, so it may belong to another one.
  const isOthers = () => readdirSync(folder).some((name) => name.endsWith(".lock"));
  return existsSync(key) && !isOthers() ? key : undefined;
}

/**
 * Refuses a database file with several names. The lock and SQLite's side files are found by the name of the database.
 * With a second name (a hard link) another process would use other ones, and both would overwrite each other's data. A
 * symbolic link is followed instead.
 * @param file an existing file
 * @throws Error with a message of one line
 */
export function refuseSecondName(file: string): void {
  const names = statSync(file).nlink;
  if (names <= 1) return; // 0: a file system that does not count them
  throw new Error(
    `DATABASE_URL: ${file} has ${names} names (hard links), and a process that opens it by another one would damage it: remove the others, which "find -samefile" lists (a copy for safety is made by the backup command)`,
  );
}

/** Returns whether a process serves the embedded database. */
export function isServed(url: string): boolean {
  const address = readDatabaseUrl(url);
  if (address.kind !== "sqlite" || !existsSync(lockOf(address.file))) return false;
  const connection = new BetterSqlite3(lockOf(address.file), { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch {
    return true;
  } finally {
    connection.close();
  }
}

/**
 * Claims the database of `url` for this process. Any number of processes may serve PostgreSQL.
 * @returns a function that releases it
 * @throws Error with a message of one line if another process serves it, or could do so by another name
 */
export function claimDatabase(url: string): () => void {
  const address = readDatabaseUrl(url);
  if (address.kind !== "sqlite") return () => {};
  refuseLostDatabase(url);
  const file = lockOf(address.file);
  let connection: BetterSqlite3.Database | undefined;
  try {
    createDatabaseFile(address.file); // before the lock file, whose existence means that the database existed
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
  try {
    refuseSecondName(address.file);
  } catch (error) {
    held.close();
    throw error;
  }
  return () => held.close();
}
