/** Events as administrators read them: who did what to which object, with names, and the values before and after. */
import { z } from "zod";
import type { Context } from "../context";
import { identifier, strict } from "../directory/fields";
import { instant } from "../directory/key-fields";
import { type AggregateType, aggregateTypeOf, catalogue, type EventType } from "../events/catalogue";
import { type CurrentNames, type EventSearch, type ListedEvent, readNamesIn } from "../events/list";
import { type ApiError, invalidArgument } from "../protocol/api-error";
import { said } from "../protocol/reason";
import { timestamp } from "./schemas";

export const EVENT_TYPES = Object.keys(catalogue) as EventType[];
const AGGREGATE_TYPES = [...new Set(EVENT_TYPES.map(aggregateTypeOf))] as AggregateType[];

const named = { id: z.string(), name: z.string().optional().meta({ description: "Its current name" }) };

export const event = z
  .object({
    position: z.string().meta({ description: "Grows with every event", example: "4711" }),
    type: z.string().meta({ example: "app.changed" }),
    aggregate: z.object({
      type: z.string(),
      ...named,
      resourceOwner: z.string(),
      resourceOwnerName: z.string().optional(),
    }),
    sequence: z.string().meta({ description: "The number of the object's events" }),
    creationDate: timestamp,
    actor: z.object({
      ...named,
      kind: z.enum(["human", "machine", "service", "unknown"]).meta({
        description:
          "A person, a machine, the service itself (bootstrap, operator, system), or somebody who has been removed",
      }),
    }),
    requestId: z.string().optional(),
    changes: z.array(z.object({ field: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })).meta({
      description: "As recorded, never with secrets. `from` only if there was a value before",
    }),
  })
  .meta({ id: "Event" });
export type EventAnswer = z.input<typeof event>;

const texts = z.array(z.string().max(100)).max(20);

/** The filters of a search; an event must match all of them. */
export const filterShape = {
  aggregateTypes: z.array(z.enum(AGGREGATE_TYPES)).max(20).optional(),
  aggregateId: z
    .string()
    .min(1, { error: said("empty") })
    .max(500)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .optional(),
  eventTypes: texts
    .optional()
    .meta({ description: "Names or their first parts: `app`, `app.secret`, `app.secret.set`" }),
  actorId: identifier.optional(),
  from: instant.optional(),
  to: instant.optional(),
};
const eventFilter = strict(filterShape);
export type EventFilter = z.output<typeof eventFilter>;

/** The types of event that a filter asks for; undefined: all. */
export function readFilter(
  filter: EventFilter,
): Pick<EventSearch, "types" | "aggregateTypes" | "aggregateId" | "actor" | "from" | "to"> | ApiError {
  const { aggregateTypes, aggregateId, eventTypes, actorId, from, to } = filter;
  const begins = (type: string, beginning: string) => type === beginning || type.startsWith(`${beginning}.`);
  const stray = eventTypes?.findIndex((name) => !EVENT_TYPES.some((type) => begins(type, name))) ?? -1;
  if (stray >= 0) {
    const field = `eventTypes[${stray}]`;
    return invalidArgument("event.unknown_type", "No kind of event begins like this.", { field });
  }
  const wanted = EVENT_TYPES.filter(
    (type) =>
      (aggregateTypes?.includes(aggregateTypeOf(type)) ?? true) &&
      (eventTypes?.some((name) => begins(type, name)) ?? true),
  );
  // A filter that lists every type would only slow the query down.
  const types = wanted.length === EVENT_TYPES.length ? undefined : wanted;
  return { types, aggregateTypes: aggregateTypes ?? AGGREGATE_TYPES, aggregateId, actor: actorId, from, to };
}

export async function toEvents(ctx: Context, rows: readonly ListedEvent[]): Promise<EventAnswer[]> {
  const names = await readNamesIn(ctx, rows);
  return rows.map((row) => toEvent(row, names));
}

function toEvent(row: ListedEvent, names: CurrentNames): EventAnswer {
  const { aggregateType, aggregateId, resourceOwner, actor, requestId } = row;
  const object = names.get(aggregateType)?.get(aggregateId);
  // From before ids were given only once: the name of another organization's object of the same id is none of theirs.
  const name = object?.organizationId === resourceOwner ? object.name : undefined;
  const owner = names.get("organization")?.get(resourceOwner)?.name;
  return {
    position: String(row.position),
    type: row.type,
    aggregate: {
      type: aggregateType,
      id: aggregateId,
      ...(name !== undefined && { name }),
      resourceOwner,
      ...(owner !== undefined && { resourceOwnerName: owner }),
    },
    sequence: String(row.sequence),
    creationDate: new Date(row.createdAt).toISOString(),
    actor: toActor(actor, names.get("user")?.get(actor)),
    ...(requestId !== null && { requestId }),
    changes: Object.entries(row.payload).map(toChange),
  };
}

/** Actors that are no users. */
const PARTS = new Set(["bootstrap", "operator", "system"]);

function toActor(id: string, user: { name: string; kind: string } | undefined): EventAnswer["actor"] {
  if (user) return { id, name: user.name, kind: user.kind === "machine" ? "machine" : "human" };
  return { id, kind: PARTS.has(id) ? "service" : "unknown" };
}

function toChange([field, value]: [string, unknown]): EventAnswer["changes"][number] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { field, to: value };
  const { from, to, ...more } = value as { from?: unknown; to?: unknown };
  return from !== undefined && to !== undefined && Object.keys(more).length === 0
    ? { field, from, to }
    : { field, to: value };
}
