/**
 * The pool of connections to PostgreSQL. It stays with the host that it used last and tries the next one when that
 * fails. Unusable sessions are removed: after a switchover, old sessions may stay with a server that has become
 * read-only, while new connections reach the new primary.
 */
import pg from "pg";
import type { PostgresqlAddress } from "./address";
import { isOfHost, refuseUnfit, settingsFor } from "./postgresql-hosts";
import { socketsThatEnd } from "./postgresql-socket";
import { PATIENCE } from "./transaction-options";

export interface PoolOptions {
  max: number;
  /** Milliseconds; see postgresql-socket.ts. */
  silenceLimit: number;
  idleTimeoutMillis: number;
  /** Prepares a new session. */
  onConnect(client: pg.ClientBase): Promise<void>;
}

/**
 * read_only_sql_transaction, admin_shutdown, crash_shutdown, cannot_connect_now: sessions of the same age fail
 * likewise.
 */
const OF_SESSION = new Set(["25006", "57P01", "57P02", "57P03"]);

/** Minimum milliseconds between two retirements of all sessions. */
const BETWEEN_RETIREMENTS = 1_000;

/** Returns whether the session that returned this error is unusable. */
export const isOfSession = (error: unknown): boolean => OF_SESSION.has(String((error as { code?: unknown }).code));

export function openPool(address: PostgresqlAddress, { onConnect, silenceLimit, ...options }: PoolOptions): pg.Pool {
  const { hosts } = address;
  /** The host that new connections go to. */
  let current = 0;
  /** Errors after which another host is tried. */
  const ofHost = new WeakSet<object>();
  /**
   * The order in which sessions were opened, the removed sessions, and the number up to which all sessions are removed.
   */
  const opened = new WeakMap<pg.ClientBase, number>();
  const gone = new WeakSet<pg.ClientBase>();
  let latest = 0;
  let retired = 0;
  let retiredAt = Number.NEGATIVE_INFINITY;

  /**
   * Removes a session and all older ones, which would fail likewise, but not repeatedly while no server accepts writes.
   */
  function retire(client: pg.ClientBase): void {
    gone.add(client);
    const now = performance.now();
    if (now - retiredAt < BETWEEN_RETIREMENTS) return;
    retired = latest;
    retiredAt = now;
  }

  function leave(host: number, error: Error): void {
    if (hosts.length === 1 || !isOfHost(error)) return;
    ofHost.add(error);
    if (current === host) current = (host + 1) % hosts.length;
  }

  class HostClient extends pg.Client {
    readonly #host: number;

    constructor(settings: pg.ClientConfig) {
      const host = current;
      super({ ...settings, ...settingsFor(hosts[host] ?? hosts[0], address) });
      this.#host = host;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      if (!callback) return super.connect() as unknown as Promise<pg.Client>;
      super.connect((error: Error) => {
        if (error) this.leaveHost(error);
        callback(error);
      });
      return undefined;
    }

    leaveHost(error: Error): void {
      leave(this.#host, error);
    }
  }

  class HostPool extends pg.Pool {
    override connect(): Promise<pg.PoolClient>;
    override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
    override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
      const connected = this.#connectAnywhere();
      if (!callback) return connected;
      connected.then(
        (client) => callback(undefined, client, client.release),
        (error) => callback(error, undefined, () => {}),
      );
      return undefined;
    }

    async #connectAnywhere(): Promise<pg.PoolClient> {
      for (let attempt = 1; ; ) {
        try {
          const client = await super.connect();
          if (!gone.has(client) && (opened.get(client) ?? 0) > retired) return client;
          client.release(true);
        } catch (error) {
          if (attempt++ >= hosts.length || !ofHost.has(error as object)) throw error;
        }
      }
    }
  }

  const pool = new HostPool({
    ...options,
    Client: HostClient as unknown as typeof pg.Client,
    stream: socketsThatEnd(silenceLimit),
    connectionTimeoutMillis: PATIENCE, // also while waiting for a free connection
    onConnect: async (client) => {
      try {
        await refuseUnfit(client, address);
        await onConnect(client);
      } catch (error) {
        (client as unknown as HostClient).leaveHost(error as Error);
        throw error;
      }
    },
    keepAlive: true,
    application_name: "identity-service",
  });
  // The pool removes a broken connection, and its user gets the error. Without listeners the process would end when the
  // database restarts.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    opened.set(client, ++latest);
    // Listens to every error that the server sends, because Prisma's transactions return their connections themselves.
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on("errorMessage", (error) => {
      if (isOfSession(error)) retire(client);
    });
  });
  return pool;
}
