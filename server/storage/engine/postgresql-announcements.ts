/**
 * Announcements between the processes that share a PostgreSQL database, by LISTEN and NOTIFY: "the directory has
 * changed". Every process that hears one answers, and who announced waits for the answers, so that a request sent after
 * a change sees it in every process. Nothing depends on it: an announcement that gets lost, with the connection or
 * because a process ends, costs nothing but the time that caches live.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { newId } from "../../crypto/random";
import { announcementsHeard } from "../../metrics/instruments";
import type { PostgresqlAddress } from "./address";
import { openClient } from "./postgresql-hosts";
import { SILENCE_LIMIT, socketsThatEnd } from "./postgresql-socket";

const CHANNEL = "directory_changed";
/** What the connections that listen are called in pg_stat_activity: so the processes can be counted. */
const LISTENING = "identity-service listening";
/** How long an announcing process waits for the answers, milliseconds; one that hangs must not block the others. */
const ANSWER_PATIENCE = 500;
const RECONNECT_DELAY = 1_000;
/** How many heartbeats fit into the time after which a silent connection counts as dead. */
const HEARTBEATS = 3;

const ANNOUNCE = `SELECT pg_notify('${CHANNEL}', $1), (SELECT CAST(COUNT(*) AS INTEGER) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = '${LISTENING}') AS listening`;

const IS_READ_ONLY = `SELECT current_setting('transaction_read_only')::bool AS "readOnly"`;

export interface Announcements {
  announce(): Promise<void>;
  onAnnouncement(listener: () => void): Promise<void>;
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
  const listeners = new Set<() => void>();
  /** The channel for answers to this process, and what to do with each. */
  const replies = `heard_${newId().replaceAll("-", "")}`;
  const answered = new Map<string, () => void>();
  let connection: pg.Client | undefined;
  /** One answer after the other: a connection runs one statement at a time. */
  let lastStatement: Promise<unknown> = Promise.resolve();
  let first: Promise<void> | undefined;

  const tell = () => {
    for (const listener of listeners) listener();
  };

  function receive(client: pg.Client, { channel, payload = "" }: pg.Notification): void {
    if (channel === replies) {
      answered.get(payload)?.();
      return;
    }
    tell();
    const [replyTo = "", id = ""] = payload.split(" ");
    inTurn(client, "SELECT pg_notify($1, $2)", [replyTo, id]);
  }

  /** Statements of the connection that listens, one after the other. */
  function inTurn(client: pg.Client, sql: string, values: readonly string[] = []): void {
    lastStatement = lastStatement
      .then(() => client.query(sql, [...values]))
      .then(announcementsHeard)
      .catch(() => {}); // the connection ends, or whoever waits for the answer stops by themselves
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
    lastStatement = Promise.resolve(); // what the connection before this one still had to answer is late anyway
    try {
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${replies}; SET application_name = '${LISTENING}'`);
      if (closing.signal.aborted) return;
      connection = client;
      announcementsHeard();
      tell(); // what was announced while nobody listened
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

  /** Announces and resolves when as many have answered as listen. */
  async function announceAndWait(id: string): Promise<void> {
    let answers = 0;
    let wanted = Number.POSITIVE_INFINITY;
    const all = new Promise<void>((resolve) => {
      answered.set(id, () => {
        if (++answers >= wanted) resolve();
      });
    });
    const { rows } = await query(ANNOUNCE, [`${replies} ${id}`]);
    wanted = Number(rows[0]?.listening);
    if (connection && answers < wanted) await all;
  }

  return {
    async announce() {
      const id = newId();
      const late = new AbortController();
      try {
        await Promise.race([announceAndWait(id), sleep(patience, undefined, { signal: late.signal })]);
      } catch {
        // The change is made; caches find out by themselves.
      } finally {
        answered.delete(id);
        late.abort();
      }
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
