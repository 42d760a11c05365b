/**
 * One process serves the embedded database: two would block each other's event loops, and neither's caches would see
 * the other's changes. The serving process holds an operating system lock on a file next to the database, which is
 * released however the process ends; the operator's tool does not need it.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { KEY_FILE } from "../../secret-key";
import { connectionError, readDatabaseUrl } from "./address";
import { createDatabaseFile } from "./sqlite-file";

/** Milliseconds to wait for another process to end. */
const PATIENCE = 1_000;
/** As many symbolic links as Linux follows. */
const MAX_LINKS = 40;

/** Beside the file itself, whichever symbolic link leads there, also when the file is gone. */
function lockOf(file: string): string {
  let name = file;
  for (let links = 0; links < MAX_LINKS && lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    name = resolve(dirname(name), readlinkSync(name));
  }
  return `${name}.lock`;
}

/**
 * A database that was served from here and is gone is not a new one: a volume that is not mounted, say, would otherwise
 * become an empty service, open to whoever comes first.
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

/** What was made together with the database and is still there: its lock, or the key it was sealed with. */
function witnessOf(file: string): string | undefined {
  const lock = lockOf(file);
  if (existsSync(lock)) return lock;
  const folder = dirname(lock);
  const key = join(folder, KEY_FILE);
  // Several databases in one folder have the key in common: then it is another one's.
  const isOthers = () => readdirSync(folder).some((name) => name.endsWith(".lock"));
  return existsSync(key) && !isOthers() ? key : undefined;
}

/**
 * The lock and SQLite's own side files are found by the database's name. Under a second name (a hard link) another
 * process would have others of each, and both would write over what the other wrote. A symbolic link is followed instead.
 * @param file which exists
 * @throws Error with a message of one line
 */
export function refuseSecondName(file: string): void {
  const names = statSync(file).nlink;
  if (names <= 1) return; // 0: a file system that does not count them
  throw new Error(
    `DATABASE_URL: ${file} has ${names} names (hard links), and a process that opens it by another one would damage it: remove the others, which "find -samefile" lists (a copy for safety is made by the backup command)`,
  );
}

/** Whether a process serves the embedded database. */
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
 * Claims the database of `url` for this process; any number of processes may serve PostgreSQL.
 * @returns a function that releases it
 * @throws Error with a message of one line if another process serves it, or could by another name
 */
export function claimDatabase(url: string): () => void {
  const address = readDatabaseUrl(url);
  if (address.kind !== "sqlite") return () => {};
  refuseLostDatabase(url);
  const file = lockOf(address.file);
  let connection: BetterSqlite3.Database | undefined;
  try {
    createDatabaseFile(address.file); // before the lock's file, which says from then on that there was one
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
