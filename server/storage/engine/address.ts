/**
 * Which database a URL names, and the error when it cannot be opened: one line with the place and the reason, but no
 * password.
 */
import { fileURLToPath } from "node:url";
import { parseUrl } from "../../protocol/url";

export type SqliteAddress = { kind: "sqlite"; file: string };
export type PostgresqlAddress = { kind: "postgresql"; url: string };
export type DatabaseAddress = SqliteAddress | PostgresqlAddress;

/**
 * Reads `file:…` (relative to the working directory, or absolute) and `postgresql://…`.
 * @throws Error for any other URL
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  if (/^postgres(ql)?:\/\//.test(url) && parseUrl(url)) return { kind: "postgresql", url };
  if (!url.startsWith("file:")) throw new Error("The database's URL must start with file: or postgresql://");
  const file = url.startsWith("file://") ? fileURLToPath(url) : url.slice("file:".length);
  if (file === "" || file.startsWith(":")) throw new Error("The database's URL must name a file after file:");
  return { kind: "sqlite", file };
}

/** An Error that says which database could not be opened and why. */
export function connectionError(address: DatabaseAddress, cause: unknown): Error {
  const place = address.kind === "sqlite" ? `the database file ${address.file}` : `PostgreSQL at ${host(address.url)}`;
  return new Error(`DATABASE_URL: cannot open ${place}: ${reason(cause)}`, { cause });
}

function host(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(", "); // one error for each address of the host name
  return error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);
}
