import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { startPostgres } from "./postgres.mjs";

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const script = fileURLToPath(new URL("postgres.mjs", import.meta.url));

/** Runs the script as a command. Resolves with the first line that it prints. */
async function command(env: NodeJS.ProcessEnv = process.env) {
  const tmp = fs.mkdtempSync(`${os.tmpdir()}/command-`);
  fs.chmodSync(tmp, 0o755); // as root, PostgreSQL runs as another user
  const child = spawn(process.execPath, [script], { env: { ...env, TMPDIR: tmp } });
  const ended = once(child, "exit");
  const [first] = await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
  const gone = async () => {
    await vi.waitFor(() => expect(fs.readdirSync(tmp)).toEqual([]), { timeout: 20_000 });
    fs.rmdirSync(tmp);
  };
  return { child, ended, line: String(first).trim(), gone };
}

describe("a temporary PostgreSQL", () => {
  it("accepts the superuser, in UTF-8, with the default durability, until it is stopped", async () => {
    const { url, stop } = await startPostgres();
    expect(await query(url, "SHOW fsync")).toEqual([{ fsync: "on" }]);
    expect(await query(url, "SHOW synchronous_commit")).toEqual([{ synchronous_commit: "on" }]);
    expect(await query(url, "SHOW server_encoding")).toEqual([{ server_encoding: "UTF8" }]);
    expect(await query(url, "CREATE DATABASE another")).toEqual([]);
    await stop();
    await stop();
    await expect(query(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });

  it("does not wait for the disk if durability is turned off", async () => {
    const { url, stop } = await startPostgres({ durable: false });
    expect(await query(url, "SHOW fsync")).toEqual([{ fsync: "off" }]);
    await stop();
  });

  it("accepts connections through a socket in its folder", async () => {
    const { localUrl, stop } = await startPostgres({ durable: false });
    expect(await query(localUrl, "SELECT inet_server_addr() AS address")).toEqual([{ address: null }]);
    await stop();
    await expect(query(localUrl, "SELECT 1")).rejects.toThrow("ENOENT");
  });

  it.each(["SIGINT", "SIGTERM"] as const)("as a command prints its URL and is gone after %s", async (signal) => {
    const { child, ended, line, gone } = await command();
    expect(await query(line, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    await gone();
    await expect(query(line, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });

  it("is removed when the process that started it is killed", async () => {
    const { child, line, gone } = await command();
    child.kill("SIGKILL");
    await gone();
    await expect(query(line, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });
});
