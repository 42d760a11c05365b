/** A context on a fresh database without pages and keys, for tests of the layers below them. */
import { pino } from "pino";
import { applyBootstrap } from "../bootstrap/apply";
import { loadConfig } from "../config/config";
import type { Context } from "../context";
import { openSecrets } from "../crypto/secrets";
import { ensureInstance } from "../directory/instance";
import { createRefreshAnswers } from "../refresh-answers";
import type { Database } from "../storage/database";
import { connectTestDatabase, type DatabaseKind, keepContent, testDatabase, testDatabaseUrl } from "./database";
import { haveRealHashes } from "./hashes";
import { testKeyPair } from "./key-pairs";
import { preparation } from "./preparations";

export interface BareContext extends Context {
  /** Advances the clock by milliseconds. Otherwise it does not move. */
  advance(ms: number): void;
}

/**
 * Returns a context with an instance and a clock that starts on a fixed day. With `database`, it is another process of
 * that service.
 */
export async function bareContext(kind: DatabaseKind, database?: Database): Promise<BareContext> {
  const ctx = contextOn(database ?? (await testDatabase(kind)));
  await ensureInstance(ctx);
  return ctx;
}

/**
 * Returns a context with an applied bootstrap file on that fixed day. From the second call on, the database is a copy
 * of the first.
 */
export async function appliedContext(kind: DatabaseKind, bootstrap: object): Promise<BareContext> {
  const prepared = preparation("bare", kind, haveRealHashes(), bootstrap);
  const content = await prepared.content;
  const url = await testDatabaseUrl(kind, content);
  const ctx = contextOn(await connectTestDatabase(url));
  if (content === undefined) {
    await ensureInstance(ctx);
    await applyBootstrap(ctx, bootstrap);
    prepared.content ??= keepContent(url);
    await prepared.content;
  }
  return ctx;
}

function contextOn(db: Database): BareContext {
  const config = loadConfig({ BASE_URL: "https://id.example.com", LOG_LEVEL: "silent" }, "/dev/null");
  if (Array.isArray(config)) throw new Error(JSON.stringify(config));
  let now = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
  return {
    db,
    config,
    secrets: openSecrets(["a secret key of tests, thirty-two characters or more"]),
    clock: () => now,
    log: pino({ level: "silent" }),
    refreshAnswers: createRefreshAnswers(db, config.lifetimes.refreshGrace),
    keyPair: testKeyPair,
    advance(ms: number) {
      now += ms;
    },
  };
}

export async function countRows(ctx: Context, table: string): Promise<number> {
  const row = await ctx.db.one<{ n: number }>(`SELECT CAST(COUNT(*) AS INTEGER) AS "n" FROM "${table}"`, []);
  return row?.n ?? 0;
}

/** Returns the number of rows of every table, to check that nothing was written. */
export async function countAllRows(ctx: Context): Promise<Record<string, number>> {
  const tables = [
    ..."Instance Organization Domain User MachineKey Membership Project ProjectRole App MessageText".split(" "),
    ..."Aggregate Event OutboxMessage OneTimeToken".split(" "),
  ];
  const count = (table: string) => `SELECT '${table}' AS "name", CAST(COUNT(*) AS INTEGER) AS "n" FROM "${table}"`;
  const rows = await ctx.db.all<{ name: string; n: number }>(tables.map(count).join(" UNION ALL "), []);
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}
