/**
 * Checks whether this node can serve requests. A load balancer removes a node that is not ready, so faults that affect
 * all nodes do not count: without PostgreSQL they still answer discovery, keys and a page that asks to try again. Rule
 * SERVE-2.
 */
import type { Context } from "./context";
import { signingKey } from "./keys/signing-keys";
import { migrationsFolder } from "./root";
import type { Database } from "./storage/database";
import { type AppliedMigration, readMigrations, SELECT_APPLIED } from "./storage/engine/migrations";
import { firstLine } from "./storage/engine/outage-log";
import { isUnavailable } from "./storage/engine/unavailable";
import { probeWrite } from "./storage/maintenance/probe";

/** True while the process shuts down, so that load balancers stop sending requests. */
export interface Readiness {
  draining: boolean;
}

export interface Examined {
  /** The result of each check: "ok", "failed", or "no answer" of the database. */
  checks: Record<"draining" | "database" | "writes" | "migrations" | "signingKey", string>;
  /** Whether the node can be sent requests. */
  isReady: boolean;
}

/** Milliseconds after which a check counts as failed. */
const PATIENCE = 2_000;

/** The databases whose checks have all succeeded at some time; a process needs only one. */
const wasReady = new WeakSet<Database>();

export async function examineReadiness(ctx: Context, { draining }: Readiness): Promise<Examined> {
  const [database, writes, migrations, key] = await Promise.all([
    state(ctx, "database", ctx.db.ping()),
    state(ctx, "writes", checkWrites(ctx)),
    state(ctx, "migrations", checkMigrations(ctx)),
    state(ctx, "signingKey", signingKey(ctx)),
  ]);
  const checks = { draining: draining ? "shutting down" : "ok", database, writes, migrations, signingKey: key };
  const isWell = [database, writes, migrations, key].every((check) => check === "ok");
  if (isWell) wasReady.add(ctx.db);
  return { checks, isReady: !draining && (isWell || isOutageOfAll(ctx, checks)) };
}

/**
 * Returns whether the only fault is PostgreSQL, with which this node has worked before. The embedded database belongs
 * to the node. Migrations and keys are read from the database, so an unanswered check of them does not show a fault of
 * the node.
 */
function isOutageOfAll({ db }: Context, { migrations, signingKey: key }: Examined["checks"]): boolean {
  return db.kind === "postgresql" && wasReady.has(db) && migrations !== "failed" && key !== "failed";
}

/**
 * Milliseconds for which a successful write is not repeated, because checks come from several places at once. On
 * PostgreSQL the result decides nothing, and each write also goes to its log and the standby.
 */
const WRITES_BELIEVED = { sqlite: 5_000, postgresql: 30_000 } as const;
const written = new WeakMap<Database, number>();

/** Checks that the database accepts writes. With a full disk, a read-only file or a standby, everything can be read. */
async function checkWrites({ db, clock }: Context): Promise<void> {
  const now = clock();
  const last = written.get(db);
  if (last !== undefined && Math.abs(now - last) < WRITES_BELIEVED[db.kind]) return;
  written.delete(db);
  await probeWrite(db, now);
  written.set(db, now);
}

let known: { kind: string; names: string[] } | undefined;

/**
 * Whether every migration of this version has been applied. Unknown ones are fine: processes of the previous version
 * keep serving while the next one starts.
 */
async function checkMigrations({ db }: Context): Promise<void> {
  if (known?.kind !== db.kind) {
    known = { kind: db.kind, names: readMigrations(migrationsFolder, db.kind).map(({ name }) => name) };
  }
  const rows = await db.all<AppliedMigration>(SELECT_APPLIED, []);
  const finished = new Set(rows.filter((row) => row.finished_at !== null).map((row) => row.migration_name));
  const missing = known.names.find((name) => !finished.has(name));
  if (missing !== undefined) throw new Error(`migration ${missing} is missing`);
}

/** Returns the result of the work, or rejects if it takes longer than a check may. */
export async function within<T>(work: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Late(`no answer within ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(late);
  }
}

class Late extends Error {}

/** Returns the state of a check. The reason of a failure is only logged, because anyone can read the state. */
async function state(ctx: Context, name: string, check: Promise<unknown>): Promise<"ok" | "failed" | "no answer"> {
  try {
    await within(check);
    return "ok";
  } catch (error) {
    ctx.log.warn({ check: name, reason: firstLine(error) }, "a check of /readyz failed");
    return error instanceof Late || isUnavailable(error) ? "no answer" : "failed";
  }
}
