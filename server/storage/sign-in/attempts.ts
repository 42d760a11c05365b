/**
 * Attempts to sign in: written in batches, read newest first, deleted when they are old. A search of an organization
 * has two sides: attempts of its own users, and attempts of unknown or other users in its own flows, with fewer details
 * (protocol/sign-in-attempt.ts). Each side is a separate search with an index that ends in the time.
 */
import type { AttemptReason } from "../../protocol/sign-in-attempt";
import type { Database, Value } from "../database";
import { type Conditions, conditions } from "../listing";

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
const NAMES = COLUMNS.map((column) => `"${column}"`).join(", ");

/** Rows per statement. There are few sizes, because each statement text is prepared. */
const SIZES = [64, 8, 1] as const;
const UPSERTS = new Map(
  SIZES.map((size) => {
    const row = (index: number) => `(${COLUMNS.map((_, at) => `$${index * COLUMNS.length + at + 1}`).join(", ")})`;
    const rows = Array.from({ length: size }, (_, index) => row(index)).join(", ");
    const counted = `"count" = excluded."count", "lastAt" = excluded."lastAt"`;
    return [
      size,
      `INSERT INTO "SignInAttempt" (${NAMES}) VALUES ${rows} ON CONFLICT ("id") DO UPDATE SET ${counted}`,
    ] as const;
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

const TIMES: ReadonlySet<string> = new Set(["createdAt", "lastAt"]);

/**
 * Writes one batch completely or not at all. Existing rows get the new count. Rejects if a user was removed meanwhile
 * (foreign key).
 */
export async function writeAttempts(db: Database, piece: readonly AttemptRow[]): Promise<void> {
  const sql = UPSERTS.get(piece.length as (typeof SIZES)[number]);
  if (sql === undefined) throw new Error(`no statement writes ${piece.length} attempts`);
  const cell = (row: AttemptRow, column: (typeof COLUMNS)[number]): Value =>
    TIMES.has(column) ? new Date(row[column] as number) : row[column];
  await db.run(
    sql,
    piece.flatMap((row) => COLUMNS.map((column) => cell(row, column))),
  );
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

const COLUMNS_OF_A = COLUMNS.map((column) => `a."${column}"`).join(", ");

/** Returns the attempts of all sides, newest first. */
export async function listAttempts(
  db: Database,
  sides: readonly AttemptSide[],
  page: AttemptPage,
): Promise<ListedAttempt[]> {
  const where = conditions();
  const limit = where.parameter(page.limit);
  const order = `ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}`;
  const parts = sides
    .filter(({ reasons, whom }) => reasons?.length !== 0 && !(whom && isNobody(whom)))
    .map((side, index) => `SELECT * FROM (${partOf(where, side, page, order)}) AS "side${index}"`);
  if (parts.length === 0) return [];
  return db.all<ListedAttempt>(
    `SELECT ${COLUMNS_OF_A}, COALESCE(u."displayName", u."userName") AS "displayName", p."name" AS "appName",
            p."id" AS "appId", p."projectId", r."organizationId" AS "appOrganizationId"
       FROM (SELECT * FROM (${parts.join(" UNION ALL ")}) AS "sides" ${order}) AS a
       LEFT JOIN "User" u ON u."id" = a."userId" LEFT JOIN "App" p ON p."clientId" = a."clientId"
       LEFT JOIN "Project" r ON r."id" = p."projectId"
      ORDER BY a."createdAt" DESC, a."id" DESC`,
    where.values,
  );
}

const isNobody = ({ userIds, nameDigests }: NonNullable<AttemptFilter["whom"]>): boolean =>
  userIds.length + nameDigests.length === 0;

function partOf(
  { parameter }: Conditions,
  { of, reasons, userId, whom, clientId, from, to }: AttemptSide,
  { after }: AttemptPage,
  order: string,
): string {
  const all: string[] = [];
  const among = (column: string, values: readonly string[]) => `"${column}" IN (${values.map(parameter).join(", ")})`;
  if (of) {
    const organization = parameter(of.organizationId);
    const others = `"flowOrganizationId" = ${organization} AND ("organizationId" IS NULL OR "organizationId" <> ${organization})`;
    all.push(of.side === "own" ? `"organizationId" = ${organization}` : others);
  }
  if (reasons) all.push(among("reason", reasons));
  if (whom) {
    const ways = [
      ...(whom.userIds.length > 0 ? [among("userId", whom.userIds)] : []),
      ...(whom.nameDigests.length > 0 ? [among("nameDigest", whom.nameDigests)] : []),
    ];
    all.push(`(${ways.join(" OR ")})`);
  }
  if (userId !== undefined) all.push(`"userId" = ${parameter(userId)}`);
  if (clientId !== undefined) all.push(`"clientId" = ${parameter(clientId)}`);
  if (from !== undefined) all.push(`"createdAt" >= ${parameter(new Date(from))}`);
  if (to !== undefined) all.push(`"createdAt" <= ${parameter(new Date(to))}`);
  if (after) all.push(`("createdAt", "id") < (${parameter(new Date(after.createdAt))}, ${parameter(after.id)})`);
  const condition = all.length > 0 ? `WHERE ${all.join(" AND ")}` : "";
  return `SELECT ${NAMES} FROM "SignInAttempt" ${condition} ${order}`;
}

/**
 * Deletes up to `limit` attempts from before a time.
 * @returns the number of deleted rows
 */
export function deleteOldAttempts(db: Database, before: number, limit: number): Promise<number> {
  return db.run(
    `DELETE FROM "SignInAttempt" WHERE "id" IN
       (SELECT "id" FROM "SignInAttempt" WHERE "createdAt" < $1 ORDER BY "createdAt" LIMIT $2)`,
    [new Date(before), limit],
  );
}
