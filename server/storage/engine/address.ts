/**
 * Which database a URL names, and the error when it cannot be opened: one line with the place and the reason, but no
 * password.
 */
import { fileURLToPath } from "node:url";
import { type PostgresqlUrl, parsePostgresqlUrl } from "../../protocol/postgresql-url";

export type SqliteAddress = { kind: "sqlite"; file: string };
export type PostgresqlAddress = PostgresqlUrl & { kind: "postgresql" };
export type DatabaseAddress = SqliteAddress | PostgresqlAddress;

/**
 * Reads `file:…` (relative to the working directory, or absolute) and `postgresql://…`.
 * @throws Error for any other URL
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const parsed = parsePostgresqlUrl(url);
    if (typeof parsed === "string") throw new Error(`The database's URL ${parsed}`);
    return { kind: "postgresql", ...parsed };
  }
  if (!url.startsWith("file:")) throw new Error("The database's URL must start with file: or postgresql://");
  const file = url.startsWith("file://") ? fileURLToPath(url) : url.slice("file:".length);
  if (file === "" || file.startsWith(":")) throw new Error("The database's URL must name a file after file:");
  return { kind: "sqlite", file };
}

/** An Error that says which database could not be opened and why. */
export function connectionError(address: DatabaseAddress, cause: unknown): Error {
  const place = address.kind === "sqlite" ? `the database file ${address.file}` : `PostgreSQL at ${serversOf(address)}`;
  return new Error(`DATABASE_URL: cannot open ${place}: ${reason(cause)}`, { cause });
}

function serversOf({ hosts }: PostgresqlAddress): string {
  const urls = hosts.map((url) => new URL(url));
  return `${urls.map(({ hostname, port }) => `${hostname}:${port || 5432}`).join(",")}${urls[0]?.pathname}`;
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(", "); // one error for each address of the host name
  return error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);
}
