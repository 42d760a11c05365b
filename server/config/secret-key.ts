/**
 * The key that seals private keys, second-factor secrets and cookies: given by the operator, or generated once next to
 * the embedded database. A lost key is never replaced silently, because everything sealed with it cannot be opened
 * without it. Rule CONFIG-4.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "./config";
import { makePrivateFolder } from "./private-folder";

/** The file of the generated key, next to the embedded database. */
export const KEY_FILE = "secret.key";

/**
 * Returns the keys, the sealing one first. Throws an error with a message of one line if no key is given and none may
 * be generated: with PostgreSQL, or if the embedded database exists already but its key is missing.
 */
export function resolveSecretKeys(config: Pick<Config, "secretKeys" | "databaseUrl">): string[] {
  if (config.secretKeys.length > 0) return [...config.secretKeys];
  if (!config.databaseUrl.startsWith("file:")) {
    throw new Error("SECRET_KEY: is required with PostgreSQL: every process must have the same key");
  }
  const url = config.databaseUrl;
  const database = url.startsWith("file://") ? fileURLToPath(url) : url.slice("file:".length);
  const path = join(dirname(database), KEY_FILE);
  return [readKey(path) ?? makeKey(path, database)];
}

function readKey(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(`SECRET_KEY: ${path} cannot be read (${code})`);
  }
  if (text.length < 32) throw new Error(`SECRET_KEY: ${path} is damaged: restore it from a backup or set SECRET_KEY`);
  return text;
}

function makeKey(path: string, database: string): string {
  if (statSync(database, { throwIfNoEntry: false })?.size) {
    throw new Error(`SECRET_KEY: ${database} exists and ${path} does not: restore it from a backup or set SECRET_KEY`);
  }
  const key = randomBytes(32).toString("base64url");
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  makeFolder(dirname(path));
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    writeSync(descriptor, `${key}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    // Linking is atomic and never replaces a file: if two processes start for the first time, both use the key of the
    // faster one.
    linkSync(draft, path);
    return key;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const winner = code === "EEXIST" ? readKey(path) : undefined;
    if (winner !== undefined) return winner;
    throw new Error(`SECRET_KEY: ${path} cannot be made (${code}): make the directory writable or set SECRET_KEY`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function makeFolder(folder: string): void {
  try {
    makePrivateFolder(resolve(folder));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATABASE_URL: the folder ${folder} cannot be made (${code}); name a file in one that is writable (example: DATABASE_URL=file:./data/service.db)`,
    );
  }
}
