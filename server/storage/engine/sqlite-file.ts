/** The file of the embedded database: it holds password hashes and sealed keys, so it is its owner's alone. */
import fs from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../../private-folder";

/** Makes the folder (0700) and the file (0600) where they are missing; SQLite's side files get the file's mode. */
export function createDatabaseFile(file: string): void {
  makePrivateFolder(path.dirname(path.resolve(file)));
  fs.closeSync(fs.openSync(file, "a", 0o600));
}

/**
 * Tells whether the database's file and its write-ahead log are still those they were when first seen. SQLite goes on
 * writing to files that were removed or replaced, and everything written since is lost when the process ends.
 * @returns throws an error of one line if one of them is not
 */
export function watchDatabaseFile(file: string): () => void {
  const opened = new Map<string, string>();
  const check = (path: string) => {
    const before = opened.get(path);
    const now = identityOf(path);
    if (before === undefined && now !== undefined) opened.set(path, now); // the log comes with the first write
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
