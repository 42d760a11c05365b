/** Statistics for operators. They are read rarely (callers cache them), and only from indexes. */
import type { Database, Value } from "../database";
import type { MessageState } from "../message/outbox-log";

/** Counts the rows of a table on its smallest index. */
async function countRows(db: Database, from: string, values: readonly Value[] = []): Promise<number> {
  const sql = `SELECT CAST(COUNT(*) AS BIGINT) AS "count" FROM ${from}`;
  return (await db.one<{ count: number }>(sql, values))?.count ?? 0;
}

export interface Counts {
  /** Left out for a single organization. */
  organizations?: number;
  users: number;
  projects: number;
  apps: number;
  userGrants: number;
  livingSessions: number;
}

/**
 * Counts the objects of the service or of an organization.
 * @param organizationId undefined for the whole service
 */
export async function countAll(
  db: Database,
  organizationId: string | undefined,
  { now, idleSince }: { now: number; idleSince: number },
): Promise<Counts> {
  const active = `"endedAt" IS NULL AND "expiresAt" > $1 AND "lastSeenAt" > $2`;
  const times = [new Date(now), new Date(idleSince)];
  if (organizationId === undefined) {
    return {
      organizations: await countRows(db, `"Organization"`),
      users: await countRows(db, `"User"`),
      projects: await countRows(db, `"Project"`),
      apps: await countRows(db, `"App"`),
      userGrants: await countRows(db, `"UserGrant"`),
      livingSessions: await countRows(db, `"Session" WHERE ${active}`, times),
    };
  }
  const own = [organizationId];
  const theirs = `"User" u JOIN "Session" s ON s."userId" = u."id"`;
  return {
    users: await countRows(db, `"User" WHERE "organizationId" = $1`, own),
    projects: await countRows(db, `"Project" WHERE "organizationId" = $1`, own),
    apps: await countRows(db, `"App" a JOIN "Project" p ON p."id" = a."projectId" WHERE p."organizationId" = $1`, own),
    userGrants: await countRows(db, `"UserGrant" WHERE "organizationId" = $1`, own),
    livingSessions: await countRows(db, `${theirs} WHERE ${active} AND u."organizationId" = $3`, [...times, ...own]),
  };
}

/**
 * Returns the number of events of a type on each day. `days` are the starts of the days and the end of the last one
 * (epoch milliseconds). They are translated to positions, so that only the index of types and positions is read.
 */
export async function countEventsByDay(
  db: Database,
  { type, organizationId, days }: { type: string; organizationId: string | undefined; days: readonly number[] },
): Promise<number[]> {
  const first = `SELECT "position" FROM "Event" WHERE "createdAt" >= $1 ORDER BY "createdAt" LIMIT 1`;
  const edges: number[] = [];
  for (const day of days) {
    const row = await db.one<{ position: number }>(first, [new Date(day)]);
    edges.push(row?.position ?? LAST);
  }
  const counts: number[] = [];
  for (const [index, edge] of edges.slice(0, -1).entries()) {
    const values = [type, edge, edges[index + 1] ?? LAST];
    const range = `"Event" WHERE "type" = $1 AND "position" >= CAST($2 AS BIGINT) AND "position" < CAST($3 AS BIGINT)`;
    counts.push(
      organizationId === undefined
        ? await countRows(db, range, values)
        : await countRows(db, `${range} AND "resourceOwner" = $4`, [...values, organizationId]),
    );
  }
  return counts;
}

/** Greater than any position. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * A quarter of an hour in milliseconds. In all time zones midnight is at the start of a quarter, so quarters can be
 * grouped into days of any zone.
 */
export const QUARTER = 15 * 60_000;

/** SQL: quarters of an hour since 1970-01-01. */
const ofQuarter = (db: Database) =>
  db.kind === "sqlite"
    ? `"createdAt" / ${QUARTER}`
    : `CAST(FLOOR(EXTRACT(EPOCH FROM "createdAt") / ${QUARTER / 1000}) AS INTEGER)`;

export interface MailsOfQuarter {
  /** Since 1970-01-01. */
  quarter: number;
  state: MessageState;
  count: number;
}

export function countMailsByQuarter(
  db: Database,
  organizationId: string | undefined,
  from: number,
): Promise<MailsOfQuarter[]> {
  const own = organizationId === undefined ? "" : `AND "organizationId" = $2`;
  return db.all<MailsOfQuarter>(
    `SELECT ${ofQuarter(db)} AS "quarter", "state", CAST(COUNT(*) AS INTEGER) AS "count" FROM "OutboxMessage"
      WHERE "createdAt" >= $1 ${own} GROUP BY 1, 2`,
    organizationId === undefined ? [new Date(from)] : [new Date(from), organizationId],
  );
}

export interface FailedAttemptsOfQuarter {
  /** Since 1970-01-01. */
  quarter: number;
  count: number;
}

/**
 * Counts failed attempts to sign in; for an organization those of its users, and those of unknown users in its own
 * pages.
 */
export function countFailedAttemptsByQuarter(
  db: Database,
  organizationId: string | undefined,
  from: number,
): Promise<FailedAttemptsOfQuarter[]> {
  const own = organizationId === undefined ? "" : `AND "organizationId" = $2`;
  return db.all<FailedAttemptsOfQuarter>(
    `SELECT ${ofQuarter(db)} AS "quarter", CAST(SUM("count") AS INTEGER) AS "count" FROM "SignInAttempt"
      WHERE "createdAt" >= $1 ${own} AND "reason" <> 'signed_in' GROUP BY 1`,
    organizationId === undefined ? [new Date(from)] : [new Date(from), organizationId],
  );
}

/** The results of the attempts to sign in to an app. */
export interface AttemptsOfApp {
  clientId: string;
  /** Null if the app does not exist or was removed. */
  name: string | null;
  signedIn: number;
  failed: number;
}

/** Returns the apps with most attempts, most first; for an organization, counted by the attempts of its users. */
export function countAttemptsByApp(
  db: Database,
  organizationId: string | undefined,
  { from, limit }: { from: number; limit: number },
): Promise<AttemptsOfApp[]> {
  const own = organizationId === undefined ? "" : `AND "organizationId" = $3`;
  const sum = (comparison: string) =>
    `CAST(SUM(CASE WHEN "reason" ${comparison} 'signed_in' THEN "count" ELSE 0 END) AS INTEGER)`;
  return db.all<AttemptsOfApp>(
    `SELECT c."clientId", a."name", c."signedIn", c."failed" FROM (
       SELECT "clientId", ${sum("=")} AS "signedIn", ${sum("<>")} AS "failed" FROM "SignInAttempt"
        WHERE "createdAt" >= $1 ${own} AND "clientId" IS NOT NULL GROUP BY "clientId"
        ORDER BY SUM("count") DESC, "clientId" LIMIT $2) AS c
     LEFT JOIN "App" a ON a."clientId" = c."clientId" ORDER BY c."signedIn" + c."failed" DESC, c."clientId"`,
    organizationId === undefined ? [new Date(from), limit] : [new Date(from), limit, organizationId],
  );
}

export interface Storage {
  bytes: number;
  /** Including indexes, largest first; undefined if this would need to read the whole file. */
  tables?: { name: string; bytes: number }[];
  /** The size of the table with its indexes, per row. */
  bytesPerSession?: number;
  bytesPerEvent?: number;
  bytesPerMessage?: number;
}

/** Bytes. SQLite reads every page to measure tables, so larger files are not examined. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

export async function readStorage(db: Database): Promise<Storage> {
  const tables =
    db.kind === "postgresql"
      ? await postgresqlTables(db)
      : (await fileSize(db)) <= MAX_FILE_BYTES
        ? await sqliteTables(db)
        : undefined;
  const bytes = db.kind === "postgresql" ? sum(tables ?? []) : await fileSize(db);
  return {
    bytes,
    tables,
    bytesPerSession: await bytesPerRow(db, "Session", tables),
    bytesPerEvent: await bytesPerRow(db, "Event", tables),
    bytesPerMessage: await bytesPerRow(db, "OutboxMessage", tables),
  };
}

/** Returns undefined if the table is empty or its size is not known. */
async function bytesPerRow(db: Database, table: string, tables: Storage["tables"]): Promise<number | undefined> {
  const found = tables?.find(({ name }) => name === table);
  const rows = found ? await countRows(db, `"${table}"`) : 0;
  return found && rows > 0 ? Math.round(found.bytes / rows) : undefined;
}

const sum = (tables: readonly { bytes: number }[]) => tables.reduce((total, { bytes }) => total + bytes, 0);

async function fileSize(db: Database): Promise<number> {
  const sql = `SELECT c."page_count" * s."page_size" AS "bytes" FROM pragma_page_count c, pragma_page_size s`;
  return (await db.one<{ bytes: number }>(sql, []))?.bytes ?? 0;
}

function sqliteTables(db: Database): Promise<{ name: string; bytes: number }[]> {
  return db.all(
    `SELECT m."tbl_name" AS "name", SUM(d."pgsize") AS "bytes" FROM dbstat d JOIN sqlite_schema m ON m."name" = d."name"
      WHERE d."aggregate" = TRUE AND m."tbl_name" NOT LIKE 'sqlite%' GROUP BY 1 ORDER BY 2 DESC, 1`,
    [],
  );
}

async function postgresqlTables(db: Database): Promise<{ name: string; bytes: number }[]> {
  const rows = await db.all<{ name: string; bytes: string }>(
    `SELECT c."relname" AS "name", SUM(pg_total_relation_size(COALESCE(p."relid", c."oid")))::text AS "bytes"
       FROM pg_class c LEFT JOIN LATERAL pg_partition_tree(c."oid") AS p ON c."relkind" = 'p'
      WHERE c."relkind" IN ('r', 'p') AND NOT c."relispartition" AND c."relnamespace" = current_schema()::regnamespace
      GROUP BY 1 ORDER BY SUM(pg_total_relation_size(COALESCE(p."relid", c."oid"))) DESC, 1`,
    [],
  );
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

/** The applied migrations, oldest first. */
export async function listAppliedMigrations(db: Database): Promise<string[]> {
  const sql = `SELECT "migration_name" AS "name" FROM "_prisma_migrations" ORDER BY "migration_name"`;
  return (await db.all<{ name: string }>(sql, [])).map(({ name }) => name);
}
