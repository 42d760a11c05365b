/**
 * A copy of the embedded database while it is in use: a consistent state, checked before it gets its final name, so
 * that a file with that name is always a complete backup. PostgreSQL has its own tools for this.
 */
import { closeSync, fsyncSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";

/**
 * Copies the database file to `target`, which must not exist yet; readable by its owner alone.
 * @returns the size of the copy in bytes
 * @throws Error with a message of one line
 */
export function backUpSqlite(file: string, target: string): number {
  if (!statSync(file, { throwIfNoEntry: false })) throw new Error(`${file} does not exist`);
  const draft = `${target}.${process.pid}.partial`;
  try {
    closeSync(openSync(draft, "wx", 0o600)); // VACUUM INTO accepts an empty file and keeps its mode
    copy(file, draft);
    // Unlike a rename, a link never replaces a file, so an earlier backup cannot be overwritten.
    linkSync(draft, target);
    return statSync(target).size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Error(`${target} exists already; name a new file`);
    if (code === "ENOENT") throw new Error(`the directory of ${target} does not exist`);
    throw new Error(`${target} cannot be written: ${message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function copy(file: string, draft: string): void {
  const source = new BetterSqlite3(file, { readonly: true, timeout: 5_000 });
  try {
    source.prepare("VACUUM INTO ?").run(draft);
  } finally {
    source.close();
  }
  const made = new BetterSqlite3(draft, { readonly: true });
  try {
    const verdict = made.pragma("integrity_check", { simple: true });
    if (verdict !== "ok") throw new Error(`the copy is damaged: ${verdict}`);
  } finally {
    made.close();
  }
  // SQLite does not flush the result of VACUUM INTO; without this a power failure could leave an empty backup.
  const descriptor = openSync(draft, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
