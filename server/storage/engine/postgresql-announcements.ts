/**
 * Announcements between the processes that share a PostgreSQL database, by LISTEN and NOTIFY: what has changed in the
 * directory, by names that others give. A process that has heard one says so in the name of its connection (`application_name`), where the announcing
 * process looks, so that a request sent after a change sees it in every process. An answer by NOTIFY would wake every
 * process that listens, and so cost the square of their number. All processes hear announcements in the same order: having
 * heard one means having heard those before it. Nothing depends on an announcement: one that gets lost, with the
 * connection or because a process ends, costs nothing but the time that caches live.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { newId } from "../../crypto/random";
import { announcementsHeard } from "../../metrics/database-metrics";
import type { PostgresqlAddress } from "./address";
import { openClient } from "./postgresql-hosts";
import { SILENCE_LIMIT, socketsThatEnd } from "./postgresql-socket";

const CHANNEL = "directory_changed";
/** The bytes of a longest announcement; PostgreSQL refuses 8000. A longer one says that everything has changed. */
const MAX_BYTES = 7_900;
/** What the names of connections that listen begin with in pg_stat_activity; behind it, the last announcement heard. */
const LISTENING = "identity-service listening";
/** How long an announcing process waits for the answers, milliseconds; one that hangs must not block the others. */
const ANSWER_PATIENCE = 500;
const RECONNECT_DELAY = 1_000;
/** How many heartbeats fit into the time after which a silent connection counts as dead. */
const HEARTBEATS = 3;

/** Milliseconds before one looks again for who has heard: at first, and at most. */
const [FIRST_LOOK, LAST_LOOK] = [2, 25];
/** How many announcements are remembered in their order. */
const REMEMBERED = 1_000;

const LISTENERS = `SELECT "pid", "application_name" AS "name" FROM pg_stat_activity
  WHERE "datname" = current_database() AND starts_with("application_name", '${LISTENING}')`;
const ANNOUNCE = `WITH "told" AS MATERIALIZED (SELECT pg_notify('${CHANNEL}', $1))
  SELECT l."pid", l."name" FROM "told" CROSS JOIN (${LISTENERS}) AS l`;

/** A connection that listens. */
interface Listener {
  pid: number;
  name: string;
}

const IS_READ_ONLY = `SELECT current_setting('transaction_read_only')::bool AS "readOnly"`;

/** Of what has changed; undefined: of everything. */
type Names = readonly string[] | undefined;

export interface Announcements {
  announce(names?: Names): Promise<void>;
  onAnnouncement(listener: (names: Names) => void): Promise<void>;
  close(): Promise<void>;
}

export interface AnnouncementOptions {
  /** How long to wait for the answers, milliseconds. */
  patience?: number;
  /** After how long without a byte the connection that listens counts as dead, milliseconds. */
  silenceLimit?: number;
}

/** @param query runs one statement on any connection */
export function createAnnouncements(
  address: PostgresqlAddress,
  query: (sql: string, values: readonly string[]) => Promise<{ rows: readonly Record<string, unknown>[] }>,
  { patience = ANSWER_PATIENCE, silenceLimit = SILENCE_LIMIT }: AnnouncementOptions = {},
): Announcements {
  const closing = new AbortController();
  const listeners = new Set<(names: Names) => void>();
  /**
   * Processes of the previous release answer on this channel; the third word of what is announced says that we look. What
   * follows are the names, which that release does not read: it drops everything.
   */
  const replies = `heard_${newId().replaceAll("-", "")}`;
  /** By announcement, what to do when one of them answers. */
  const answered = new Map<string, (pid: number) => void>();
  /** The announcements heard, with their numbers in the order that is the same everywhere. */
  const order = new Map<string, number>();
  let heardCount = 0;
  /** By announcement of this process, what to do when it has come back. */
  const returned = new Map<string, () => void>();
  /** The last announcement that is not yet in the name of the connection; undefined: it says the last one. */
  let unsaid: string | undefined;
  /** Who did not hear an announcement in time, with the name at that time: nobody waits for them until it is another. */
  const silent = new Map<number, string>();
  let connection: pg.Client | undefined;
  /** One answer after the other: a connection runs one statement at a time. */
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
    if (isNew === undefined) return; // of the previous release, which does not count us among those it waits for
    order.set(id, ++heardCount);
    if (order.size > REMEMBERED) order.delete(order.keys().next().value ?? "");
    returned.get(id)?.();
    if (unsaid === undefined) lastStatement.then(() => say(client)); // one name for all that come together
    unsaid = id;
  }

  /** Says in the name of the connection what was heard last. */
  function say(client: pg.Client): void {
    const id = unsaid;
    unsaid = undefined;
    if (id !== undefined) inTurn(client, "SELECT set_config('application_name', $1, false)", [`${LISTENING} ${id}`]);
  }

  /** Statements of the connection that listens, one after the other. */
  function inTurn(client: pg.Client, sql: string, values: readonly string[] = []): void {
    lastStatement = lastStatement
      .then(() => client.query(sql, [...values]))
      .then(announcementsHeard)
      .catch(() => {}); // the connection ends, or the announcing process stops waiting
  }

  /** Asks whether the connection lives. A server that has become read-only announces nothing any more: another may. */
  function beat(client: pg.Client): void {
    lastStatement = lastStatement
      .then(() => client.query<{ readOnly: boolean }>(IS_READ_ONLY))
      .then(({ rows }) => (rows[0]?.readOnly ? client.end() : announcementsHeard()))
      .catch(() => {}); // the connection ends
  }

  /** Listens until the connection ends. */
  async function hear(listening: () => void): Promise<void> {
    const { client } = await openClient(address, { keepAlive: true, stream: socketsThatEnd(silenceLimit) });
    // Who only listens would never notice that nothing can come any more.
    const heartbeat = setInterval(() => beat(client), silenceLimit / HEARTBEATS);
    client.on("notification", (notification) => receive(client, notification));
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    unsaid = undefined;
    lastStatement = Promise.resolve(); // what the connection before this one still had to answer is late anyway
    try {
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${replies}; SET application_name = '${LISTENING} -'`);
      if (closing.signal.aborted) return;
      connection = client;
      announcementsHeard();
      tell(undefined); // what was announced while nobody listened
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
      listening(); // the first attempt is over, whatever came of it
      await sleep(RECONNECT_DELAY, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  /** Announces and resolves when all that listen have heard it. @param late ends the wait */
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
      // The change is made; caches find out by themselves.
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
    /** Changes that are made while one is announced share the next announcement. */
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

/** The process of the server behind a connection; pg's types leave it out. */
const ownPid = (client: pg.Client | undefined) => (client as { processID?: number } | undefined)?.processID;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
