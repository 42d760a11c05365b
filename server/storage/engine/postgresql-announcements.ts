/**
 * Announcements between the processes that share a PostgreSQL database, by LISTEN and NOTIFY: "the directory has
 * changed". Every process that hears one answers, and who announced waits for the answers, so that a request sent after
 * a change sees it in every process. Nothing depends on it: an announcement that gets lost, with the connection or
 * because a process ends, costs nothing but the time that caches live.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newId } from "../../crypto/random";

const CHANNEL = "directory_changed";
/** What the connections that listen are called in pg_stat_activity: so the processes can be counted. */
const LISTENING = "identity-service listening";
/** How long an announcing process waits for the answers, milliseconds; one that hangs must not block the others. */
const ANSWER_PATIENCE = 500;
const CONNECT_TIMEOUT = 5_000;
const RECONNECT_DELAY = 1_000;

const ANNOUNCE = `SELECT pg_notify('${CHANNEL}', $1), (SELECT CAST(COUNT(*) AS INTEGER) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = '${LISTENING}') AS listening`;

export interface Announcements {
  announce(): Promise<void>;
  onAnnouncement(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param query runs one statement on any connection
 * @param patience how long to wait for the answers, milliseconds
 */
export function createAnnouncements(
  url: string,
  query: (sql: string, values: readonly string[]) => Promise<pg.QueryResult>,
  patience = ANSWER_PATIENCE,
): Announcements {
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  /** The channel for answers to this process, and what to do with each. */
  const replies = `heard_${newId().replaceAll("-", "")}`;
  const answered = new Map<string, () => void>();
  let connection: pg.Client | undefined;
  /** One answer after the other: a connection runs one statement at a time. */
  let onUniqueViolation: Promise<unknown> = Promise.resolve();
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
    const answer = () => client.query("SELECT pg_notify($1, $2)", [replyTo, id]);
    onUniqueViolation = onUniqueViolation.then(answer).catch(() => {}); // whoever waits stops by himself
  }

  /** Listens until the connection ends. */
  async function hear(listening: () => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT, keepAlive: true });
    client.on("error", () => {}); // the connection ends, too
    client.on("notification", (notification) => receive(client, notification));
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    onUniqueViolation = Promise.resolve(); // what the connection before this one still had to answer is late anyway
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${replies}; SET application_name = '${LISTENING}'`);
      if (closing.signal.aborted) return;
      connection = client;
      tell(); // what was announced while nobody listened
      listening();
      await ended;
    } finally {
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
