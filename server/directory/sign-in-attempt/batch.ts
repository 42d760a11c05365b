/**
 * Queues sign-in attempts on their way to the database. They are kept in memory briefly and written together, after
 * the responses they belong to, so that no sign-in waits for them and a hundred cost as much as one. The effect of
 * strangers is limited: after the first few, similar attempts from one network are counted into one row, each
 * network gets a limited number of rows per minute for failures, and attempts beyond that are only counted by the
 * metrics. Choice: a crash loses the most recent attempts; what must not be lost (sign-ins, locks) is in the audit
 * trail and in the counters of throttle.ts.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { countUnlistedAttempt } from "../../metrics/instruments";
import type { Database } from "../../storage/database";
import { type OutageLog, outageLog } from "../../storage/engine/outage-log";
import { isOvertaken } from "../../storage/engine/violations";
import { type AttemptRow, inPieces, writeAttempts } from "../../storage/sign-in/attempts";

/** Milliseconds until queued attempts are written. */
const DELAY = 250;
const MINUTE = 60_000;
/** Rows per minute for similar attempts from one network; further ones are counted into the last row. */
export const ROWS_ALIKE = 5;
/** Rows per minute for a network, not counting successful sign-ins. */
export const ROWS_OF_NETWORK = 120;
/** Rows per minute for failures from all networks together, so that a million addresses cannot fill the disk. */
const ROWS_OF_ALL = 3_000;
/** The maximum number of rows in memory, if the database is slow. */
const MAX_WAITING = 5_000;

/** The organizations of an attempt, looked up after the response. */
export interface AttemptOrganizations {
  /** The user's organization, or the one the sign-in is restricted to. */
  organizationId: string | undefined;
  flowOrganizationId: string | undefined;
}

export interface NotedAttempt {
  row: Omit<AttemptRow, "id" | "count" | "lastAt" | keyof AttemptOrganizations>;
  network: string;
  /** Attempts of the same network and kind are similar. */
  kind: string;
  /**
   * Whether the attempt is not counted against the network: it succeeded, or belongs to another one that is counted.
   */
  isExempt: boolean;
  organizations(): Promise<AttemptOrganizations>;
}

interface Written {
  row: AttemptRow;
  organizations: (() => Promise<AttemptOrganizations>) | undefined;
}

interface Batch {
  /** Rows to write: new ones, and those whose count has changed. */
  waiting: Map<string, Written>;
  /** The last row of each kind in this minute, and the number of its rows. */
  kinds: Map<string, { last: Written; rows: number }>;
  networks: Map<string, number>;
  /** The number of rows in this minute, without exempt ones. */
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

/** Queues an attempt, to be written shortly. Never waits and never throws. */
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

/** Returns the row that the attempt is counted into, which may be new; undefined if there are too many. */
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

/** Writes all queued attempts. Resolves when they are readable, or could not be written. */
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
    // Not retried: an outage is no time for more writes, and the rows are only useful for a short time.
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

/** Writes rows. If one of them belongs to a user who was removed meanwhile, the others are written individually. */
async function writePiece(ctx: Context, piece: readonly AttemptRow[]): Promise<void> {
  try {
    await writeAttempts(ctx.db, piece);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    if (piece.length === 1) return;
    for (const row of piece) await writePiece(ctx, [row]);
  }
}
