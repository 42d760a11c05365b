/** Folders for what nobody else may read: database and keys. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the folder and those above it where they are missing, readable by their owner alone.
 * Choice: not with mkdir's own recursion, which never ends below /proc (Node.js 20).
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
