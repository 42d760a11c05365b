/** Statistics for operators. They are read rarely (callers cache them), and only from indexes. */
import { type SelectQueryBuilder, sql } from "kysely";
import type { TableName } from "../columns";
import type { Database } from "../database";
import type { MessageState } from "../message/outbox-log";
import { bind, type Params, statement, tables } from "../statement";

/** Counts the rows of a query that selects no columns yet, on its smallest index. */
async function countAllOf<DB, TB extends keyof DB>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const count = sql<number>`cast(count(*) as bigint)`.as("count");
  const row = await db.one(bind(query.select(count).$castTo<{ count: number }>()));
  return row?.count ?? 0;
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
  const sessions = tables
    .selectFrom("Session as s")
    .where("s.endedAt", "is", null)
    .where("s.expiresAt", ">", now)
    .where("s.lastSeenAt", ">", idleSince);
  const own = organizationId;
  if (own === undefined) {
    return {
      organizations: await countAllOf(db, tables.selectFrom("Organization")),
      users: await countAllOf(db, tables.selectFrom("User")),
      projects: await countAllOf(db, tables.selectFrom("Project")),
      apps: await countAllOf(db, tables.selectFrom("App")),
      userGrants: await countAllOf(db, tables.selectFrom("UserGrant")),
      livingSessions: await countAllOf(db, sessions),
    };
  }
  const apps = tables.selectFrom("App as a").innerJoin("Project as p", "p.id", "a.projectId");
  const theirs = sessions.innerJoin("User as u", "u.id", "s.userId").where("u.organizationId", "=", own);
  return {
    users: await countAllOf(db, tables.selectFrom("User").where("organizationId", "=", own)),
    projects: await countAllOf(db, tables.selectFrom("Project").where("organizationId", "=", own)),
    apps: await countAllOf(db, apps.where("p.organizationId", "=", own)),
    userGrants: await countAllOf(db, tables.selectFrom("UserGrant").where("organizationId", "=", own)),
    livingSessions: await countAllOf(db, theirs),
  };
}

const firstSince = statement(($: Params<{ at: number }>) =>
  tables.selectFrom("Event").select("position").where("createdAt", ">=", $("at")).orderBy("createdAt").limit(1),
);

/**
 * Returns the number of events of a type on each day. `days` are the starts of the days and the end of the last one
 * (epoch milliseconds). They are translated to positions, so that only the index of types and positions is read.
 */
export async function countEventsByDay(
  db: Database,
  { type, organizationId, days }: { type: string; organizationId: string | undefined; days: readonly number[] },
): Promise<number[]> {
  const edges: number[] = [];
  for (const day of days) edges.push((await db.one(firstSince({ at: day })))?.position ?? LAST);
  const counts: number[] = [];
  for (const [index, edge] of edges.slice(0, -1).entries()) {
    const until = edges[index + 1] ?? LAST;
    const events = tables
      .selectFrom("Event")
      .where("type", "=", type)
      .where((eb) => eb("position", ">=", eb.cast<number>(eb.val(edge), "bigint")))
      .where((eb) => eb("position", "<", eb.cast<number>(eb.val(until), "bigint")));
    const own = organizationId === undefined ? events : events.where("resourceOwner", "=", organizationId);
    counts.push(await countAllOf(db, own));
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

/** Quarters of an hour since 1970-01-01 at which rows were created. */
const quarterOf = (db: Database) =>
  db.kind === "sqlite"
    ? sql<number>`${sql.ref("createdAt")} / ${sql.lit(QUARTER)}`
    : sql<number>`cast(floor(extract(epoch from ${sql.ref("createdAt")}) / ${sql.lit(QUARTER / 1000)}) as integer)`;

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
  const mails = tables
    .selectFrom("OutboxMessage")
    .select((eb) => [quarterOf(db).as("quarter"), "state", eb.cast<number>(eb.fn.countAll(), "integer").as("count")])
    .where("createdAt", ">=", from)
    .groupBy([sql`1`, "state"])
    .$narrowType<Pick<MailsOfQuarter, "state">>();
  return db.all(bind(organizationId === undefined ? mails : mails.where("organizationId", "=", organizationId)));
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
  const attempts = tables
    .selectFrom("SignInAttempt")
    .select((eb) => [quarterOf(db).as("quarter"), eb.cast<number>(eb.fn.sum("count"), "integer").as("count")])
    .where("createdAt", ">=", from)
    .where("reason", "<>", "signed_in")
    .groupBy(sql`1`);
  return db.all(bind(organizationId === undefined ? attempts : attempts.where("organizationId", "=", organizationId)));
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
  const attempts = tables
    .selectFrom("SignInAttempt")
    .select((eb) => {
      const sum = (comparison: "=" | "<>") =>
        eb.cast<number>(
          eb.fn.sum(
            eb.case().when("reason", comparison, sql.lit("signed_in")).then(eb.ref("count")).else(eb.lit(0)).end(),
          ),
          "integer",
        );
      return ["clientId", sum("=").as("signedIn"), sum("<>").as("failed")];
    })
    .where("createdAt", ">=", from)
    .where("clientId", "is not", null)
    .groupBy("clientId")
    .orderBy((eb) => eb.fn.sum("count"), "desc")
    .orderBy("clientId")
    .limit(limit)
    .$narrowType<{ clientId: string }>();
  const own = organizationId === undefined ? attempts : attempts.where("organizationId", "=", organizationId);
  const named = tables
    .selectFrom(own.as("c"))
    .leftJoin("App as a", "a.clientId", "c.clientId")
    .select(["c.clientId", "a.name", "c.signedIn", "c.failed"])
    .orderBy((eb) => eb("c.signedIn", "+", eb.ref("c.failed")), "desc")
    .orderBy("c.clientId");
  return db.all(bind(named));
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
  const sizes =
    db.kind === "postgresql"
      ? await postgresqlTables(db)
      : (await fileSize(db)) <= MAX_FILE_BYTES
        ? await sqliteTables(db)
        : undefined;
  const bytes = db.kind === "postgresql" ? sum(sizes ?? []) : await fileSize(db);
  return {
    bytes,
    tables: sizes,
    bytesPerSession: await bytesPerRow(db, "Session", sizes),
    bytesPerEvent: await bytesPerRow(db, "Event", sizes),
    bytesPerMessage: await bytesPerRow(db, "OutboxMessage", sizes),
  };
}

/** Returns undefined if the table is empty or its size is not known. */
async function bytesPerRow(db: Database, table: TableName, sizes: Storage["tables"]): Promise<number | undefined> {
  const found = sizes?.find(({ name }) => name === table);
  const rows = found ? await countAllOf(db, tables.selectFrom(table as "Session")) : 0;
  return found && rows > 0 ? Math.round(found.bytes / rows) : undefined;
}

const sum = (sizes: readonly { bytes: number }[]) => sizes.reduce((total, { bytes }) => total + bytes, 0);

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
