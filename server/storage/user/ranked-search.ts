/**
 * Searches users by a text and lists those first that it names as a whole (closest.ts). They come before the pages of
 * the search, which then leaves them out: each user is listed once, by offset and by cursor, and the total is right.
 */
import type { Database } from "../database";
import type { Cursor, Page } from "../listing";
import { findClosest, type WholeText } from "./closest";
import type { ShownUser } from "./list";
import { countFound, LOOKED_AT, type SearchPage, searchUsers } from "./search";
import type { UserSearch } from "./search-index";

/** The users that are listed first, closest first. */
export type Front = readonly { row: ShownUser; closeness: number }[];

/** Returns the users that the text names as a whole and that meet all other conditions of the search. */
export async function findFront(db: Database, search: UserSearch, text: WholeText): Promise<Front> {
  const closest = await findClosest(db, search.organizationId, text);
  const ids = search.ids ? search.ids.filter((id) => closest.has(id)) : [...closest.keys()];
  if (ids.length === 0) return [];
  const page = { after: undefined, offset: 0, limit: ids.length, descending: false };
  const { rows } = await searchUsers(db, { ...search, words: [], ids, sort: "displayNameKey" }, page);
  const front = rows.map((row) => ({ row, closeness: closest.get(row.id) ?? 0 }));
  return front.sort((a, b) => a.closeness - b.closeness); // rows of the same closeness stay in the order of their names
}

/** Begins the sort value of a cursor in the front. No word of the search begins with it. */
const IN_FRONT = " ";

export async function searchAfter(
  db: Database,
  search: UserSearch,
  front: Front,
  { after, offset, limit, descending }: SearchPage,
): Promise<Page<ShownUser>> {
  const behind = front.slice(after ? placeAfter(front, after) : 0);
  const shown = behind.slice(offset, offset + limit);
  const isFull = behind.length > offset + shown.length;
  const last = shown.at(-1);
  const cursor: Cursor | undefined = last && [IN_FRONT + last.closeness, last.row.id];
  const rows = shown.map(({ row }) => row);
  if (isFull) return { rows, next: cursor };
  const rest = await searchUsers(db, behindFront(search, front), {
    after: after && isInFront(after) ? undefined : after,
    offset: Math.max(0, offset - behind.length),
    // A page that the front has filled has a next one only if the search finds someone else.
    limit: Math.max(1, limit - shown.length),
    descending,
  });
  if (shown.length < limit) return { rows: [...rows, ...rest.rows], next: rest.next };
  return { rows, next: rest.rows.length > 0 || rest.next ? cursor : undefined };
}

export async function countAfter(db: Database, search: UserSearch, front: Front): Promise<number> {
  return Math.min(front.length + (await countFound(db, behindFront(search, front))), LOOKED_AT);
}

const behindFront = (search: UserSearch, front: Front): UserSearch => ({
  ...search,
  except: front.map(({ row }) => row.id),
});

const isInFront = ([sorted]: Cursor): boolean => String(sorted).startsWith(IN_FRONT);

/** The number of users in the front up to that cursor, also if its user is no longer there. */
function placeAfter(front: Front, cursor: Cursor): number {
  if (!isInFront(cursor)) return front.length;
  const place = front.findIndex(({ row }) => row.id === cursor[1]);
  if (place >= 0) return place + 1;
  const closeness = Number(cursor[0]);
  return front.filter((one) => one.closeness < closeness).length;
}
