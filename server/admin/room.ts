/** The room that the database takes and has, for the report of `doctor`. */
import { statfsSync } from "node:fs";
import type { Database } from "../storage/database";
import { readStorage } from "../storage/maintenance/statistics";

const SHOWN = 10;
const MEGABYTE = 1_000_000;

/** Returns the sizes in one line, the largest first, with the indexes of the tables. */
export async function describeTables(db: Database): Promise<string> {
  const { bytes, tables } = await readStorage(db);
  const sizeOf = (size: number) => `${(size / MEGABYTE).toFixed(1)} MB`;
  const largest = (tables ?? []).toSorted((one, other) => other.bytes - one.bytes).slice(0, SHOWN);
  return [`${sizeOf(bytes)} in total`, ...largest.map((table) => `${table.name} ${sizeOf(table.bytes)}`)].join(", ");
}

/** Returns the free bytes of the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
