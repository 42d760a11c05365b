/**
 * Announces changes of the directory, by name, to the processes that share a PostgreSQL database, with LISTEN and
 * NOTIFY. A process that has received an announcement writes it into the name of its connection (`application_name`).
 * The announcing process reads it there, so that a request sent after a change sees the change in every process. A
 * reply with NOTIFY would wake every listening process, which is quadratic in their number. All processes receive
 * announcements in the same order: a process that received one has received all before it. Correctness does not depend
 * on announcements: if one is lost with a connection or a process, caches are only stale until they expire.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { newId } from "../../crypto/random";
import { announcementsHeard } from "../../metrics/database-metrics";
import type { PostgresqlAddress } from "./address";
import { openClient } from "./postgresql-hosts";
import { SILENCE_LIMIT, socketsThatEnd } from "./postgresql-socket";

const CHANNEL = "directory_changed";
/** Maximum bytes of an announcement; PostgreSQL rejects 8000. A longer one is sent without names. */
const MAX_BYTES = 7_900;
/** The prefix of the names of listening connections in pg_stat_activity. The last received announcement follows it. */
const LISTENING = "identity-service listening";
/**
 * Milliseconds that an announcing process waits for replies, so that a process that hangs does not block the others.
 */
const ANSWER_PATIENCE = 500;
const RECONNECT_DELAY = 1_000;
/** The number of heartbeats within the time after which a silent connection counts as dead. */
const HEARTBEATS = 3;

/** Milliseconds before the names are read again: the first and the longest pause. */
const [FIRST_LOOK, LAST_LOOK] = [2, 25];
/** The number of announcements whose order is remembered. */
const REMEMBERED = 1_000;

const LISTENERS = `SELECT "pid", "application_name" AS "name" FROM pg_stat_activity
  WHERE "datname" = current_database() AND starts_with("application_name", '${LISTENING}')`;
const ANNOUNCE = `WITH "told" AS MATERIALIZED (SELECT pg_notify('${CHANNEL}', $1))
  SELECT l."pid", l."name" FROM "told" CROSS JOIN (${LISTENERS}) AS l`;

/** A listening connection. */
interface Listener {
  pid: number;
  name: string;
}

const IS_READ_ONLY = `SELECT current_setting('transaction_read_only')::bool AS "readOnly"`;

/** The names of the changes; undefined if everything may have changed. */
type Names = readonly string[] | undefined;

export interface Announcements {
  announce(names?: Names): Promise<void>;
  onAnnouncement(listener: (names: Names) => void): Promise<void>;
  close(): Promise<void>;
}

export interface AnnouncementOptions {
  /** Milliseconds to wait for replies. */
  patience?: number;
  /** Milliseconds without a byte after which the listening connection counts as dead. */
  silenceLimit?: number;
}

/**
 * Creates the announcements of one process.
 * @param query runs one statement on any connection
 */
export function createAnnouncements(
  address: PostgresqlAddress,
  query: (sql: string, values: readonly string[]) => Promise<{ rows: readonly Record<string, unknown>[] }>,
  { patience = ANSWER_PATIENCE, silenceLimit = SILENCE_LIMIT }: AnnouncementOptions = {},
): Announcements {
  const closing = new AbortController();
  const listeners = new Set<(names: Names) => void>();
  /**
   * Processes of the previous release reply on this channel. The third word of an announcement says that this process
   * reads the connection names. The names of the changes follow, which that release ignores: it drops all caches.
   */
  const replies = `heard_${newId().replaceAll("-", "")}`;
  /** The callbacks for replies of the previous release, by announcement. */
  const answered = new Map<string, (pid: number) => void>();
  /** The received announcements with their sequence numbers; the order is the same in all processes. */
  const order = new Map<string, number>();
  let heardCount = 0;
  /** The callbacks for this process's own announcements when they are received, by announcement. */
  const returned = new Map<string, () => void>();
  /** The last announcement that is not yet in the connection name; undefined if the name is up to date. */
  let unsaid: string | undefined;
  /** Connections that did not reply in time, with their name then. They are not waited for until the name changes. */
  const silent = new Map<number, string>();
  let connection: pg.Client | undefined;
  /** The end of the chain of statements: a connection runs one statement at a time. */
  let lastStatement: Promise<unknown> = Promise.resolve();
  let first: Promise<void> | undefined;

  const tell = (names: Names) => {
    for (const listener of listeners) listener(names);
  };

  function receive(client: pg.Client, { channel, payload = "", processId }: pg.Notification): void {
    const [, id = "", isNew, ...rest] = payload.split(" ");
    if (channel === replies) {
      answered.get(payload)?.(processId);
      return;
    }
    tell(readNames(rest.join(" ")));
    if (isNew === undefined) return; // from the previous release, which does not wait for us
    order.set(id, ++heardCount);
    if (order.size > REMEMBERED) order.delete(order.keys().next().value ?? "");
    returned.get(id)?.();
    if (unsaid === undefined) lastStatement.then(() => say(client)); // one name for several
    unsaid = id;
  }

  /** Writes the last received announcement into the name of the connection. */
  function say(client: pg.Client): void {
    const id = unsaid;
    unsaid = undefined;
    if (id !== undefined) inTurn(client, "SELECT set_config('application_name', $1, false)", [`${LISTENING} ${id}`]);
  }

  /** Runs statements on the listening connection one after the other. */
  function inTurn(client: pg.Client, sql: string, values: readonly string[] = []): void {
    lastStatement = lastStatement
      .then(() => client.query(sql, [...values]))
      .then(announcementsHeard)
      .catch(() => {}); // the connection ends, or the announcing process stops waiting
  }

  /** Sends a heartbeat. A server that has become read-only announces nothing any more, but another one may. */
  function beat(client: pg.Client): void {
    lastStatement = lastStatement
      .then(() => client.query<{ readOnly: boolean }>(IS_READ_ONLY))
      .then(({ rows }) => (rows[0]?.readOnly ? client.end() : announcementsHeard()))
      .catch(() => {}); // the connection ends
  }

  /** Listens until the connection ends. */
  async function hear(listening: () => void): Promise<void> {
    const { client } = await openClient(address, { keepAlive: true, stream: socketsThatEnd(silenceLimit) });
    // A connection that only listens would never notice that it is dead.
    const heartbeat = setInterval(() => beat(client), silenceLimit / HEARTBEATS);
    client.on("notification", (notification) => receive(client, notification));
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    unsaid = undefined;
    lastStatement = Promise.resolve(); // replies that the previous connection still owed are late anyway
    try {
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${replies}; SET application_name = '${LISTENING} -'`);
      if (closing.signal.aborted) return;
      connection = client;
      announcementsHeard();
      tell(undefined); // for missed announcements
      listening();
      await ended;
    } finally {
      clearInterval(heartbeat);
      connection = undefined;
      await client.end().catch(() => {});
    }
  }

  async function keepHearing(listening: () => void): Promise<void> {
    while (!closing.signal.aborted) {
      await hear(listening).catch(() => {});
      listening(); // the first attempt is over, successful or not
      await sleep(RECONNECT_DELAY, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  /**
   * Announces changes. Resolves when all listening processes have received the announcement.
   * @param late aborts the wait
   */
  async function announceAndWait(id: string, names: Names, late: AbortSignal): Promise<void> {
    const own = connection;
    const back = new Promise<void>((resolve) => returned.set(id, resolve));
    const replied = new Set<number>();
    answered.set(id, (pid) => replied.add(pid));
    let listening = await listenersBy(ANNOUNCE, [payloadOf(`${replies} ${id} looks`, names)]);
    for (const { pid, name } of listening) if (silent.get(pid) !== name) silent.delete(pid);
    const waited = new Set(listening.flatMap(({ pid }) => (silent.has(pid) || pid === ownPid(own) ? [] : [pid])));
    if (!own || connection !== own) return;
    await Promise.race([back, aborted(late)]);
    for (let pause = FIRST_LOOK; waited.size > 0 && !late.aborted; pause = Math.min(2 * pause, LAST_LOOK)) {
      await sleep(pause);
      listening = await listenersBy(LISTENERS, []);
      const mine = order.get(id) ?? Number.POSITIVE_INFINITY;
      const names = new Map(listening.map(({ pid, name }) => [pid, name]));
      for (const pid of waited) {
        const name = names.get(pid);
        const heard = order.get(name?.slice(LISTENING.length + 1) ?? "") ?? 0;
        if (name === undefined || replied.has(pid) || heard >= mine) waited.delete(pid);
        else if (late.aborted) silent.set(pid, name);
      }
    }
  }

  const listenersBy = async (sql: string, values: readonly string[]) =>
    (await query(sql, values)).rows as unknown as Listener[];

  async function announceOnce(names: Names): Promise<void> {
    const id = newId();
    try {
      await announceAndWait(id, names, AbortSignal.timeout(patience));
    } catch {
      // The change is made, and caches expire by themselves.
    } finally {
      answered.delete(id);
      returned.delete(id);
    }
  }

  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /** What the next announcement says. */
  let gathered: Names[] = [];

  function begin(): Promise<void> {
    const names = gathered.includes(undefined) ? undefined : [...new Set(gathered.flatMap((some) => some ?? []))];
    gathered = [];
    running = announceOnce(names).finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** Changes made while an announcement is under way share the next one. */
    async announce(names) {
      if (names?.length === 0) return;
      gathered.push(names);
      if (!running) return begin();
      next ??= running.then(() => {
        next = undefined;
        return begin();
      });
      return next;
    },
    onAnnouncement(listener) {
      listeners.add(listener);
      first ??= new Promise((resolve) => void keepHearing(resolve));
      return first;
    },
    async close() {
      closing.abort();
      await connection?.end().catch(() => {});
    },
  };
}

function payloadOf(start: string, names: Names): string {
  const payload = names ? `${start} ${JSON.stringify(names)}` : start;
  return Buffer.byteLength(payload) <= MAX_BYTES ? payload : start;
}

function readNames(text: string): Names {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
  } catch {
    return undefined; // an announcement without names, or of another release
  }
}

/** Returns the server process id of a connection, which pg's types omit. */
const ownPid = (client: pg.Client | undefined) => (client as { processID?: number } | undefined)?.processID;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
