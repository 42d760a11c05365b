/**
 * Attempts to sign in: written in batches, read newest first, deleted when they are old. A search of an organization
 * has two sides: attempts of its own users, and attempts of unknown or other users in its own flows, with fewer details
 * (protocol/sign-in-attempt.ts). Each side is a separate search with an index that ends in the time.
 */
import { sql } from "kysely";
import type { AttemptReason } from "../../protocol/sign-in-attempt";
import type { Database } from "../database";
import type { Filter } from "../pages";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface AttemptRow {
  id: string;
  createdAt: number;
  /** The number of equal attempts, the last of them at `lastAt`. */
  count: number;
  lastAt: number;
  reason: AttemptReason;
  userId: string | null;
  organizationId: string | null;
  flowOrganizationId: string | null;
  loginName: string | null;
  nameDigest: string | null;
  clientId: string | null;
  address: string | null;
  device: string | null;
  detail: string | null;
}

const COLUMNS = [
  ...(["id", "createdAt", "count", "lastAt", "reason", "userId", "organizationId", "flowOrganizationId"] as const),
  ...(["loginName", "nameDigest", "clientId", "address", "device", "detail"] as const),
] satisfies readonly (keyof AttemptRow)[];

type AttemptValues = Record<`${keyof AttemptRow}${number}`, string | number | null>;

/** Rows per statement. There are few sizes, because each statement text is prepared. */
const SIZES = [64, 8, 1] as const;
const UPSERTS = new Map(
  SIZES.map((size) => {
    const upsert = statement(($: Params<AttemptValues>) => {
      const row = (index: number) => Object.fromEntries(COLUMNS.map((column) => [column, $(`${column}${index}`)]));
      return tables
        .insertInto("SignInAttempt")
        .values(Array.from({ length: size }, (_, index) => row(index) as never))
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet((eb) => ({
            count: eb.ref("excluded.count"),
            lastAt: eb.ref("excluded.lastAt"),
          })),
        );
    });
    return [size, upsert] as const;
  }),
);

/** Divides rows into batches. */
export function inPieces(rows: readonly AttemptRow[]): AttemptRow[][] {
  const pieces: AttemptRow[][] = [];
  let begun = 0;
  for (const size of SIZES) {
    for (; rows.length - begun >= size; begun += size) pieces.push(rows.slice(begun, begun + size));
  }
  return pieces;
}

/**
 * Writes one batch completely or not at all. Existing rows get the new count. Rejects if a user was removed meanwhile
 * (foreign key).
 */
export async function writeAttempts(db: Database, piece: readonly AttemptRow[]): Promise<void> {
  const upsert = UPSERTS.get(piece.length as (typeof SIZES)[number]);
  if (upsert === undefined) throw new Error(`no statement writes ${piece.length} attempts`);
  const values = piece.flatMap((row, index) => COLUMNS.map((column) => [`${column}${index}`, row[column]]));
  await db.run(upsert(Object.fromEntries(values)));
}

/** The filter of attempts; undefined members do not filter. */
export interface AttemptFilter {
  userId?: string;
  /** The users, or the typed names; one of them must match. */
  whom?: { userIds: readonly string[]; nameDigests: readonly string[] };
  clientId?: string;
  /** Epoch milliseconds, both included. */
  from?: number;
  to?: number;
}

/** One side of a search. */
export interface AttemptSide extends AttemptFilter {
  /**
   * `own`: attempts of the organization's users, and of unknown users if the sign-in was restricted to it. `other`: all
   * others in its flows. Undefined for the attempts of all organizations.
   */
  of?: { organizationId: string; side: "own" | "other" };
  /** Undefined for all reasons. */
  reasons?: readonly AttemptReason[];
}

export interface AttemptPage {
  /** The last row of the previous page. */
  after?: { createdAt: number; id: string };
  limit: number;
}

/** An attempt with the names of the user and the app, if they still exist, and the organization of the app. */
export interface ListedAttempt extends AttemptRow {
  displayName: string | null;
  appName: string | null;
  appId: string | null;
  projectId: string | null;
  appOrganizationId: string | null;
}

/** Returns the columns of attempts that a subquery has selected. None of them is JSON or a boolean. */
const columnsOf = (alias: string) =>
  COLUMNS.map((column) => sql<AttemptRow[typeof column]>`${sql.ref(`${alias}.${column}`)}`.as(column));

/** Returns the attempts of all sides, newest first. */
export async function listAttempts(
  db: Database,
  sides: readonly AttemptSide[],
  page: AttemptPage,
): Promise<ListedAttempt[]> {
  const [first, ...others] = sides
    .filter(({ reasons, whom }) => reasons?.length !== 0 && !(whom && isNobody(whom)))
    .map((side) => tables.selectFrom(sideOf(side, page).as("side")).select(columnsOf("side")));
  if (!first) return [];
  const both = others.reduce((all, side) => all.unionAll(side), first).as("sides");
  const newest = tables
    .selectFrom(both)
    .select(columnsOf("sides"))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(page.limit);
  const named = tables
    .selectFrom(newest.as("a"))
    .leftJoin("User as u", "u.id", "a.userId")
    .leftJoin("App as p", "p.clientId", "a.clientId")
    .leftJoin("Project as r", "r.id", "p.projectId")
    .select(columnsOf("a"))
    .select(["p.name as appName", "p.id as appId", "p.projectId", "r.organizationId as appOrganizationId"])
    .select((eb) => eb.fn.coalesce("u.displayName", "u.userName").as("displayName"))
    .orderBy("a.createdAt", "desc")
    .orderBy("a.id", "desc");
  return db.all(bind(named.$castTo<ListedAttempt>()));
}

const isNobody = ({ userIds, nameDigests }: NonNullable<AttemptFilter["whom"]>): boolean =>
  userIds.length + nameDigests.length === 0;

function sideOf({ of, reasons, userId, whom, clientId, from, to }: AttemptSide, { after, limit }: AttemptPage) {
  const eb = columnsIn<{ SignInAttempt: "SignInAttempt" }>();
  const all: Filter = [];
  if (of?.side === "own") all.push(eb("organizationId", "=", of.organizationId));
  if (of?.side === "other") {
    const isForeign = eb.or([eb("organizationId", "is", null), eb("organizationId", "<>", of.organizationId)]);
    all.push(eb("flowOrganizationId", "=", of.organizationId), isForeign);
  }
  if (reasons) all.push(eb("reason", "in", reasons));
  if (whom) {
    const ways: Filter = [];
    if (whom.userIds.length > 0) ways.push(eb("userId", "in", whom.userIds));
    if (whom.nameDigests.length > 0) ways.push(eb("nameDigest", "in", whom.nameDigests));
    all.push(eb.or(ways));
  }
  if (userId !== undefined) all.push(eb("userId", "=", userId));
  if (clientId !== undefined) all.push(eb("clientId", "=", clientId));
  if (from !== undefined) all.push(eb("createdAt", ">=", from));
  if (to !== undefined) all.push(eb("createdAt", "<=", to));
  if (after) all.push(eb(eb.refTuple("createdAt", "id"), "<", eb.tuple(after.createdAt, after.id)));
  return tables
    .selectFrom("SignInAttempt")
    .select(COLUMNS)
    .where(eb.and(all))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit);
}

/**
 * Deletes up to `limit` attempts from before a time.
 * @returns the number of deleted rows
 */
export function deleteOldAttempts(db: Database, before: number, limit: number): Promise<number> {
  const old = tables.selectFrom("SignInAttempt").select("id").where("createdAt", "<", before);
  const some = old.orderBy("createdAt").limit(limit);
  return db.run(bind(tables.deleteFrom("SignInAttempt").where("id", "in", some)));
}
