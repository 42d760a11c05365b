import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../scripts/free-port.mjs";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { migrationsFolder } from "../../root";
import { afterwards, emptyDatabaseUrl } from "../../testing/database";
import { NOW, sampleOrganization } from "../../testing/database-conformance/rows";
import { network } from "../../testing/network";
import type { Database } from "../database";
import { connect } from "./connect";
import { migrate } from "./migrate";
import { oneAtATime } from "./one-at-a-time";
import { refuseTransactionPooling } from "./pooler";

/** Runs a query, also on servers whose sessions are read-only by default. */
async function ask(url: string, sql: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET default_transaction_read_only = off");
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

const opened = async (url: string, silenceLimit?: number) => {
  const db = await connect(url, { poolSize: 3, silenceLimit });
  afterwards(() => db.close());
  return db;
};

/** Returns the port of the server that runs the statements. */
const server = async (db: Database) => {
  const row = await db.one<{ port: number }>(`SELECT current_setting('port')::int AS "port"`, []);
  return row?.port;
};

describe("several hosts in DATABASE_URL", () => {
  let [one, two]: { url: string; port: number }[] = [];
  let stop: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const clusters = await Promise.all([startPostgres({ durable: false }), startPostgres({ durable: false })]);
    [one, two] = clusters.map(({ url }) => ({ url, port: Number(new URL(url).port) }));
    stop = clusters.map((cluster) => cluster.stop);
  });
  afterAll(() => Promise.all(stop.map((end) => end())));

  /** `postgresql://…@127.0.0.1:one,127.0.0.1:two/postgres` */
  const several = (ports: (number | undefined)[], parameters = "") =>
    `postgresql://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres${parameters}`;
  const setReadOnly = (url: string, on: boolean) =>
    ask(
      url,
      `ALTER DATABASE postgres ${on ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"}`,
    );
  const portOf = (url: string) => Number(new URL(url).port);

  it("connects to the first one that answers", async () => {
    expect(await server(await opened(several([one?.port, two?.port])))).toBe(one?.port);
    expect(await server(await opened(several([await freePort(), two?.port])))).toBe(two?.port);
  });

  it("passes over hosts that are read-only where read-write is wanted, at every way in", async () => {
    await setReadOnly(one?.url ?? "", true);
    afterwards(() => setReadOnly(one?.url ?? "", false));
    const url = several([one?.port, two?.port], "?target_session_attrs=read-write");
    await refuseTransactionPooling(url);
    expect((await migrate(url, migrationsFolder)).length).toBeGreaterThan(0);
    expect(await oneAtATime(url, "a name", async () => "done")).toBe("done");
    const db = await opened(url);
    expect(await server(db)).toBe(two?.port);
    await db.commit({ inserts: [sampleOrganization("two")] });
    expect(await server(await opened(several([one?.port, two?.port])))).toBe(one?.port);
    expect(await server(await opened(several([one?.port, two?.port], "?target_session_attrs=primary")))).toBe(
      one?.port,
    );
  });

  it("switches to the next host when the current one fails, and back", async () => {
    const [first, second] = [await network(one?.url ?? ""), await network(two?.url ?? "")];
    const db = await opened(several([portOf(first.url), portOf(second.url)]));
    expect(await server(db)).toBe(one?.port);
    await first.cut();
    await expect.poll(() => server(db).catch(() => undefined)).toBe(two?.port);
    const transactions = Array.from({ length: 5 }, () => db.transaction((tx) => tx.$queryRaw`SELECT 1`));
    await Promise.all(transactions);
    await first.restore();
    await second.cut();
    await expect.poll(() => server(db).catch(() => undefined)).toBe(one?.port);
  });

  it("follows a switchover to the host that takes writes now", async () => {
    const url = several([one?.port, two?.port], "?target_session_attrs=read-write");
    await migrate(several([one?.port]), migrationsFolder);
    await migrate(several([two?.port]), migrationsFolder);
    const db = await opened(url);
    await Promise.all(Array.from({ length: 3 }, () => db.one("SELECT pg_sleep(0.1)", [])));
    await setReadOnly(one?.url ?? "", true);
    afterwards(() => setReadOnly(one?.url ?? "", false));
    await ask(
      one?.url ?? "",
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid()`,
    );
    await expect.poll(() => server(db).catch(() => undefined)).toBe(two?.port);
    await db.commit({ inserts: [sampleOrganization("after")] });
  });

  it("says of each host why it was passed over", async () => {
    await setReadOnly(one?.url ?? "", true);
    afterwards(() => setReadOnly(one?.url ?? "", false));
    const nobody = await freePort();
    const url = several([nobody, one?.port], "?target_session_attrs=read-write");
    const sentence =
      `DATABASE_URL: cannot open PostgreSQL at 127.0.0.1:${nobody},127.0.0.1:${one?.port}/postgres: ` +
      `127.0.0.1:${nobody}: connect ECONNREFUSED 127.0.0.1:${nobody}; 127.0.0.1:${one?.port}: it is read-only`;
    await expect(migrate(url, migrationsFolder)).rejects.toThrow(sentence);
    await expect(refuseTransactionPooling(url)).rejects.toThrow(sentence);
  });

  it("asks no other host when one refuses the database", async () => {
    const url = several([one?.port, two?.port]).replace(/postgres$/, "nowhere");
    await expect(migrate(url, migrationsFolder)).rejects.toThrow(/\/nowhere: database "nowhere" does not exist$/);
  });
});

describe("sessions that stay read-only while new connections can write", () => {
  const database = (url: string) => new URL(url).pathname.slice(1);

  async function readOnlyBefore(use: (db: Database, url: string) => Promise<void>) {
    const url = await emptyDatabaseUrl("postgresql");
    await migrate(url, migrationsFolder);
    await ask(url, `ALTER DATABASE "${database(url)}" SET default_transaction_read_only = on`);
    const db = await opened(url);
    await Promise.all(Array.from({ length: 3 }, () => db.one("SELECT pg_sleep(0.1)", [])));
    await db.prisma.organization.count();
    await use(db, url);
  }
  const writableAgain = (url: string) =>
    ask(url, `ALTER DATABASE "${database(url)}" RESET default_transaction_read_only`);

  it("leave the pool at their first write, which succeeds", async () => {
    await readOnlyBefore(async (db, url) => {
      await writableAgain(url);
      await db.commit({ inserts: [sampleOrganization("a")] });
      const kept = await Promise.all(
        Array.from({ length: 3 }, () =>
          db.one(`SELECT pg_sleep(0.1), current_setting('transaction_read_only') AS "on"`, []),
        ),
      );
      expect(kept.map((row) => (row as { on: string }).on)).toEqual(["off", "off", "off"]);
    });
  });

  it("leave it at the first write of a transaction, after which all succeed", async () => {
    await readOnlyBefore(async (db, url) => {
      await writableAgain(url);
      const write = (id: string) =>
        db.transaction((tx) => tx.organization.create({ data: { id, name: "", state: "active", createdAt: NOW } }));
      await expect(write("a")).rejects.toThrow();
      for (const id of ["b", "c", "d", "e"]) await write(id);
      expect(await db.prisma.organization.count()).toBe(4);
    });
  });

  it("do not keep the connection that listens", async () => {
    await readOnlyBefore(async (_, url) => {
      const listening = await opened(url, 1_000);
      let heard = 0;
      await listening.onAnnouncement(() => heard++);
      await writableAgain(url);
      const before = heard;
      await expect.poll(() => heard).toBeGreaterThan(before); // notifies once when it listens again
    });
  });
});

describe("a certificate that cannot be read", () => {
  it.each(["sslrootcert", "sslcert", "sslkey"])("as %s is an error of DATABASE_URL", async (parameter) => {
    const url = `postgresql://127.0.0.1:1/db?sslmode=verify-full&${parameter}=/nope.pem`;
    const sentence =
      "DATABASE_URL: cannot open PostgreSQL at 127.0.0.1:1/db: ENOENT: no such file or directory, open '/nope.pem'";
    await expect(refuseTransactionPooling(url)).rejects.toThrow(sentence);
    await expect(migrate(url, migrationsFolder)).rejects.toThrow(sentence);
    await expect(connect(url)).rejects.toThrow(sentence);
  });
});
