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
 * Tells whether a path still leads to the file it leads to now. SQLite goes on writing to a file that was removed or
 * replaced, and everything written since is lost when the process ends.
 */
export function watchDatabaseFile(file: string): () => void {
  const identity = () => {
    const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  const opened = identity();
  return () => {
    if (identity() === opened) return;
    throw new Error(`${file} was removed or replaced while it was open: what is written now is lost at the end`);
  };
}
