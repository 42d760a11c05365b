// The table of the audit trail in the layouts that bench/audit-trail.mjs compares, and rows for it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../scripts/environment.mjs";

export const LAYOUTS = ["one table", "months"];
/** The retention of 400 days begins and ends within a month. */
export const MONTHS = 14;
export const ORGANIZATIONS = 50;
/** Events per statement. */
const CHUNK = 50_000;

/** Beginning of a month, counted from 0. */
export const start = (month) => new Date(Date.UTC(2025, month, 1)).toISOString();

/** One of 200,000, some far more often than others. */
export const someUser = () => `38${String(Math.floor(Math.random() ** 2 * 200_000)).padStart(16, "0")}`;

/** Applies the migrations to an empty database, and gives the table the layout. */
export async function makeSchema(db, layout) {
  const folder = inProject("prisma/postgresql/migrations");
  for (const name of readdirSync(folder).sort()) {
    if (!name.includes(".")) await db.query(readFileSync(join(folder, name, "migration.sql"), "utf8"));
  }
  if (layout === "one table") await unite(db);
  else await divide(db);
  // What it does is measured by itself below.
  const { rows } = await db.query(`SELECT relname FROM pg_class WHERE relname LIKE 'Event%' AND relkind = 'r'`);
  for (const { relname } of rows) await db.query(`ALTER TABLE "${relname}" SET (autovacuum_enabled = off)`);
}

/** As it was before version 0.4. */
async function unite(db) {
  await db.query(`CREATE TABLE "Whole" (LIKE "Event_default" INCLUDING ALL)`);
  await db.query(`ALTER SEQUENCE "Event_position_seq" OWNED BY "Whole"."position"`);
  await db.query(`DROP TABLE "Event"`);
  await db.query(`ALTER TABLE "Whole" RENAME TO "Event"`);
}

/** Months of the past, as server/storage/engine/months.ts makes those to come. */
async function divide(db) {
  const { rows } = await db.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'Event\\_before\\_%' AND relkind = 'r'`,
  );
  for (const { relname } of rows) await db.query(`DROP TABLE "${relname}"`);
  for (let month = 0; month <= MONTHS + 4; month++) {
    await db.query(
      `CREATE TABLE "Event${month}" (LIKE "Event_default" INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)`,
    );
    const bounds = `FROM ('${start(month)}') TO ('${start(month + 1)}')`;
    await db.query(`ALTER TABLE "Event" ATTACH PARTITION "Event${month}" FOR VALUES ${bounds}`);
  }
}

/** People sign in, some far more often than others; a tenth is other changes. */
const NEW_ROWS = `
  INSERT INTO "Event" ("aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "requestId", "address", "clientId",
    "payload", "createdAt")
  SELECT 'user', "user", n, (ARRAY['user.signed_in', 'user.signed_in', 'user.signed_out', 'user.signed_in', 'user.consent.given',
           'user.signed_in', 'user.grant.revoked', 'user.signed_out', 'user.changed', 'user.signed_in'])[1 + n % 10],
         'o' || (length("user") + hashtext("user") & 1023) % ${ORGANIZATIONS}, "user", md5(n::text)::uuid::text,
         '198.51.100.' || n % 250, '3820' || n % 300 || '@console',
         jsonb_build_object('amr', ARRAY['pwd', 'otp'], 'sessionId', md5((n / 2)::text)),
         $3::timestamp + (n - $1) * $4::interval
    FROM (SELECT n, '38' || lpad((power(random(), 2) * 200000)::int::text, 16, '0') AS "user"
            FROM generate_series($1::int, $2::int) AS n) AS s`;

/**
 * Records the events of a month, counted from 0, in the order of time.
 * @param count fewer, for the beginning of a month
 */
export async function fillMonth(db, { month, perMonth, count = perMonth }) {
  const length = Date.UTC(2025, month + 1, 1) - Date.UTC(2025, month, 1);
  for (let done = 0; done < count; done += CHUNK) {
    const from = month * perMonth + done + 1;
    const to = month * perMonth + Math.min(done + CHUNK, count);
    const at = new Date(Date.UTC(2025, month, 1) + (length / perMonth) * done).toISOString().replace("Z", "");
    await db.query(NEW_ROWS, [from, to, at, `${length / perMonth} milliseconds`]);
  }
}
