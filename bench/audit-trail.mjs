// node bench/audit-trail.mjs [--events=3000000]: what it costs to keep the audit trail on PostgreSQL in one table, and in a
// partition for each month: recording, the searches of the console and the API, and removing the oldest month. On a
// cluster of its own with PostgreSQL's defaults; docs/decisions/0031 has the figures.
import { parseArgs } from "node:util";
import { startPostgres } from "../scripts/postgres.mjs";
import { processorTime } from "./accounting.mjs";
import { fillMonth, LAYOUTS, MONTHS, makeSchema, ORGANIZATIONS, someUser, start } from "./event-tables.mjs";

const RECORDED = 4_000;
/** Events between two checkpoints, which are five minutes apart, at 25,000 a day. */
const SELDOM = 88;
const ASKED = 200;
/** Events per transaction of the removal, as in server/events/retention.ts. */
const BATCH = 500;
/** With so many months' events dead, autovacuum begins by its default of a fifth of the table. */
const UNTIL_VACUUM = 3;
/** Of the month that is written to, which is half full. */
const MIDDLE = new Date(Date.UTC(2025, MONTHS, 15)).toISOString().replace("Z", "");
const FIRST = Date.UTC(2025, 0, 1);

const { values: options } = parseArgs({
  options: { events: { type: "string", default: "3000000" }, layouts: { type: "string", default: LAYOUTS.join(",") } },
});
const total = Number(options.events);
const perMonth = Math.floor(total / MONTHS);
const medianOf = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function connect(url, database) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url.replace(/\/postgres$/, `/${database}`) });
  client.on("error", () => {}); // the cluster ends before its connections if something failed
  await client.connect();
  return client;
}

const sizeOf = async (db) => {
  const sql = `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relname ~ '^Event[0-9]*$' AND relkind = 'r'`;
  return Number((await db.query(sql)).rows[0].bytes);
};
const walOf = async (db) =>
  Number((await db.query(`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`)).rows[0].bytes);

/** Milliseconds, milliseconds of the database's processor time, bytes of write-ahead log. */
async function costOf({ db, pid }, work) {
  const [wal, processor, at] = [await walOf(db), processorTime(pid), performance.now()];
  const answer = await work();
  return { answer, ms: performance.now() - at, cpu: processorTime(pid) - processor, wal: (await walOf(db)) - wal };
}

/** One event and its aggregate as the one statement of server/storage/event/event.ts `commitEvent`. */
const RECORD = `WITH "guard" AS (
    INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt") VALUES ('user', $1, $2, 1, $3, $3)
    ON CONFLICT ("type", "id") DO UPDATE SET "sequence" = "Aggregate"."sequence" + 1, "changedAt" = excluded."changedAt"
    RETURNING "sequence"),
  "insert0" AS (
    INSERT INTO "Event" ("aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "requestId", "address",
      "clientId", "payload", "createdAt")
    SELECT 'user', $1, (SELECT "sequence" FROM "guard"), 'user.signed_in', $2, $1, $4, '198.51.100.7', $6, $5, $3 WHERE EXISTS (SELECT 1 FROM "guard"))
  SELECT EXISTS (SELECT 1 FROM "guard")`;

/** With a number of connections, one event after the other on each. */
async function recordMany({ url, database }, count, connections = 4) {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(url, database)));
  const times = [];
  await Promise.all(
    clients.map(async (client, index) => {
      for (let done = 0; done < count / connections; done++) {
        const user = someUser();
        const payload = { amr: ["pwd", "otp"], sessionId: `${index}-${done}-${user}` };
        const clientId = `3820${done % 300}@console`;
        const values = [user, `o${done % ORGANIZATIONS}`, MIDDLE, `request-${done}`, payload, clientId];
        const at = performance.now();
        await client.query({ name: "record", text: RECORD, values });
        times.push(performance.now() - at);
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  return times;
}

const COLUMNS = `"position", "aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "requestId", "address",
  "clientId", "payload", "createdAt"`;
const NEWEST = `ORDER BY "position" DESC LIMIT 51`;
const somewhere = () => Math.floor(Math.random() * total);
const owner = () => `o${Math.floor(Math.random() * ORGANIZATIONS)}`;
const moment = () => new Date(FIRST + Math.random() * 400 * 86_400_000).toISOString().replace("Z", "");
const ofType = (type) =>
  `SELECT * FROM (SELECT ${COLUMNS} FROM "Event" WHERE "resourceOwner" = $1 AND "type" = '${type}' ${NEWEST}) AS k`;
/** Statements as server/storage/event/list.ts composes them. */
const QUESTIONS = {
  "newest of all": [`SELECT ${COLUMNS} FROM "Event" ${NEWEST}`, () => []],
  "newest of an organization": [`SELECT ${COLUMNS} FROM "Event" WHERE "resourceOwner" = $1 ${NEWEST}`, () => [owner()]],
  "a later page": [
    `SELECT ${COLUMNS} FROM "Event" WHERE "resourceOwner" = $1 AND "position" < $2 ${NEWEST}`,
    () => [owner(), somewhere()],
  ],
  "of one user": [
    `SELECT ${COLUMNS} FROM "Event" WHERE "aggregateType" IN ('user') AND "aggregateId" = $1 ${NEWEST}`,
    () => [someUser()],
  ],
  "of three types": [
    `SELECT * FROM (${["user.changed", "user.grant.revoked", "user.locked"].map(ofType).join(" UNION ALL ")}) AS k ${NEWEST}`,
    () => [owner()],
  ],
  "by an actor": [`SELECT ${COLUMNS} FROM "Event" WHERE "actor" = $1 ${NEWEST}`, () => [someUser()]],
  "position of a time": [
    `SELECT "position" FROM "Event" WHERE "createdAt" < $1 ORDER BY "createdAt" DESC LIMIT 1`,
    () => [moment()],
  ],
  "oldest (metrics)": [
    `SELECT "createdAt" FROM "Event" WHERE "type" NOT IN ('a', 'b', 'c') ORDER BY "createdAt" LIMIT 1`,
    () => [],
  ],
};

async function ask(db, name) {
  const [text, values] = QUESTIONS[name];
  const times = [];
  for (let round = 0; round < ASKED; round++) {
    const at = performance.now();
    await db.query({ name, text, values: values() });
    times.push(performance.now() - at);
  }
  return medianOf(times);
}

const OLDEST = `SELECT ${COLUMNS} FROM "Event" WHERE "createdAt" < $1 AND "type" NOT IN ('a', 'b', 'c')
  AND "createdAt" >= $2 AND ("createdAt" > $2 OR "position" > $3) ORDER BY "createdAt", "position" LIMIT $4`;

/**
 * As server/storage/event/retention.ts does it, without the archive. Milliseconds of each batch.
 * @param fromOldest whether each batch looks for the oldest event anew, instead of going on where the last one ended
 */
async function removeInBatches(db, { before, batch, fromOldest }) {
  const took = [];
  let after = [start(0), 0];
  while (true) {
    const at = performance.now();
    await db.query("BEGIN");
    const { rows } = await db.query({ name: "oldest", text: OLDEST, values: [before, ...after, batch] });
    const text = `DELETE FROM "Event" WHERE "position" = ANY($1) AND "createdAt" BETWEEN $2 AND $3`;
    const times = [rows[0]?.createdAt ?? before, rows.at(-1)?.createdAt ?? before];
    await db.query({ name: "remove", text, values: [rows.map(({ position }) => position), ...times] });
    await db.query("COMMIT");
    took.push(performance.now() - at);
    if (rows.length < batch) return took;
    const { createdAt, position } = rows.at(-1);
    if (!fromOldest) after = [createdAt, position];
  }
}

/** As server/storage/engine/months.ts does it: with the events that were not removed one by one. */
async function dropMonth(db, month) {
  await db.query("BEGIN");
  const { rows } = await db.query(`SELECT COUNT(*)::int AS "rows" FROM "Event${month}" WHERE "type" <> ALL('{a,b,c}')`);
  await db.query(`ALTER TABLE "Event" DETACH PARTITION "Event${month}"`);
  await db.query(`INSERT INTO "Event" SELECT * FROM "Event${month}" WHERE "type" = ANY('{a,b,c}')`);
  await db.query(`DROP TABLE "Event${month}"`);
  await db.query("COMMIT");
  return rows[0].rows;
}

const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const line = (name, text) => console.log(`  ${name.padEnd(28)}${text}`);
const cost = ({ ms, cpu, wal }) =>
  `${(ms / 1000).toFixed(1)} s, ${(cpu / 1000).toFixed(1)} s of processor time, ${mb(wal)} of log`;

async function measure(cluster, layout) {
  const database = layout.replaceAll(" ", "_");
  const admin = await connect(cluster.url, "postgres");
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  const db = await connect(cluster.url, database);
  const on = { db, pid: cluster.pid, url: cluster.url, database };
  console.log(`\n${layout}, ${total} events in ${MONTHS} months`);
  await makeSchema(db, layout);
  await db.query("SET synchronous_commit = off");
  for (let month = 0; month < MONTHS; month++) await fillMonth(db, { month, perMonth });
  await db.query(
    `INSERT INTO "Aggregate" SELECT DISTINCT 'user', "aggregateId", 'o', 1, now()::timestamp, now()::timestamp FROM "Event"`,
  );
  await db.query("VACUUM ANALYZE");
  await db.query("CHECKPOINT");
  line("size", mb(await sizeOf(db)));

  await fillMonth(db, { month: MONTHS, perMonth, count: Math.floor(perMonth / 2) });
  await db.query("VACUUM ANALYZE");
  await recordMany(on, 200);
  for (const compression of ["off", "on"]) {
    await compress(db, compression);
    const { answer, cpu, wal } = await costOf(on, () => recordMany(on, RECORDED));
    const each = `${(cpu / RECORDED).toFixed(3)} ms of processor time, ${(wal / RECORDED).toFixed(0)} bytes of log`;
    line(`recording, compression ${compression}`, `median ${medianOf(answer).toFixed(2)} ms, ${each}`);
  }
  await compress(db, "off");
  const seldom = await costOf(on, () => recordMany(on, SELDOM));
  line(`recording ${SELDOM} in a while`, `${(seldom.wal / SELDOM).toFixed(0)} bytes of log`);
  for (const name of Object.keys(QUESTIONS)) line(name, `${(await ask(db, name)).toFixed(3)} ms`);
  if (layout === "one table") await removeFrom(on);
  else await dropFrom(on);
  await db.end();
}

/** Of full pages in the write-ahead log. The checkpoint makes every page that is touched next one of them. */
async function compress(db, setting) {
  await db.query(`ALTER SYSTEM SET wal_compression = ${setting}`);
  await db.query("SELECT pg_reload_conf()");
  await db.query("CHECKPOINT");
}

async function removeMonth(on, month, { batch = BATCH, fromOldest = false } = {}) {
  const removed = await costOf(on, () => removeInBatches(on.db, { before: start(month + 1), batch, fromOldest }));
  line(`month in batches of ${batch}`, cost(removed));
  const tenth = Math.ceil(removed.answer.length / 10);
  const [first, last] = [removed.answer.slice(0, tenth), removed.answer.slice(-tenth)].map(medianOf);
  line("", `a batch ${first.toFixed(1)} ms at first, ${last.toFixed(1)} ms at the end`);
}

async function vacuum(on) {
  line("  oldest before vacuum", `${(await ask(on.db, "oldest (metrics)")).toFixed(3)} ms`);
  line("  vacuum", cost(await costOf(on, () => on.db.query(`VACUUM "Event"`))));
  line("  oldest after vacuum", `${(await ask(on.db, "oldest (metrics)")).toFixed(3)} ms`);
  line("  size afterwards", mb(await sizeOf(on.db)));
}

async function removeFrom(on) {
  const { db } = on;
  let month = 0;
  for (const [batch, compression] of [
    [BATCH, "off"],
    [10 * BATCH, "off"],
    [BATCH, "on"],
  ]) {
    await compress(db, compression);
    if (compression === "on") line("with wal_compression", "");
    await removeMonth(on, month++, { batch });
    await vacuum(on);
  }
  await compress(db, "off");
  line(`${UNTIL_VACUUM} months until vacuum`, "");
  for (let more = 0; more < UNTIL_VACUUM; more++) await removeMonth(on, month++);
  await vacuum(on);
  line("during a backup", "each batch from the oldest event; then from where the last one ended");
  const backup = await connect(on.url, on.database);
  await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM "Instance"');
  await removeMonth(on, month++, { fromOldest: true });
  await removeMonth(on, month++);
  await backup.end();
  await vacuum(on);
  for (let more = 1; more <= month; more++) await fillMonth(db, { month: MONTHS + more, perMonth });
  line("size when full again", mb(await sizeOf(db)));
}

async function dropFrom(on) {
  const { db } = on;
  for (const month of [0, 1]) {
    await db.query("CHECKPOINT");
    await removeMonth(on, month);
    line("  dropping it empty", cost(await costOf(on, () => dropMonth(db, month))));
  }
  for (const month of [2, 3]) {
    await db.query("CHECKPOINT");
    line("month at once", cost(await costOf(on, () => dropMonth(db, month))));
  }
  line("size afterwards", mb(await sizeOf(db)));
  for (let more = 1; more <= 4; more++) await fillMonth(db, { month: MONTHS + more, perMonth });
  line("size when full again", mb(await sizeOf(db)));
}

const cluster = await startPostgres();
try {
  for (const layout of options.layouts.split(",")) await measure(cluster, layout);
} finally {
  await cluster.stop();
}
