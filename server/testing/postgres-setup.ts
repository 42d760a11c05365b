/**
 * Vitest's global setup: a temporary PostgreSQL cluster for the whole run, started on the first request of a test, so
 * that runs without one do not wait. Test workers request it at a loopback address in their environment, and give
 * their databases unique names.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { startPostgres } from "../../scripts/postgres.mjs";

/** Sets up the cluster. TEST_DATABASE_URL names another one, with a user that may create databases. */
export default async function setup(): Promise<() => Promise<void>> {
  const prefix = `test_${randomBytes(4).toString("hex")}_`;
  process.env.TEST_DATABASES = prefix;
  const given = process.env.TEST_POSTGRES_URL ?? process.env.TEST_DATABASE_URL;
  if (given) {
    process.env.TEST_POSTGRES_URL = given;
    return () => dropDatabases(given, prefix);
  }

  let cluster: ReturnType<typeof startPostgres> | undefined;
  const server = createServer(async (_request, response) => {
    try {
      cluster ??= startPostgres({ durable: false });
      response.end((await cluster).localUrl);
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env.TEST_POSTGRES_STARTER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    await (await cluster?.catch(() => undefined))?.stop();
  };
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const like = `${prefix.replaceAll("_", "\\_")}%`;
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE datname LIKE $1", [like]);
    for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
