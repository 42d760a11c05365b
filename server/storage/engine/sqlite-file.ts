/** The file of the embedded database. It contains password hashes and sealed keys, so only its owner can read it. */
import fs from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../../config/private-folder";

/** Creates the folder (0700) and the file (0600) if they are missing. SQLite's side files get the mode of the file. */
export function createDatabaseFile(file: string): void {
  makePrivateFolder(path.dirname(path.resolve(file)));
  fs.closeSync(fs.openSync(file, "a", 0o600));
}

/**
 * Returns a function that throws if the database file or its write-ahead log was removed or replaced since it was first
 * seen. SQLite continues to write to removed files, and everything written since is lost when the process ends.
 * @returns throws an error with a message of one line
 */
export function watchDatabaseFile(file: string): () => void {
  const opened = new Map<string, string>();
  const check = (path: string) => {
    const before = opened.get(path);
    const now = identityOf(path);
    if (before === undefined && now !== undefined) opened.set(path, now); // the log is created by the first write
    if (before === undefined || before === now) return;
    throw new Error(`${path} was removed or replaced while it was open: what is written now is lost at the end`);
  };
  check(file);
  return () => {
    check(file);
    check(`${file}-wal`);
  };
}

function identityOf(path: string): string | undefined {
  const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
