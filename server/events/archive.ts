/**
 * Archives events in files: `events-2026-11.jsonl` contains those of a month (UTC), one JSON object per line. Lines are
 * durable before their events are removed from the database, so none is lost. If a process was killed or a disk failed
 * after lines were written, the database returns their events again; they are recognized by their position, so none is
 * duplicated. Events are removed batch by batch, so these can only be the last lines of the file.
 */
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { EventRow } from "../storage/event/list";

/** The number of lines at the end of the file whose positions are compared: several batches. */
const COMPARED_LINES = 2_000;
const CHUNK = 65_536;
const LINE_BREAK = 10;

/**
 * Writes events to the files of their months.
 * @returns why it failed; undefined once all of them are durable
 */
export async function archiveEvents(directory: string, events: readonly EventRow[]): Promise<string | undefined> {
  try {
    const months = groupByMonth(events);
    for (const [month, rows] of months) await appendTo(directory, `events-${month}.jsonl`, rows);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function groupByMonth(events: readonly EventRow[]): Map<string, EventRow[]> {
  const months = new Map<string, EventRow[]>();
  for (const event of events) {
    const month = new Date(event.createdAt).toISOString().slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), event]);
  }
  return months;
}

async function appendTo(directory: string, name: string, events: readonly EventRow[]): Promise<void> {
  const file = await openOrMake(directory, join(directory, name));
  try {
    const { size } = await file.stat();
    const end = await readEnd(file, size);
    // An incomplete line: its event is still in the database.
    const whole = size - (end.length - (end.lastIndexOf(LINE_BREAK) + 1));
    if (whole < size) await file.truncate(whole);
    const known = positionsIn(end);
    const lines = events.filter(({ position }) => !known.has(position)).map(toLine);
    await writeAll(file, Buffer.from(lines.join("")), whole);
    await file.sync(); // even without new lines: the known ones may not have been durable
  } finally {
    await file.close();
  }
}

/** Opens the file, readable only by the operator. The name of a new file must also be durable. */
async function openOrMake(directory: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const file = await open(path, "wx+", 0o600);
    try {
      const folder = await open(directory, "r");
      await folder.sync().finally(() => folder.close());
      return file;
    } catch (failure) {
      await file.close();
      throw failure;
    }
  }
}

/** Returns the last lines of the file, at least COMPARED_LINES if it has as many; the first may be incomplete. */
async function readEnd(file: FileHandle, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let breaks = 0;
  for (let start = size; start > 0 && breaks <= COMPARED_LINES; ) {
    const length = Math.min(CHUNK, start);
    start -= length;
    const chunk = Buffer.alloc(length);
    const { bytesRead } = await file.read(chunk, 0, length, start);
    if (bytesRead < length) throw new Error("the file became shorter while it was read");
    for (const byte of chunk) if (byte === LINE_BREAK) breaks++;
    chunks.unshift(chunk);
  }
  return Buffer.concat(chunks);
}

function positionsIn(end: Buffer): Set<number> {
  const positions = new Set<number>();
  const whole = end.subarray(0, end.lastIndexOf(LINE_BREAK) + 1).toString("utf8");
  for (const [, position] of whole.matchAll(/^\{"position":(\d+),/gm)) positions.add(Number(position));
  return positions;
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

/** Returns the line of an event. The position comes first, because lines are recognized by it. */
function toLine({ position, createdAt, ...event }: EventRow): string {
  return `${JSON.stringify({ position, createdAt: new Date(createdAt).toISOString(), ...event })}\n`;
}
