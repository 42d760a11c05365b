/**
 * Searches among a million users without reading all of them. Every search walks along an index, from where the
 * previous page stopped, and checks the other conditions on a bounded number of users. So a page may be short, even
 * empty, and still have a next one, but the time of a search is bounded.
 */
import type { Database } from "../database";
import type { Cursor, Page } from "../listing";
import { SHOWN_COLUMNS, type ShownUser, WITH_DETAILS } from "./list";
import { type Path, pathAlong } from "./search-conditions";
import { type UserSearch, walksOf } from "./search-index";

export interface SearchPage {
  after: Cursor | undefined;
  offset: number;
  limit: number;
  descending: boolean;
}

/** The maximum number of users examined for a page or for a count. */
export const LOOKED_AT = 10_000;

/** One page; if it has a next one, it may be shorter than requested. */
export async function searchUsers(db: Database, search: UserSearch, page: SearchPage): Promise<Page<ShownUser>> {
  const { offset, limit, descending } = page;
  const parts = await Promise.all(walksOf(search).map((walk) => readAlong(db, pathAlong(search, walk, page), page)));
  const order = (a: Cursor, b: Cursor) => (descending ? -1 : 1) * (compare(a[0], b[0]) || compare(a[1], b[1]));
  // The page ends where the first walk stopped early, as it may have further results there.
  const [end] = parts.flatMap((part) => (part.end ? [part.end] : [])).sort(order);
  const found = parts
    .flatMap(({ rows }) => rows)
    .filter(({ cursor }) => !end || order(cursor, end) <= 0)
    .sort((a, b) => order(a.cursor, b.cursor))
    .slice(offset);
  const rows = found.slice(0, limit);
  return { rows: rows.map(({ row }) => row), next: found.length > limit ? rows.at(-1)?.cursor : end };
}

/** The number of results among the users examined, up to 10000. */
export async function countFound(db: Database, search: UserSearch): Promise<number> {
  const page = { after: undefined, descending: false };
  const counts = await Promise.all(
    walksOf(search).map(async (walk) => {
      const path = pathAlong(search, walk, page);
      const { where, values } = path.conditions(await farthest(db, path));
      const row = await db.one<{ n: number }>(
        `SELECT CAST(COUNT(*) AS INTEGER) AS "n"
           FROM (SELECT 1 FROM ${path.from} WHERE ${where} LIMIT ${LOOKED_AT}) AS "some"`,
        values,
      );
      return row?.n ?? 0;
    }),
  );
  return Math.min(
    counts.reduce((sum, n) => sum + n, 0),
    LOOKED_AT,
  );
}

/** Compares by code points, as the databases do. */
function compare(a: string | number, b: string | number): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

interface Part {
  rows: { row: ShownUser; cursor: Cursor }[];
  /** Where the walk stopped; undefined if it reached the end. */
  end: Cursor | undefined;
}

async function readAlong(db: Database, path: Path, { offset, limit }: SearchPage): Promise<Part> {
  const wanted = offset + limit + 1;
  const last = await farthest(db, path);
  const { where, values } = path.conditions(last);
  const [sorted, unique] = path.keys;
  const rows = await db.all<ShownUser & { sortedBy: string; uniqueBy: string }>(
    `SELECT ${SHOWN_COLUMNS}, ${sorted} AS "sortedBy", ${unique} AS "uniqueBy" FROM ${path.from} ${WITH_DETAILS}
      WHERE ${where} ORDER BY ${path.order} LIMIT $${values.length + 1}`,
    [...values, wanted],
  );
  const found = rows.map(({ sortedBy, uniqueBy, ...row }) => ({ row, cursor: [sortedBy, uniqueBy] as const }));
  return { rows: found, end: rows.length < wanted ? last : undefined };
}

/** Returns the last user to examine; undefined if no limit is needed, or there are fewer users. */
async function farthest(db: Database, path: Path): Promise<Cursor | undefined> {
  if (path.isExact) return undefined;
  const [sorted, unique] = path.keys;
  const row = await db.one<{ sortedBy: string; uniqueBy: string }>(
    `SELECT ${sorted} AS "sortedBy", ${unique} AS "uniqueBy" FROM ${path.index}
      WHERE ${path.along.all.join(" AND ")} ORDER BY ${path.order} LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
    path.along.values,
  );
  return row && [row.sortedBy, row.uniqueBy];
}
