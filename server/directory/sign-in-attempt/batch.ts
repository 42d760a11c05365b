/**
 * Attempts on their way to the database. They are kept in memory for a moment and written together, behind the answers
 * they belong to, so that no sign-in waits for them and a hundred cost as much as one. What a stranger can cause is
 * bounded: alike attempts from one network are counted into a row after the first few, a network without a person gets
 * so many rows a minute, and what is beyond is only counted by the metrics. Choice: a crash loses the last moment; what
 * must not be lost (sign-ins, locks) is in the audit trail and in the counters of throttle.ts.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { countUnlistedAttempt } from "../../metrics/instruments";
import type { Database } from "../../storage/database";
import { type OutageLog, outageLog } from "../../storage/engine/outage-log";
import { isOvertaken } from "../../storage/engine/violations";
import { type AttemptRow, inPieces, writeAttempts } from "../../storage/sign-in-attempts";

/** Milliseconds until what was noted is written. */
const DELAY = 250;
const MINUTE = 60_000;
/** Rows a minute for attempts that are alike, from one network; then they are counted into the last one. */
export const ROWS_ALIKE = 5;
/** Rows a minute for a network, not counting sign-ins that succeeded. */
export const ROWS_OF_NETWORK = 120;
/** Rows a minute from all networks of what failed: a million addresses are no reason to fill the disk. */
const ROWS_OF_ALL = 3_000;
/** Rows in memory, if the database is slow. */
const MAX_WAITING = 5_000;

/** Of an attempt: what is looked up behind the answer. */
export interface AttemptOrganizations {
  /** Of the person, or the one the sign-in is restricted to. */
  organizationId: string | undefined;
  flowOrganizationId: string | undefined;
}

export interface NotedAttempt {
  row: Omit<AttemptRow, "id" | "count" | "lastAt" | keyof AttemptOrganizations>;
  network: string;
  /** What makes it like another one of the same network. */
  kind: string;
  /** Not counted against the network: it succeeded, or comes with another one that is counted. */
  isExempt: boolean;
  organizations(): Promise<AttemptOrganizations>;
}

interface Written {
  row: AttemptRow;
  organizations: (() => Promise<AttemptOrganizations>) | undefined;
}

interface Batch {
  /** To be written: new rows, and those whose count has changed. */
  waiting: Map<string, Written>;
  /** Of this minute: the last row of a kind, and how many it has. */
  kinds: Map<string, { last: Written; rows: number }>;
  networks: Map<string, number>;
  /** Of this minute, without those that are exempt. */
  rows: number;
  minute: number;
  timer: NodeJS.Timeout | undefined;
  outage: OutageLog;
  writing: Promise<void>;
}

const batches = new WeakMap<Database, Batch>();

function batchOf({ db, log }: Context): Batch {
  const known = batches.get(db);
  if (known) return known;
  const batch: Batch = {
    waiting: new Map(),
    kinds: new Map(),
    networks: new Map(),
    rows: 0,
    minute: 0,
    timer: undefined,
    outage: outageLog(log, "noting attempts to sign in"),
    writing: Promise.resolve(),
  };
  batches.set(db, batch);
  return batch;
}

/** Takes an attempt; it is written in a moment. Never waits and never throws. */
export function take(ctx: Context, noted: NotedAttempt): void {
  const batch = batchOf(ctx);
  const minute = Math.floor(noted.row.createdAt / MINUTE);
  if (minute !== batch.minute) {
    batch.minute = minute;
    batch.kinds.clear();
    batch.networks.clear();
    batch.rows = 0;
  }
  const written = placed(batch, noted);
  if (!written) {
    countUnlistedAttempt();
    return;
  }
  batch.waiting.set(written.row.id, written);
  batch.timer ??= setTimeout(() => void flushAttempts(ctx), DELAY).unref();
}

/** The row it is counted into, a new one, or none where there are too many. */
function placed(batch: Batch, { row, network, kind, isExempt, organizations }: NotedAttempt): Written | undefined {
  const key = JSON.stringify([network, kind]);
  const alike = batch.kinds.get(key);
  if (alike && alike.rows >= ROWS_ALIKE) {
    alike.last.row.count++;
    alike.last.row.lastAt = row.createdAt;
    return alike.last;
  }
  const ofNetwork = batch.networks.get(network) ?? 0;
  const isTooMuch = !isExempt && (ofNetwork >= ROWS_OF_NETWORK || batch.rows >= ROWS_OF_ALL);
  if (batch.waiting.size >= MAX_WAITING || isTooMuch) return undefined;
  if (!isExempt) {
    batch.networks.set(network, ofNetwork + 1);
    batch.rows++;
  }
  const id = newId();
  const full = { ...row, id, count: 1, lastAt: row.createdAt, organizationId: null, flowOrganizationId: null };
  const written: Written = { row: full, organizations };
  batch.kinds.set(key, { last: written, rows: (alike?.rows ?? 0) + 1 });
  return written;
}

/** Writes what has been taken so far; resolves when that is readable, or could not be written. */
export function flushAttempts(ctx: Context): Promise<void> {
  const batch = batchOf(ctx);
  clearTimeout(batch.timer);
  batch.timer = undefined;
  batch.writing = batch.writing.then(() => writeWaiting(ctx, batch));
  return batch.writing;
}

async function writeWaiting(ctx: Context, batch: Batch): Promise<void> {
  const taken = [...batch.waiting.values()];
  batch.waiting.clear();
  try {
    for (const written of taken) await lookUpOrganizations(written);
    for (const piece of inPieces(taken.map(({ row }) => ({ ...row })))) await writePiece(ctx, piece);
    batch.outage.succeeded();
  } catch (error) {
    batch.outage.failed(error);
    // Not tried again: an outage is no time for more writes, and the rows are of use only soon.
    for (const _ of taken) countUnlistedAttempt();
  }
}

async function lookUpOrganizations(written: Written): Promise<void> {
  const found = await written.organizations?.();
  written.organizations = undefined;
  if (!found) return;
  written.row.organizationId = found.organizationId ?? null;
  written.row.flowOrganizationId = found.flowOrganizationId ?? null;
}

/** One of them may be of somebody who has been removed meanwhile; that must not cost the others. */
async function writePiece(ctx: Context, piece: readonly AttemptRow[]): Promise<void> {
  try {
    await writeAttempts(ctx.db, piece);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    if (piece.length === 1) return;
    for (const row of piece) await writePiece(ctx, [row]);
  }
}
