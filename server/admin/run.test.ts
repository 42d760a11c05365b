import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { connect } from "../storage/engine/connect";
import { claimDatabase } from "../storage/engine/sqlite-lock";
import { replaceBaseUrl } from "../storage/instance/instance";
import { emptyDatabaseUrl, temporaryFolder } from "../testing/database";
import { runCommand } from "./run";

interface Result {
  status: number;
  out: string;
  err: string;
}

/** Creates a separate installation, and the tool for it. */
function installation(more: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    DATABASE_URL: `file:${folder}/service.db`,
    BASE_URL: "http://localhost:9",
    ...more,
  };
  const admin = async (...words: string[]): Promise<Result> => {
    const lines = { out: [] as string[], err: [] as string[] };
    const status = await runCommand(words, env, {
      out: (text) => lines.out.push(text),
      err: (text) => lines.err.push(text),
    });
    return { status, out: lines.out.join("\n"), err: lines.err.join("\n") };
  };
  const put = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  return { folder, admin, put };
}

/** The files of a first start, by name: migrations and keys take most of the time of a command. */
const ofFirstStart = new Map<string, Buffer>();

/** Returns an installation that was started once and has keys: a copy of the first one. */
async function startedInstallation() {
  const made = installation();
  for (const [name, content] of ofFirstStart) writeFileSync(join(made.folder, name), content, { mode: 0o600 });
  if (ofFirstStart.size > 0) return made;
  await made.admin("keys", "rotate");
  for (const name of readdirSync(made.folder)) ofFirstStart.set(name, readFileSync(join(made.folder, name)));
  return made;
}

describe("operator's tool: command line", () => {
  it.each([[[]], [["--help"]], [["help"]], [["-h"]]])("shows all commands for %j", async (words) => {
    const { status, out } = await installation().admin(...words);
    expect(status).toBe(0);
    for (const name of ["setup-link", "apply <file>", "keys rotate", "keys list", "backup <file>", "doctor"]) {
      expect(out).toContain(name);
    }
  });

  it.each(["setup-link", "apply", "keys rotate", "keys list", "backup", "doctor", "keys"])(
    "explains %s and does nothing",
    async (name) => {
      const { admin, folder } = installation();
      expect(await admin(...name.split(" "), "--help")).toMatchObject({ status: 0, err: "" });
      expect(existsSync(join(folder, "service.db"))).toBe(false);
    },
  );

  it.each([
    [["fly"], 'there is no command "fly"'],
    [["keys"], '"keys" needs one of rotate, list'],
    [["keys", "drop"], '"keys" needs one of rotate, list'],
    [["keys", "list", "x"], '"keys list" takes no "x"'],
    [["apply"], '"apply" needs <file>'],
    [["apply", "a", "b"], '"apply" takes no "b"'],
    [["doctor", "now"], '"doctor" takes no "now"'],
    [["import", "csv"], '"import" needs <source> <file>'],
    [["import", "csv", "a", "b"], '"import" takes no "b"'],
    [["apply", "a", "--dry-run"], '"apply" takes no --dry-run'],
    [["backup", "--force"], "Unknown option '--force'"],
  ])("rejects %j with one line and status 2", async (words, reason) => {
    const result = await installation().admin(...words);
    expect(result).toEqual({ status: 2, out: "", err: `${reason}; see npm run admin -- --help` });
  });

  it("names an invalid setting and does nothing", async () => {
    const result = await installation({ PORT: "x" }).admin("setup-link");
    expect(result).toMatchObject({ status: 1, err: expect.stringMatching(/^PORT: must be .*\(example: PORT=8080\)$/) });
  });

  it("reports in one line that the database is unreachable, without its password", async () => {
    const DATABASE_URL = "postgresql://user:hunter2@127.0.0.1:1/db";
    const { status, err } = await installation({ DATABASE_URL, SECRET_KEY: "k".repeat(32) }).admin("keys", "list");
    expect(status).toBe(1);
    expect(err).toMatch(/^DATABASE_URL: cannot open PostgreSQL at 127\.0\.0\.1:1\/db: .*ECONNREFUSED/);
    expect(err).not.toContain("hunter2");
  });
});

describe("operator's tool: commands", () => {
  it("creates a setup link on an empty database", async () => {
    const { status, out } = await installation().admin("setup-link");
    expect(status).toBe(0);
    expect(out).toMatch(/^http:\/\/localhost:9\/setup\?token=[\w-]{43}$/);
  });

  it("applies a file, and reports no difference the second time", async () => {
    const { admin, put } = installation();
    const file = put("b.json", '{"organizations": [{"id": "acme", "name": "ACME"}]}');
    const first = await admin("apply", file);
    expect(first.out.split("\n")).toEqual([
      "created organization ACME",
      "created domain acme.localhost",
      "updated instance",
    ]);
    expect(await admin("apply", file)).toEqual({ status: 0, out: "nothing differs, nothing was changed", err: "" });
  });

  it("fails with the line of the mistake in the file", async () => {
    const { admin, put } = installation();
    const file = put("b.json", '{"organizations": [{"id": "acme"}]}');
    expect(await admin("apply", file)).toEqual({
      status: 1,
      out: "",
      err: `${file}: organizations[0].name: is required`,
    });
  });

  it("rotates keys and lists them without private parts", async () => {
    const { admin } = installation();
    expect((await admin("keys", "list")).out).toBe("no keys yet: the service makes them at its first start");
    const rotated = await admin("keys", "rotate");
    expect(rotated.status).toBe(0);
    for (const line of rotated.out.split("\n")) {
      expect(line).toMatch(
        /^(RS256|ES256|EdDSA|PS256) key \S+ signs from \S+ on, in 10 min, when every cache can know it$/,
      );
    }
    const again = await admin("keys", "rotate");
    expect(again.out.match(/nothing was changed$/gm)).toHaveLength(4);
    const { out } = await admin("keys", "list");
    const states = out.split("\n").map((line) => line.split(/\s+/).slice(1, 3).join(" "));
    expect(states.sort()).toEqual(
      ["EdDSA", "ES256", "PS256", "RS256"].flatMap((name) => [`${name} active`, `${name} next`, `${name} next`]).sort(),
    );
    expect(out).not.toMatch(/"d"|sealed/);
  });

  it("copies the database while it is in use, never over an older copy, for its owner alone", async () => {
    const { admin, folder, put } = installation();
    await admin("apply", put("b.json", '{"organizations": [{"id": "acme", "name": "ACME"}]}'));
    const other = new BetterSqlite3(join(folder, "service.db"));
    other.exec("BEGIN IMMEDIATE"); // a service in the middle of a write
    const copy = join(folder, "copy.db");
    expect(await admin("backup", copy)).toMatchObject({ status: 0, err: "" });
    other.close();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const content = new BetterSqlite3(copy, { readonly: true });
    expect(content.prepare(`SELECT "name" FROM "Organization"`).all()).toEqual([{ name: "ACME" }]);
    content.close();
    const before = readFileSync(copy);
    expect(await admin("backup", copy)).toMatchObject({ status: 1, err: `${copy} exists already; name a new file` });
    expect(readFileSync(copy)).toEqual(before);
    const nowhere = join(folder, "none", "copy.db");
    expect((await admin("backup", nowhere)).err).toBe(`the directory of ${nowhere} does not exist`);
  });

  it("leaves the backup of PostgreSQL to its own tools", async () => {
    const DATABASE_URL = "postgresql://127.0.0.1:1/db";
    const result = await installation({ DATABASE_URL, SECRET_KEY: "k".repeat(32) }).admin("backup", "x");
    expect(result).toMatchObject({ status: 1, err: expect.stringContaining("pg_dump") });
  });
});

describe("operator's tool: doctor", () => {
  it("changes nothing on a machine without an installation", async () => {
    const { admin, folder } = installation();
    const { status, out } = await admin("doctor");
    expect(status).toBe(0);
    expect(out).toMatch(/^note +database +.*does not exist yet: the first start makes it$/m);
    expect(existsSync(join(folder, "service.db"))).toBe(false);
  });

  it("finds nothing wrong with a started installation", async () => {
    const { admin } = await startedInstallation();
    const { status, out } = await admin("doctor");
    expect(status).toBe(0);
    for (const subject of ["configuration", "database", "migrations", "clock", "audit trail", "signing key"]) {
      expect(out).toMatch(new RegExp(`^ok +${subject} `, "m"));
    }
    expect(out).toMatch(/^note +administrator +there is none yet: open the link of npm run admin -- setup-link$/m);
  });

  it("works on PostgreSQL", async () => {
    const DATABASE_URL = await emptyDatabaseUrl("postgresql");
    const { admin } = installation({ DATABASE_URL, SECRET_KEY: "k".repeat(32) });
    expect((await admin("doctor")).out).toMatch(/^note +migrations +\d+ to apply: the next start does it$/m);
    await admin("keys", "rotate");
    const { status, out } = await admin("doctor");
    expect(out).toMatch(/^ok +clock /m);
    expect(out).not.toContain("months");
    expect(status).toBe(0);
    const database = await connect(DATABASE_URL);
    const [month] = await database.all<{ name: string }>(
      `SELECT "inhrelid"::regclass::text AS "name" FROM pg_inherits WHERE "inhrelid"::regclass::text LIKE '"OutboxMessage_before%'`,
      [],
    );
    await database.run(`DROP TABLE ${month?.name}`, []); // as if the service's role could not create the next one
    await database.close();
    const later = await admin("doctor");
    expect(later.out).toMatch(/^note +months +events or messages of this month are in no partition of their own: /m);
    expect(later.status).toBe(0);
  });

  it("reports which file others can read, which key is wrong, and what to do", async () => {
    const { admin, folder } = await startedInstallation();
    chmodSync(join(folder, "service.db"), 0o644);
    writeFileSync(join(folder, "secret.key"), "another key of thirty-two characters or more");
    const { status, out } = await admin("doctor");
    expect(status).toBe(1);
    expect(out).toMatch(/^wrong +files +others may read .*service\.db: chmod 600 .*service\.db$/m);
    expect(out).toMatch(/^wrong +secret key +SECRET_KEY does not open the signing keys/m);
    rmSync(join(folder, "secret.key"));
    expect((await admin("doctor")).out).toMatch(/^wrong +secret key +SECRET_KEY: .*secret\.key does not: restore it/m);
    expect(existsSync(join(folder, "secret.key"))).toBe(false);
  });

  it("finds a damaged page in the middle of the file", async () => {
    const { admin, folder } = await startedInstallation();
    expect((await admin("doctor")).out).toMatch(/^ok +pages +the file is whole$/m);
    const database = new BetterSqlite3(join(folder, "service.db"));
    const page = database.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'Event'`).pluck().get() as number;
    database.close();
    const file = openSync(join(folder, "service.db"), "r+");
    writeSync(file, Buffer.alloc(4096, 7), 0, 4096, (page - 1) * 4096);
    closeSync(file);
    const { status, out } = await admin("doctor");
    expect(status).toBe(1);
    expect(out).toMatch(/^wrong +pages +the file is damaged \(.+\): restore it from a backup$/m);
  });

  it("detects a missing database, and an address that is not the service's", async () => {
    const url = `file:${temporaryFolder()}/service.db`;
    const { admin } = installation({ DATABASE_URL: url });
    claimDatabase(url)();
    await admin("keys", "rotate");
    const database = await connect(url);
    await replaceBaseUrl(database, "https://id.example.com");
    await database.close();
    const elsewhere =
      "wrong +address +BASE_URL is http://localhost:9, but the service last started with https://id.example.com";
    expect((await admin("doctor")).out).toMatch(new RegExp(`^${elsewhere}`, "m"));
    rmSync(url.slice("file:".length));
    expect((await admin("doctor")).out).toMatch(/^wrong +database +DATABASE_URL: .*service\.db is gone/m);
    expect((await admin("keys", "rotate")).err).toMatch(/^DATABASE_URL: .*service\.db is gone, .*: restore it [^\n]+$/);
  });

  it("reports a second name of the database under either name, and does not open it", async () => {
    const { admin, folder } = await startedInstallation();
    const other = join(folder, "other.db");
    linkSync(join(folder, "service.db"), other);
    const elsewhere = installation({ DATABASE_URL: `file:${other}` });
    for (const tool of [admin, elsewhere.admin]) {
      const { status, out } = await tool("doctor");
      expect(status).toBe(1);
      expect(out).toMatch(
        /^wrong +database +DATABASE_URL: .*(service|other)\.db has 2 names \(hard links\), .*: remove/m,
      );
      expect(out).not.toMatch(/^ok +database /m);
    }
    rmSync(other);
    expect((await admin("doctor")).status).toBe(0);
  });

  it("reads the bootstrap file without applying it", async () => {
    const { put, folder } = await startedInstallation();
    const BOOTSTRAP_FILE = put("b.json", '{"organizations": [{}]}');
    const other = installation({ BOOTSTRAP_FILE, DATABASE_URL: `file:${folder}/service.db` });
    expect((await other.admin("doctor")).out).toMatch(
      /^wrong +bootstrap file +.*b\.json: organizations\[0\]\.name: is required$/m,
    );
  });
});
