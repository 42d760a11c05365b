/**
 * Connects to the first usable host of several, with the rules of libpq: hosts that do not answer, or whose sessions
 * are not of the requested kind, are skipped; a rejected password or an unknown database ends the search.
 */
import type pg from "pg";
import type { PostgresqlAddress } from "./address";

/** A session that cannot be used because the host has become a standby or read-only. */
class UnfitSession extends Error {
  readonly code = "25006"; // the code that a statement would fail with
}

/** Settings of a connection other than its address. */
export type ConnectionSettings = Omit<pg.ClientConfig, "connectionString">;

/** Returns whether an error is specific to a host, so that another host may be tried. */
export function isOfHost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== "string" || !/^(28|3D)/.test(code);
}

/** Returns the settings of a connection to one host. */
export function settingsFor(url: string, { connectTimeout }: PostgresqlAddress): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: connectTimeout * 1000 };
}

/**
 * Checks that a session is of the kind that the address requests.
 * @throws Error if it is not
 */
export async function refuseUnfit(client: pg.ClientBase, { targetSession }: PostgresqlAddress): Promise<void> {
  if (targetSession === "any") return;
  const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS "standby", current_setting('transaction_read_only')::bool AS "readOnly"`,
  );
  if (rows[0]?.standby) throw new UnfitSession("it is a standby");
  if (rows[0]?.readOnly && targetSession === "read-write") throw new UnfitSession("it is read-only");
}

/**
 * Opens a separate connection to the first usable host.
 * @returns the client and the address of its host
 * @throws the error of the only host, or an Error with the messages of all hosts
 */
export async function openClient(
  address: PostgresqlAddress,
  settings: ConnectionSettings = {},
): Promise<{ client: pg.Client; url: string }> {
  const { Client } = (await import("pg")).default;
  const errors: { host: string; error: unknown }[] = [];
  for (const url of address.hosts) {
    const client = new Client({ ...settingsFor(url, address), ...settings });
    client.on("error", () => {}); // the running statement fails too
    try {
      await client.connect();
      await refuseUnfit(client, address);
      return { client, url };
    } catch (error) {
      await client.end().catch(() => {});
      if (address.hosts.length === 1 || !isOfHost(error)) throw error;
      errors.push({ host: new URL(url).host, error });
    }
  }
  const said = errors.map(({ host, error }) => `${host}: ${(error as Error).message}`).join("; ");
  throw new Error(said, { cause: errors[0]?.error });
}
