/**
 * The PostgreSQL database, for several processes and machines. One pool serves the hot statements (named, so that each
 * connection prepares them once) and Prisma.
 */

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Backoff, backoff } from "../../concurrency/backoff";
import { watchPool } from "../../metrics/database-metrics";
import { runPrepared, type StatementResult } from "../../runtime/postgresql-prepared";
import type { Database, Value } from "../database";
import { PrismaClient } from "../generated/postgresql/client";
import type { PrismaClient as PortableClient } from "../generated/sqlite/client";
import { asBound, type StatementCall } from "../portable-sql";
import type { PostgresqlAddress } from "./address";
import { createInFlight } from "./in-flight";
import { createNestingCheck } from "./nesting";
import { createAnnouncements } from "./postgresql-announcements";
import { isOfSession, openPool } from "./postgresql-pool";
import { SILENCE_LIMIT } from "./postgresql-socket";
import { unitStatement } from "./postgresql-unit";
import { hotTypes, toPostgresql } from "./postgresql-values";
import { safePostgresql } from "./safe-postgresql";
import { sharedTrips } from "./shared-trips";
import { TRANSACTION_OPTIONS } from "./transaction-options";
import { isRetryable } from "./violations";
import { widenEvents } from "./widen-events";

const STATEMENT_TIMEOUT = 5000; // milliseconds
/** Idle connections are closed before their socket counts as dead. */
const IDLE_TIMEOUT = SILENCE_LIMIT / 2;
const IDLE_IN_TRANSACTION_TIMEOUT = 15_000;
/** Set by statements instead of startup parameters, because poolers reject startup parameters that they do not know. */
const SESSION_LIMITS = `SET statement_timeout = ${STATEMENT_TIMEOUT};
  SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT}`;
/**
 * Writes that share a transaction do not wait for a lock: the statement fails, and each write is then executed alone.
 * So no write is delayed by a row that it does not use, and two such transactions cannot deadlock.
 */
const HURRY = { name: "hurry", text: "SELECT set_config('lock_timeout', '50ms', true)" };
const PING_TIMEOUT = 1000;
const TRANSACTION_ATTEMPTS = 5;
const PAUSES: Backoff = { first: 20, most: 160, factor: 2 };

export interface PostgresqlOptions {
  /** The maximum number of connections of this process; 10 by default. */
  poolSize?: number;
  /** Milliseconds that an announcement waits for the other processes; for tests on a busy machine. */
  announcementPatience?: number;
  /** Milliseconds without a byte after which a connection counts as dead; for tests. */
  silenceLimit?: number;
  /** Rejects queries that bypass the surrounding transaction; for tests. */
  findNested?: boolean;
}

export function openPostgresql(address: PostgresqlAddress, options: PostgresqlOptions = {}): Database {
  const { poolSize = 10, announcementPatience, silenceLimit = SILENCE_LIMIT, findNested = false } = options;
  const pool = openPool(address, {
    max: poolSize,
    silenceLimit,
    idleTimeoutMillis: IDLE_TIMEOUT,
    onConnect: async (client) => {
      await client.query(SESSION_LIMITS);
      await client.query(HURRY); // from now on it is prepared
    },
  });
  watchPool(pool);
  const inFlight = createInFlight();
  const onPool = hotQueries(pool);
  const query: Query = async (sql, values) => only(await inFlight.track(() => onPool(sql, [values])));
  const shared = sharedTrips(onPool, isOfStatement);
  const sharedWrites = sharedTrips((sql, values) => onPool(sql, values, HURRY.name), isOfStatement);
  const nesting = createNestingCheck(findNested);
  const generated = new PrismaClient({
    adapter: safePostgresql(pool),
    transactionOptions: TRANSACTION_OPTIONS,
  });
  // The only cast: both clients are generated from the same models, but TypeScript cannot know that they match.
  const prisma = generated as unknown as PortableClient;
  const announcements = createAnnouncements(address, query, { patience: announcementPatience, silenceLimit });
  let closing: Promise<void> | undefined;

  const shutDown = async () => {
    await announcements.close();
    await inFlight.end(); // ending the pool would drop those waiting for a connection
    await prisma.$disconnect();
    await pool.end();
  };

  return {
    kind: "postgresql",
    prisma: nesting.refusing(prisma),
    one: async <Row>(...asked: StatementCall<Row>) => {
      nesting.refuse("one");
      const { sql, values } = asBound(...asked);
      return (await query(sql, values)).rows[0] as Row | undefined;
    },
    lookUp: async <Row>(...asked: StatementCall<Row>) => {
      nesting.refuse("lookUp");
      const { sql, values } = asBound(...asked);
      return (await inFlight.track(() => shared(sql, values))).rows[0] as Row | undefined;
    },
    all: async <Row>(...asked: StatementCall<Row>) => {
      nesting.refuse("all");
      const { sql, values } = asBound(...asked);
      return (await query(sql, values)).rows as Row[];
    },
    run: async (...asked: StatementCall<unknown>) => {
      nesting.refuse("run");
      const { sql, values } = asBound(...asked);
      return (await query(sql, values)).count;
    },
    commit: async (unit) => {
      nesting.refuse("commit");
      const { sql, values } = unitStatement(unit);
      const { rows } = await inFlight.track(() => retried(() => sharedWrites(sql, values)));
      return rows[0]?.happened === true;
    },
    transaction: (work, options) =>
      inFlight.track(async () => {
        nesting.refuse("transaction");
        return retried(() =>
          prisma.$transaction((tx) => nesting.inside(() => work(tx)), { ...TRANSACTION_OPTIONS, ...options }),
        );
      }),
    refuseInTransaction: nesting.refuse,
    announce: announcements.announce,
    onAnnouncement: announcements.onAnnouncement,
    finishMigrations: async (signal) => {
      const events = await widenEvents(address, signal);
      return events === undefined ? undefined : `${events} events have positions of 64 bits`;
    },
    ping: () => ping(pool),
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}

type Query = (sql: string, values: readonly Value[]) => Promise<StatementResult>;

function only([answer]: readonly StatementResult[]): StatementResult {
  if (!answer) throw new Error("a statement without an answer");
  return answer;
}

/** Executes a statement with each of the values in one round trip. If there are several, `lead` is executed first. */
function hotQueries(
  pool: pg.Pool,
): (sql: string, values: readonly (readonly Value[])[], lead?: string) => Promise<StatementResult[]> {
  const names = new Map<string, string>();
  let prepared = 0;

  const rename = (sql: string) => {
    const name = `hot${++prepared}`;
    names.set(sql, name);
    return name;
  };

  return async (sql, values, lead) => {
    const executions = values.map((each) => toPostgresql(sql, each));
    const first = executions.length > 1 ? lead : undefined;
    const attempt = (name: string) =>
      onConnection(pool, (client) =>
        runPrepared(client, { name, text: sql }, executions, { types: hotTypes, lead: first }),
      );
    try {
      return await attempt(names.get(sql) ?? rename(sql));
    } catch (error) {
      // The migration of a newer version has changed a table of a prepared statement, so it is prepared again. The
      // statement was rejected before it ran.
      if (isStalePlan(error)) return attempt(rename(sql));
      // A session that has become read-only rejects it too; a new session may reach the new primary.
      if (isReadOnly(error)) return attempt(names.get(sql) ?? rename(sql));
      throw error;
    }
  };
}

/** pool.query() would close the connection after any error, but only broken ones need to be closed. */
async function onConnection<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    const result = await use(client);
    broken = false;
    return result;
  } catch (error) {
    broken = !isOfStatement(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Returns whether an error concerns only a statement, so that its connection can still be used. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === "ERROR" && !isOfSession(error);
}

const isReadOnly = (error: unknown) => error instanceof pg.DatabaseError && error.code === "25006";

function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === "26000" || (error.code === "0A000" && error.message.includes("cached plan"));
}

/** Repeats a transaction or unit that was rolled back in favour of another one, with growing random pauses. */
async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === TRANSACTION_ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(backoff(PAUSES, attempt));
    }
  }
}

async function ping(pool: pg.Pool): Promise<void> {
  const late = AbortSignal.timeout(PING_TIMEOUT);
  await new Promise<void>((resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("the database did not answer within a second")));
    onConnection(pool, (client) => client.query("SELECT 1")).then(() => resolve(), reject);
  });
}
