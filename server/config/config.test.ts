import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Config, describeProblem, loadConfig } from "./config";
import { meantSetting } from "./misspelt-names";
import { parseDuration } from "./value-parsers";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function put(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const load = (env: Record<string, string>) => loadConfig(env, join(directory, ".env"));

function accept(env: Record<string, string>): Config {
  const config = load(env);
  if (Array.isArray(config)) throw new Error(config.map(describeProblem).join("\n"));
  return config;
}

function refuse(env: Record<string, string>): string[] {
  const problems = load(env);
  return Array.isArray(problems) ? problems.map(describeProblem) : [];
}

const key = "k".repeat(32);
const postgres = { DATABASE_URL: "postgresql://user:pass@127.0.0.1/db", SECRET_KEY: key };

describe("configuration inside another server (next start)", () => {
  const hosted = (env: Record<string, string>) => loadConfig(env, join(directory, ".env"), { isHosted: true });

  it("is for one process, also on PostgreSQL", () => {
    expect(hosted(postgres)).toMatchObject({ workers: 1, databaseUrl: postgres.DATABASE_URL });
    expect(accept(postgres).workers).toBe(availableParallelism());
  });

  it("refuses what belongs to a socket of our own", () => {
    const problems = hosted({ ...postgres, WORKERS: "2" });
    expect(problems).toEqual([
      expect.objectContaining({ name: "WORKERS", reason: expect.stringMatching(/^must be 1/) }),
    ]);
  });
});

describe("configuration: defaults (rule CONFIG-5)", () => {
  it("needs nothing", () => {
    expect(accept({})).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
      baseUrl: "http://localhost:8080",
      authUrl: "http://localhost:8080",
      databaseUrl: "file:./data/service.db",
      secretKeys: [],
      trustedProxies: [],
      workers: 1,
      logLevel: "info",
      lifetimes: {
        code: 60_000,
        accessToken: 3_600_000,
        idToken: 3_600_000,
        refreshTokenIdle: 30 * 86_400_000,
        refreshToken: 90 * 86_400_000,
        refreshGrace: 10_000,
        sessionIdle: 86_400_000,
        session: 30 * 86_400_000,
        resetCode: 3_600_000,
        phoneCode: 3_600_000,
      },
      retention: { events: 400 * 86_400_000, mails: 30 * 86_400_000 },
    });
  });

  it("builds the base address from the port, and the authorization address from the base address", () => {
    expect(accept({ PORT: "9000" }).baseUrl).toBe("http://localhost:9000");
    expect(accept({ BASE_URL: "https://id.example.com" }).authUrl).toBe("https://id.example.com");
  });

  it("counts an empty value as not given", () => {
    expect(accept({ PORT: "", SECRET_KEY: "" })).toMatchObject({ port: 8080, secretKeys: [] });
  });

  it("starts as many processes as there are cores with PostgreSQL", () => {
    expect(accept(postgres).workers).toBe(availableParallelism());
  });
});

describe("configuration: values", () => {
  it.each([
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "80a"],
    ["PORT", "-1"],
    ["HOST", "127.0.0.1:80"],
    ["BASE_URL", "id.example.com"],
    ["BASE_URL", "ftp://id.example.com"],
    ["BASE_URL", "https://id.example.com/"],
    ["BASE_URL", "https://id.example.com?x=1"],
    ["BASE_URL", "https://id.example.com#x"],
    ["BASE_URL", "https://user:secret@id.example.com"],
    ["BASE_URL", "https://ID.example.com"],
    ["BASE_URL", "https://id.example.com:443"],
    ["BASE_URL", "https://id.example.com:0"],
    ["BASE_URL", "http://id.example.com"],
    ["BASE_URL", "http://localhost.example.com"],
    ["BASE_URL", "http://127.evil.example"],
    ["AUTH_URL", "http://id.example.com"],
    ["ALLOW_INSECURE_HTTP", "yes"],
    ["DATABASE_URL", "mysql://localhost/db"],
    ["DATABASE_URL", "file:"],
    ["DATABASE_URL", "file::memory:"],
    ["DATABASE_URL", "file:/"],
    ["DATABASE_URL", "file:///"],
    ["SECRET_KEY", "k".repeat(31)],
    ["SECRET_KEY", `${key},short`],
    ["SECRET_KEY", `${key}\n${key}`],
    ["DATABASE_URL", "file:./data/"],
    ["SMTP_URL", "mail.example.com:25"],
    ["MAIL_FROM", "no-reply"],
    ["MAIL_FROM", "a@example.com\nBcc: b@example.com"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "proxy.example.com"],
    ["WORKERS", "0"],
    ["WORKERS", "2"],
    ["TLS_CERT_FILE", "/nowhere/cert.pem"],
    ["BOOTSTRAP_FILE", "/nowhere/bootstrap.json"],
    ["BOOTSTRAP_FILE", "/"],
    ["GRPC_PORT", "8080"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["EVENT_RETENTION", "400"],
    ["EVENT_RETENTION", "30d"],
    ["EVENT_ARCHIVE_DIRECTORY", "/nowhere/events"],
    ["EVENT_ARCHIVE_DIRECTORY", "/dev/null"],
    ["MAIL_RETENTION", "1d"],
    ["MAIL_RETENTION", "forever"],
    ["CODE_LIFETIME", "11m"],
    ["CODE_LIFETIME", "0s"],
    ["ACCESS_TOKEN_LIFETIME", "3600"],
    ["ACCESS_TOKEN_LIFETIME", "1.5h"],
    ["SESSION_LIFETIME", "99999d"],
    ["SESSION_IDLE_LIFETIME", "31d"],
    ["REFRESH_TOKEN_IDLE_LIFETIME", "91d"],
  ])("refuses %s=%s with its name, the reason and an example", (name, value) => {
    const lines = refuse({ [name]: value });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.some((line) => new RegExp(`^(${name}|TLS_KEY_FILE): .+ \\(example: `).test(line))).toBe(true);
    expect(lines.join()).not.toContain("\n");
  });

  it.each([
    ["EVENT_RETENTION", "30d", "must be at least 31d, or forever"],
    ["MAIL_RETENTION", "36h", "must be at least 2d"],
    ["SHUTDOWN_NOTICE", "61s", "must be at most 1m"],
    ["CODE_LIFETIME", "601s", "must be at most 10m"],
    ["ACCESS_TOKEN_LIFETIME", "0s", "must be at least 1s"],
  ])("says the limit of %s=%s as it would be written", (name, value, reason) => {
    expect(refuse({ [name]: value }).join()).toContain(`${name}: ${reason} (example: `);
  });

  it.each([
    ["BASE_URL", "http://localhost:3000"],
    ["BASE_URL", "http://id.localhost"],
    ["BASE_URL", "http://127.0.0.1:3000"],
    ["BASE_URL", "http://[::1]:3000"],
    ["BASE_URL", "https://example.com/id"],
    ["HOST", "::"],
    ["HOST", "0.0.0.0"],
    ["TRUSTED_PROXIES", "10.0.0.0/8, ::1, fd00::/8"],
    ["MAIL_FROM", "Example Ltd <no-reply@example.com>"],
    ["SMTP_URL", "smtp://localhost"],
    ["REFRESH_GRACE", "0s"],
    ["CODE_LIFETIME", "10m"],
    ["EVENT_RETENTION", "forever"],
    ["EVENT_ARCHIVE_DIRECTORY", tmpdir()],
  ])("accepts %s=%s", (name, value) => {
    expect(refuse({ [name]: value })).toEqual([]);
  });

  it("names both lifetimes that contradict each other, and gives way where only the whole one is set", () => {
    expect(refuse({ SESSION_LIFETIME: "8h", SESSION_IDLE_LIFETIME: "9h" })).toEqual([
      "SESSION_IDLE_LIFETIME: must not be longer than SESSION_LIFETIME, which is set to 28800s (example: SESSION_IDLE_LIFETIME=28800s)",
    ]);
    expect(refuse({ REFRESH_TOKEN_LIFETIME: "1h", REFRESH_TOKEN_IDLE_LIFETIME: "1d" })).toHaveLength(1);
    const { lifetimes } = accept({ SESSION_LIFETIME: "1h", REFRESH_TOKEN_LIFETIME: "2h" });
    expect(lifetimes).toMatchObject({ sessionIdle: 3_600_000, session: 3_600_000, refreshTokenIdle: 7_200_000 });
  });

  it("permits http off the machine only by explicit choice", () => {
    expect(accept({ BASE_URL: "http://id.test", ALLOW_INSECURE_HTTP: "true" }).baseUrl).toBe("http://id.test");
  });

  it("reads several keys, the sealing one first", () => {
    expect(accept({ SECRET_KEY: `${key} , ${"o".repeat(40)}` }).secretKeys).toEqual([key, "o".repeat(40)]);
  });

  it("requires a key with PostgreSQL, both TLS files together", () => {
    expect(refuse({ DATABASE_URL: postgres.DATABASE_URL })).toEqual([
      expect.stringMatching(/^SECRET_KEY: is required/),
    ]);
    expect(refuse({ TLS_KEY_FILE: put("key.pem", "x") })).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE: is required/),
    ]);
  });

  it("tells every mistake at once and never repeats a secret", () => {
    const lines = refuse({ PORT: "x", SECRET_KEY: "hunter2", DATABASE_URL: "redis://:hunter2@host" });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain("hunter2");
  });
});

describe("configuration: secrets in files", () => {
  it("reads *_FILE without the line end", () => {
    expect(accept({ SECRET_KEY_FILE: put("key", `${key}\n`) }).secretKeys).toEqual([key]);
  });

  it("refuses a missing or empty file, and both forms together", () => {
    expect(refuse({ SECRET_KEY_FILE: join(directory, "none") })).toEqual([
      expect.stringMatching(/^SECRET_KEY_FILE: cannot be read: there is no such file/),
    ]);
    expect(refuse({ SECRET_KEY_FILE: put("empty", "\n") })).toContainEqual(
      expect.stringMatching(/^SECRET_KEY_FILE: names an empty/),
    );
    expect(refuse({ SECRET_KEY: key, SECRET_KEY_FILE: put("key", key) })).toEqual([
      expect.stringMatching(/^SECRET_KEY_FILE: stands beside SECRET_KEY/),
    ]);
  });
});

describe("configuration: names", () => {
  it.each([
    ["BASE_UR", "BASE_URL"],
    ["base_url", "BASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["SECRET_KEYS", "SECRET_KEY"],
    ["ACESS_TOKEN_LIFETIM", "ACCESS_TOKEN_LIFETIME"],
    ["TRUSTED_PROXYS", "TRUSTED_PROXIES"],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["SECRETKEY", "SECRET_KEY"],
    ["PROT", "PORT"],
  ])("takes %s in the environment for a misspelt %s", (name, meant) => {
    expect(refuse({ [name]: "1" })).toEqual([
      expect.stringContaining(`${name}: is not a setting; did you mean ${meant}`),
    ]);
  });

  it("leaves the names of other programs alone", () => {
    const names = [
      "HOME",
      "HOSTNAME",
      "POST",
      "PORTS",
      "PATH",
      "NEXTAUTH_URL",
      "LOGNAME",
      "HTTP_PROXY",
      "npm_config_port",
      "TLS_CERT",
      "MAIL",
    ];
    for (const name of names) expect(refuse({ [name]: "1" })).toEqual([]);
    expect(meantSetting("HOME", ["HOST"])).toBeUndefined();
    expect(meantSetting("SSL_CERT_FILE", ["TLS_CERT_FILE"])).toBeUndefined(); // OpenSSL, Go and Python read it
  });

  it("refuses any unknown name in .env, but for Node's, Next's and the time zone", () => {
    put(".env", "COLOUR=blue\nNODE_ENV=production\nTZ=UTC\n");
    expect(refuse({})).toEqual([expect.stringMatching(/^COLOUR: stands in .*\.env and is not a setting/)]);
  });
});

describe("durations", () => {
  it.each([
    ["60s", 60_000],
    ["10m", 600_000],
    ["1h", 3_600_000],
    ["30d", 2_592_000_000],
    ["0s", 0],
    ["", undefined],
    ["60", undefined],
    ["060s", undefined],
    ["-1s", undefined],
    ["1h30m", undefined],
    ["1 h", undefined],
    ["1H", undefined],
  ])("reads %j", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });
});
