/** Reads the audit trail, with the current names of the objects it refers to. */
import type { Context } from "../context";
import {
  type EventRow,
  type EventsWanted,
  listEvents,
  type NamedKind,
  type NamedObject,
  readNames,
} from "../storage/event/list";

export type ListedEvent = EventRow;
export type { NamedObject };
export type EventSearch = Omit<EventsWanted, "after" | "ascending" | "limit">;
export type EventPage = Pick<EventsWanted, "after" | "ascending" | "limit">;

/** Names by kind of object and id. */
export type CurrentNames = ReadonlyMap<string, Awaited<ReturnType<typeof readNames>>>;

export function listEventsOf(ctx: Context, search: EventSearch, page: EventPage): Promise<ListedEvent[]> {
  return listEvents(ctx.db, { ...search, ...page });
}

/**
 * Reads one page.
 * @returns the events, and the position after which the next page begins; undefined on the last page
 */
export async function readEventPage(
  ctx: Context,
  search: EventSearch,
  { limit, ...page }: EventPage,
): Promise<{ events: ListedEvent[]; next: number | undefined }> {
  const rows = await listEvents(ctx.db, { ...search, ...page, limit: limit + 1 });
  const events = rows.slice(0, limit);
  return { events, next: rows.length > limit ? events.at(-1)?.position : undefined };
}

const NAMED: readonly NamedKind[] = ["user", "organization", "project", "app", "client"];

/** The fields of events that hold an id, and the kind of object. */
const MENTIONS = {
  userId: "user",
  organizationId: "organization",
  projectId: "project",
  clientId: "client",
} as const satisfies Readonly<Record<string, NamedKind>>;
export type MentionField = keyof typeof MENTIONS;

export interface Mention {
  field: MentionField;
  of: NamedKind;
  id: string;
}

/** Returns the objects that an event refers to besides its own. A changed field refers to its new value. */
export function mentionsIn({ payload }: Pick<ListedEvent, "payload">): Mention[] {
  return (Object.keys(MENTIONS) as MentionField[]).flatMap((field) => {
    const id = valueThen(payload[field]);
    return typeof id === "string" ? [{ field, of: MENTIONS[field], id }] : [];
  });
}

/** Returns the value of a field after the event. */
export function valueThen(recorded: unknown): unknown {
  return typeof recorded === "object" && recorded !== null && "to" in recorded ? recorded.to : recorded;
}

/** Returns the names of the objects, actors, owners and clients of these events, and of the objects they refer to. */
export async function readNamesIn(ctx: Context, events: readonly ListedEvent[]): Promise<CurrentNames> {
  const idsOf = (of: NamedKind) => [
    ...new Set(
      events.flatMap((event) => [
        ...(event.aggregateType === of ? [event.aggregateId] : []),
        ...(of === "user" ? [event.actor] : []),
        ...(of === "organization" ? [event.resourceOwner] : []),
        ...(of === "client" && event.clientId !== null ? [event.clientId] : []),
        ...mentionsIn(event).flatMap((mention) => (mention.of === of ? [mention.id] : [])),
      ]),
    ),
  ];
  return new Map(await Promise.all(NAMED.map(async (of) => [of, await readNames(ctx.db, of, idsOf(of))] as const)));
}
