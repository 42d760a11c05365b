/** Database metrics of the process: reads, writes, connections and announcements by other processes. */
import { Counter, Gauge } from "prom-client";
import { DurationHistogram } from "./durations";
import { buckets, processMetrics } from "./instruments";

const registers = [processMetrics];

const writes = new DurationHistogram<"kind">(
  {
    name: "identity_database_write_duration_seconds",
    help: "Writes to the database, from asking for one until it is durable.",
    buckets,
  },
  processMetrics,
);

const reads = new DurationHistogram<never>(
  {
    name: "identity_database_read_duration_seconds",
    help: "Reads of the database, the time in which they waited for a connection included.",
    buckets,
  },
  processMetrics,
);

const damage = new Counter({
  name: "identity_database_damage_total",
  help: "Statements for which the database said that its files are damaged or cannot be read.",
  registers,
});

/** The part of a connection pool that is measured. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}
let watchedPool: Pool | undefined;

new Gauge({
  name: "identity_database_connections",
  help: "Open connections to PostgreSQL by state, busy or idle; 0 with the embedded database.",
  labelNames: ["state"],
  registers,
  collect() {
    const { totalCount = 0, idleCount = 0 } = watchedPool ?? {};
    this.set({ state: "busy" }, totalCount - idleCount);
    this.set({ state: "idle" }, idleCount);
  },
});

new Gauge({
  name: "identity_database_connection_waiters",
  help: "Statements that wait for a free connection to PostgreSQL.",
  registers,
  collect() {
    this.set(watchedPool?.waitingCount ?? 0);
  },
});

/** Sets the pool that the process uses. */
export function watchPool(pool: Pool): void {
  watchedPool = pool;
}

let heardAt: number | undefined;

new Gauge({
  name: "identity_announcements_silence_seconds",
  help: "Time since the database last answered on the connection that hears of changes made by other processes. Seconds; above ten, caches are up to five seconds old.",
  registers,
  aggregator: "max",
  collect() {
    if (heardAt !== undefined) this.set((performance.now() - heardAt) / 1000);
  },
});

/** Records that the connection for announcements by other processes is alive. */
export function announcementsHeard(): void {
  heardAt = performance.now();
}

const writeSeries = {
  transaction: writes.series({ kind: "transaction" }),
  commit: writes.series({ kind: "commit" }),
  run: writes.series({ kind: "run" }),
};

/** Measures how long a write takes, whether it succeeds or fails. */
export async function timeWrite<T>(kind: keyof typeof writeSeries, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    writeSeries[kind].observe(performance.now() - startedAt);
  }
}

const readSeries = reads.series({});

/** Measures how long a read takes, whether it succeeds or fails. */
export async function timeRead<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    readSeries.observe(performance.now() - startedAt);
  }
}

export function countDamage(): void {
  damage.inc();
}
