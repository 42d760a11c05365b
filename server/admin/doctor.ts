/**
 * Checks an installation in the order in which a start would fail, and reports how to fix each problem.
 */

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseBootstrapFile } from "../bootstrap/apply";
import type { Config } from "../config/config";
import { resolveSecretKeys } from "../config/secret-key";
import { isLoopback } from "../config/value-parsers";
import { openSecrets } from "../crypto/secrets";
import { overdueEvents } from "../events/retention";
import { KEY_LIFETIME } from "../keys/rotate-signing-key";
import { connectionsPerProcess } from "../process/boot";
import { migrationsFolder } from "../root";
import type { Database } from "../storage/database";
import { readDatabaseUrl } from "../storage/engine/address";
import { connect } from "../storage/engine/connect";
import { pendingMigrations, readMigrations, SELECT_APPLIED } from "../storage/engine/migrations";
import { lacksMonth } from "../storage/engine/months";
import { firstLine } from "../storage/engine/outage-log";
import { refuseTransactionPooling } from "../storage/engine/pooler";
import { isServed, refuseLostDatabase, refuseSecondName } from "../storage/engine/sqlite-lock";
import { findBaseUrl, findInstanceRow } from "../storage/instance/instance";
import { listSigningKeyRows } from "../storage/key/signing-keys";
import { listSharedClientIds } from "../storage/machine-user/clients";
import { clockAhead } from "../storage/maintenance/clock";
import { probeWrite } from "../storage/maintenance/probe";
import { listSequences } from "../storage/maintenance/sequences";
import { anyOrganization } from "../storage/organization/organization";
import { believedProxies } from "./believed-proxies";
import type { Output } from "./output";
import { describeTables, freeBytes } from "./room";

type Level = "ok" | "note" | "wrong";
type Report = (level: Level, subject: string, text: string) => void;

/** Runs all checks. The exit status is 1 if any problem is found. */
export async function examine(config: Config, _argument: string, { out }: Output): Promise<number> {
  let wrong = 0;
  const report: Report = (level, subject, text) => {
    if (level === "wrong") wrong++;
    out(`${level.padEnd(6)}${subject.padEnd(15)}${text}`);
  };
  report("ok", "configuration", "every setting is understood");
  await examineAddress(config, report);
  await examineBootstrap(config, report);
  report(...mails(config));
  report(...believedProxies(config));
  await examineDatabase(config, report);
  out(wrong === 0 ? "Nothing is wrong." : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong.`);
  return wrong === 0 ? 0 : 1;
}

/** Requests the issuer from the service at its public URL. */
async function examineAddress({ baseUrl }: Config, report: Report): Promise<void> {
  if (baseUrl.startsWith("http:") && !isLoopback(baseUrl)) {
    report("note", "address", `${baseUrl} is not https: passwords can be read on the way; for tests only`);
  }
  try {
    const answer = await fetch(`${baseUrl}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(5_000) });
    const { issuer } = (await answer.json()) as { issuer?: string };
    if (issuer === baseUrl) report("ok", "address", `the service answers at ${baseUrl}`);
    else report("wrong", "address", `${baseUrl} answers with issuer ${issuer}: set BASE_URL to what clients use`);
  } catch {
    report("note", "address", `nothing answers at ${baseUrl}: start the service, or let the proxy lead to its port`);
  }
}

async function examineBootstrap({ bootstrapFile }: Config, report: Report): Promise<void> {
  if (bootstrapFile === undefined) return;
  try {
    await parseBootstrapFile(bootstrapFile);
    report("ok", "bootstrap file", `${bootstrapFile} can be read`);
  } catch (error) {
    for (const line of (error as Error).message.split("\n")) report("wrong", "bootstrap file", line);
  }
}

function mails({ smtpUrl }: Config): [Level, string, string] {
  if (smtpUrl === undefined)
    return ["note", "mail", "no SMTP_URL: mails are kept and shown in the console unless a mail provider is active"];
  return ["ok", "mail", `mails are sent through ${new URL(smtpUrl).hostname}, unless a mail provider is active`];
}

async function examineDatabase(config: Config, report: Report): Promise<void> {
  let db: Database;
  try {
    refuseLostDatabase(config.databaseUrl);
    const address = readDatabaseUrl(config.databaseUrl);
    if (address.kind === "sqlite" && !statSync(address.file, { throwIfNoEntry: false })) {
      return report("note", "database", `${address.file} does not exist yet: the first start makes it`);
    }
    if (address.kind === "sqlite") {
      examineFiles(address.file, report);
      if (isServed(config.databaseUrl) && !statSync(`${address.file}-wal`, { throwIfNoEntry: false })) {
        return report("wrong", "write-ahead", walGone(address.file)); // opening it would fail, or create a new one
      }
      refuseSecondName(address.file); // also before it is opened here: this name may be the one that damages the database
    }
    await refuseTransactionPooling(config.databaseUrl);
    db = await connect(config.databaseUrl, { poolSize: 1 });
  } catch (error) {
    return report("wrong", "database", (error as Error).message);
  }
  try {
    report("ok", "database", `${db.kind} answers`);
    if (!(await examinePages(db, report))) return;
    if (!(await examineMigrations(db, report))) return;
    await examineRoom(config, db, report);
    report("ok", "tables", await describeTables(db));
    await examineConnections(config, db, report);
    await examineClock(db, report);
    await examineKeys(config, db, report);
    await examineBaseUrl(config, db, report);
    await examineEvents(config, db, report);
    await examineMonths(db, report);
    await examineSequences(db, report);
    await examineClientIds(db, report);
    if (!(await anyOrganization(db))) {
      report("note", "administrator", "there is none yet: open the link of npm run admin -- setup-link");
    }
  } finally {
    await db.close();
  }
}

/** Finds machines created before client ids were unique: APIs that identify clients by `client_id` confuse them. */
async function examineClientIds(db: Database, report: Report): Promise<void> {
  const shared = await listSharedClientIds(db);
  if (shared.length === 0) return report("ok", "client ids", "no two machines have the same");
  const names = shared.map(({ userNameKey, many }) => `${userNameKey} (${many})`).join(", ");
  report("note", "client ids", `machines of several organizations have the same: ${names}; rename all but one of each`);
}

/** The files contain password hashes and keys, so only their owner may read them. */
function examineFiles(file: string, report: Report): void {
  for (const path of [file, join(dirname(file), "secret.key")]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) report("wrong", "files", `others may read ${path}: chmod 600 ${path}`);
  }
}

/** Checks that all stored data can be read: damage shows only when the damaged page is read. */
async function examinePages(db: Database, report: Report): Promise<boolean> {
  if (db.kind !== "sqlite") return true;
  const flaws = await flawsOf(db);
  if (flaws.length > 0) {
    report("wrong", "pages", `the file is damaged (${flaws.join("; ")}): restore it from a backup`);
    return false;
  }
  report("ok", "pages", "the file is whole");
  return true;
}

const walGone = (file: string): string =>
  `${file}-wal is gone while the service runs: stop the service in order, which writes what it has into the file; then start it`;

/** Operators are warned below this free space: a backup and the next migration need as much. */
const LITTLE_ROOM = 256 * 1024 * 1024;

/** Checks for a full disk, which only affects writes that need space. */
async function examineRoom({ databaseUrl }: Config, db: Database, report: Report): Promise<void> {
  try {
    await probeWrite(db, Date.now());
  } catch (error) {
    const what = `the database takes no writes (${firstLine(error)})`;
    return report("wrong", "room", `${what}: make room on its disk, or see why it is read-only`);
  }
  const address = readDatabaseUrl(databaseUrl);
  if (address.kind !== "sqlite") return report("ok", "room", "the database takes writes");
  const free = freeBytes(dirname(address.file));
  const text = `${Math.floor(free / 2 ** 20)} MB free on the disk of ${address.file}`;
  report(free < LITTLE_ROOM ? "note" : "ok", "room", text);
}

/** Checks the connection limit. While one node is replaced, two are connected. */
async function examineConnections(config: Config, db: Database, report: Report): Promise<void> {
  if (db.kind !== "postgresql") return;
  const row = await db.one<{ most: number }>(
    `SELECT CAST(current_setting('max_connections') AS INTEGER)
          - CAST(current_setting('superuser_reserved_connections') AS INTEGER) AS "most"`,
    [],
  );
  const most = Number(row?.most ?? 0);
  const own = config.workers * (connectionsPerProcess(config) + 1); // plus one that listens
  const text = `a node of ${config.workers} processes opens up to ${own} of ${most}`;
  if (own > most) report("wrong", "connections", `${text}: raise max_connections, or lower WORKERS`);
  else if (2 * own > most) report("note", "connections", `${text}: too few for a second node, also during an upgrade`);
  else report("ok", "connections", text);
}

/** Returns at most five problems, one line each. */
async function flawsOf(db: Database): Promise<string[]> {
  try {
    const rows = await db.all<{ quick_check: string }>("PRAGMA quick_check(5)", []);
    return rows
      .flatMap((row) => row.quick_check.split("\n"))
      .filter((line) => line !== "ok" && !line.startsWith("***"));
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Checks the address: issued tokens, all links and all passkeys are bound to it. */
async function examineBaseUrl({ baseUrl }: Config, db: Database, report: Report): Promise<void> {
  const last = await findBaseUrl(db);
  if (last === null || last === baseUrl) return;
  report(
    "wrong",
    "address",
    `BASE_URL is ${baseUrl}, but the service last started with ${last}: every process needs one`,
  );
}

/**
 * Checks the archive: if it cannot be written, old events are not removed. The first start after years has many to
 * remove.
 */
async function examineEvents(config: Config, db: Database, report: Report): Promise<void> {
  const { events: kept, eventArchive } = config.retention;
  if (kept === undefined) return report("note", "audit trail", "kept for ever: EVENT_RETENTION=forever");
  const days = Math.floor((await overdueEvents({ db, config, clock: Date.now })) / 86_400_000);
  const text = `kept for ${Math.floor(kept / 86_400_000)} days${eventArchive ? `, then in ${eventArchive}` : ""}`;
  if (days < 1) report("ok", "audit trail", text);
  else report("note", "audit trail", `${text}; the oldest should have gone ${days} days ago: see the service's log`);
}

/** Used fractions of a sequence: above the first the operator is warned, above the second too little is left. */
const [MUCH_USED, NEARLY_USED_UP] = [0.5, 0.9];

/** Checks the sequences: without a further position no event can be recorded, and every change and sign-in fails. */
async function examineSequences(db: Database, report: Report): Promise<void> {
  for (const { name, used, last } of await listSequences(db)) {
    const level = used > NEARLY_USED_UP * last ? "wrong" : used > MUCH_USED * last ? "note" : "ok";
    const parts = `${used} of ${last} numbers of ${name} are used`;
    const advice =
      level === "ok" ? "" : ": start this release and let it run, which makes the column wider (docs/operations.md)";
    report(level, "sequence", parts + advice);
  }
}

/**
 * Checks the monthly partitions: the service creates them two months ahead, so the current one exists whenever it
 * started.
 */
async function examineMonths(db: Database, report: Report): Promise<void> {
  const now = Date.now();
  if (!(await lacksMonth(db, "Event", now)) && !(await lacksMonth(db, "OutboxMessage", now))) return;
  const what = "events or messages of this month are in no partition of their own";
  report("note", "months", `${what}: a running service makes it, if its role may make tables; see its log`);
}

async function examineMigrations(db: Database, report: Report): Promise<boolean> {
  try {
    const applied = await db.all(SELECT_APPLIED, []).catch(() => []);
    const pending = pendingMigrations(readMigrations(migrationsFolder, db.kind), applied as never[]);
    if (pending.length === 0) report("ok", "migrations", "the schema is up to date");
    else report("note", "migrations", `${pending.length} to apply: the next start does it`);
    return pending.length === 0;
  } catch (error) {
    report("wrong", "migrations", (error as Error).message);
    return false;
  }
}

/**
 * Checks the clock: codes and tokens are valid for seconds to hours, so processes and database must agree on the time.
 */
async function examineClock(db: Database, report: Report): Promise<void> {
  const ahead = await clockAhead(db, Date.now());
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (db.kind === "postgresql" && seconds > 5) {
    report("wrong", "clock", `the database's clock differs by ${seconds} s: synchronise both machines (NTP)`);
  } else if (ahead > 5_000) {
    report("wrong", "clock", `the newest event is ${seconds} s in the future: set this machine's clock (NTP)`);
  } else report("ok", "clock", new Date().toISOString());
}

async function examineKeys(config: Config, db: Database, report: Report): Promise<void> {
  const now = Date.now();
  const rows = (await findInstanceRow(db)) ? await listSigningKeyRows(db, now) : [];
  if (rows.length === 0) return report("note", "signing key", "there is none yet: the first start makes it");
  try {
    const secrets = openSecrets(resolveSecretKeys(config));
    if (rows.some((row) => secrets.open("signing-key", row.sealedPrivate) === undefined)) {
      const text = "SECRET_KEY does not open the signing keys: set the one the database was made with";
      return report("wrong", "secret key", text);
    }
  } catch (error) {
    return report("wrong", "secret key", (error as Error).message);
  }
  for (const algorithm of new Set(rows.map((row) => row.algorithm))) {
    const starts = rows.flatMap((row) => (row.algorithm === algorithm && row.activeFrom) || []);
    const days = Math.floor((now - Math.max(...starts)) / 86_400_000);
    if (days * 86_400_000 <= KEY_LIFETIME)
      report("ok", "signing key", `${algorithm}, in use for ${Math.max(days, 0)} days`);
    else report("wrong", "signing key", `${algorithm}, in use for ${days} days: npm run admin -- keys rotate`);
  }
}
