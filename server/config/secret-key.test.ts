import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveSecretKeys } from "./secret-key";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "secret-key-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const embedded = () => ({ secretKeys: [], databaseUrl: `file:${join(directory, "data", "service.db")}` });

describe("secret key (rule CONFIG-4)", () => {
  it("uses the given keys as they are and writes nothing", () => {
    const keys = ["a".repeat(32), "b".repeat(32)];
    expect(resolveSecretKeys({ ...embedded(), secretKeys: keys })).toEqual(keys);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("makes 256 random bits beside the embedded database, readable by the owner alone", () => {
    const [key = ""] = resolveSecretKeys(embedded());
    const path = join(directory, "data", "secret.key");
    expect(Buffer.from(key, "base64url")).toHaveLength(32);
    expect(readFileSync(path, "utf8").trim()).toBe(key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, "data"))).toEqual(["secret.key"]);
  });

  it("gives the same key at the next start", () => {
    const first = resolveSecretKeys(embedded());
    writeFileSync(join(directory, "data", "service.db"), "a database");
    expect(resolveSecretKeys(embedded())).toEqual(first);
  });

  it("makes no new key for a database whose key is gone", () => {
    resolveSecretKeys(embedded());
    writeFileSync(join(directory, "data", "service.db"), "a database");
    rmSync(join(directory, "data", "secret.key"));
    expect(() => resolveSecretKeys(embedded())).toThrow(/^SECRET_KEY: .*service\.db exists and .*secret\.key does not/);
  });

  it("refuses a damaged key file", () => {
    resolveSecretKeys(embedded());
    writeFileSync(join(directory, "data", "secret.key"), "short");
    expect(() => resolveSecretKeys(embedded())).toThrow(/^SECRET_KEY: .*is damaged/);
  });

  it("requires a given key with PostgreSQL", () => {
    expect(() => resolveSecretKeys({ secretKeys: [], databaseUrl: "postgresql://127.0.0.1/db" })).toThrow(
      /^SECRET_KEY: is required with PostgreSQL/,
    );
  });

  it("names DATABASE_URL where the folder of the database cannot be made, at once", () => {
    expect(() => resolveSecretKeys({ secretKeys: [], databaseUrl: "file:/proc/nope/deeper/x.db" })).toThrow(
      /^DATABASE_URL: the folder \/proc\/nope\/deeper cannot be made \(ENOENT\)[^\n]*example: DATABASE_URL=/,
    );
  });
});
