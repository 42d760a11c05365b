/** The file of the embedded database: it holds password hashes and sealed keys, so it is its owner's alone. */
import fs from "node:fs";
import path from "node:path";

/** Makes the folder (0700) and the file (0600) where they are missing; SQLite's side files get the file's mode. */
export function createDatabaseFile(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.closeSync(fs.openSync(file, "a", 0o600));
}
