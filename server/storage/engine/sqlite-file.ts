/** The file of the embedded database: it holds password hashes and sealed keys, so it is its owner's alone. */
import fs from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../../private-folder";

/** Makes the folder (0700) and the file (0600) where they are missing; SQLite's side files get the file's mode. */
export function createDatabaseFile(file: string): void {
  makePrivateFolder(path.dirname(path.resolve(file)));
  fs.closeSync(fs.openSync(file, "a", 0o600));
}
