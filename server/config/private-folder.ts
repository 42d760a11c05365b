/** Folders that only their owner can read, for the database and the keys. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the folder and missing ones above it, accessible to their owner alone. Choice: not with mkdir's `recursive`,
 * which never returns below /proc (Node.js 20 to 24).
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another process was quicker
  }
}
