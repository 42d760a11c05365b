/**
 * Whether the service can do its work: database reachable, writable and with the schema this version needs, signing key
 * present, not shutting down. Rule SERVE-2.
 */
import type { Context } from "./context";
import { signingKey } from "./keys/signing-keys";
import { migrationsFolder } from "./root";
import type { Database } from "./storage/database";
import { type AppliedMigration, readMigrations, SELECT_APPLIED } from "./storage/engine/migrations";
import { firstLine } from "./storage/engine/outage-log";
import { probeWrite } from "./storage/service-times";

/** True while the process shuts down, so that load balancers stop sending requests. */
export interface Readiness {
  draining: boolean;
}

/** Milliseconds after which a check counts as failed. */
const PATIENCE = 2_000;

/** Whether all checks pass. */
export async function isReady(ctx: Context, readiness: Readiness): Promise<boolean> {
  return allWell(await examineReadiness(ctx, readiness));
}

/** What each check says: "ok", or that it fails. */
export async function examineReadiness(ctx: Context, readiness: Readiness): Promise<Record<string, string>> {
  const [database, writes, migrations, key] = await Promise.all([
    state(ctx, "database", ctx.db.ping()),
    state(ctx, "writes", checkWrites(ctx)),
    state(ctx, "migrations", checkMigrations(ctx)),
    state(ctx, "signingKey", signingKey(ctx)),
  ]);
  return { draining: readiness.draining ? "shutting down" : "ok", database, writes, migrations, signingKey: key };
}

/** Milliseconds for which a write that succeeded is believed: checks come from several places at once. */
const WRITES_BELIEVED = 5_000;
const written = new WeakMap<Database, number>();

/** Of a full disk, a file that became read-only or a standby everything can be read. */
async function checkWrites({ db, clock }: Context): Promise<void> {
  const now = clock();
  const last = written.get(db);
  if (last !== undefined && Math.abs(now - last) < WRITES_BELIEVED) return;
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

/** Whether every check says "ok". */
export const allWell = (checks: Record<string, string>): boolean =>
  Object.values(checks).every((check) => check === "ok");

/** "ok" or "failed"; the reason is none of a stranger's business and goes to the log. */
async function state(ctx: Context, name: string, check: Promise<unknown>): Promise<"ok" | "failed"> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise((_, reject) => {
    late = setTimeout(() => reject(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    await Promise.race([check, patience]);
    return "ok";
  } catch (error) {
    ctx.log.warn({ check: name, reason: firstLine(error) }, "not ready");
    return "failed";
  } finally {
    clearTimeout(late);
  }
}
