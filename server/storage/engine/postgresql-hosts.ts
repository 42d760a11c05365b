/**
 * Connections to the first of several hosts that serves, as libpq chooses it: hosts that do not answer, or whose sessions
 * are not of the kind that is wanted, are passed over; a refused password or an unknown database ends the search.
 */
import type pg from "pg";
import type { PostgresqlAddress } from "./address";

/** Sessions that cannot be used: the host has become a standby, or read-only. */
class UnfitSession extends Error {
  readonly code = "25006"; // as if a statement had found out
}

/** Settings of a connection beside its address. */
export type ConnectionSettings = Omit<pg.ClientConfig, "connectionString">;

/** Whether another host may have another answer. */
export function isOfHost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== "string" || !/^(28|3D)/.test(code);
}

/** The settings of a connection to one host. */
export function settingsFor(url: string, { connectTimeout }: PostgresqlAddress): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: connectTimeout * 1000 };
}

/** @throws Error if the session is not of the kind that the address wants */
export async function refuseUnfit(client: pg.ClientBase, { targetSession }: PostgresqlAddress): Promise<void> {
  if (targetSession === "any") return;
  const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS "standby", current_setting('transaction_read_only')::bool AS "readOnly"`,
  );
  if (rows[0]?.standby) throw new UnfitSession("it is a standby");
  if (rows[0]?.readOnly && targetSession === "read-write") throw new UnfitSession("it is read-only");
}

/**
 * A connection of its own, to the first host that serves.
 * @returns the client, and the address of its host
 * @throws what the only host said, or an Error that says it of each
 */
export async function openClient(
  address: PostgresqlAddress,
  settings: ConnectionSettings = {},
): Promise<{ client: pg.Client; url: string }> {
  const { Client } = (await import("pg")).default;
  const errors: { host: string; error: unknown }[] = [];
  for (const url of address.hosts) {
    const client = new Client({ ...settingsFor(url, address), ...settings });
    client.on("error", () => {}); // the statement under way fails, too
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
