/** The project's folder, from which prisma/ and public/ are found, whatever the working directory is. */
import { readFileSync } from "node:fs";
import path from "node:path";

// One level above both server/ (sources) and dist/ (bundle).
export const root = path.join(import.meta.dirname, "..");

/** Contains `sqlite/migrations` and `postgresql/migrations`. */
export const migrationsFolder = path.join(root, "prisma");

let version: string | undefined;

export function serviceVersion(): string {
  version ??= (JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string }).version;
  return version;
}
