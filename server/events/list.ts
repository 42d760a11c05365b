/** Reading the audit trail, with the names that what it mentions has now. */
import type { Context } from "../context";
import { type EventRow, type EventsWanted, listEvents, type Named, readNames } from "../storage/event-list";

export type ListedEvent = EventRow;
export type EventSearch = Omit<EventsWanted, "after" | "ascending" | "limit">;
export type EventPage = Pick<EventsWanted, "after" | "ascending" | "limit">;

/** By kind of object and id. */
export type CurrentNames = ReadonlyMap<string, Awaited<ReturnType<typeof readNames>>>;

export function listEventsOf(ctx: Context, search: EventSearch, page: EventPage): Promise<ListedEvent[]> {
  return listEvents(ctx.db, { ...search, ...page });
}

/** One page. @returns with the position after which the next page begins; undefined on the last */
export async function readEventPage(
  ctx: Context,
  search: EventSearch,
  { limit, ...page }: EventPage,
): Promise<{ events: ListedEvent[]; next: number | undefined }> {
  const rows = await listEvents(ctx.db, { ...search, ...page, limit: limit + 1 });
  const events = rows.slice(0, limit);
  return { events, next: rows.length > limit ? events.at(-1)?.position : undefined };
}

const NAMED: readonly Named[] = ["user", "organization", "project", "app"];

/** The names of the objects, actors and owners of these events. */
export async function readNamesIn(ctx: Context, events: readonly ListedEvent[]): Promise<CurrentNames> {
  const idsOf = (of: Named) => [
    ...new Set(
      events.flatMap(({ aggregateType, aggregateId, actor, resourceOwner }) => [
        ...(aggregateType === of ? [aggregateId] : []),
        ...(of === "user" ? [actor] : []),
        ...(of === "organization" ? [resourceOwner] : []),
      ]),
    ),
  ];
  return new Map(await Promise.all(NAMED.map(async (of) => [of, await readNames(ctx.db, of, idsOf(of))] as const)));
}
