/** Events as administrators read them: who did what to which object, with names, and the values before and after. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import { type AggregateType, aggregateTypeOf, catalogue, type EventType } from "../../events/catalogue";
import {
  type CurrentNames,
  type EventSearch,
  type ListedEvent,
  mentionsIn,
  type NamedObject,
  readNamesIn,
  valueThen,
} from "../../events/list";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { timestamp } from "../operation/schemas";

export const EVENT_TYPES = Object.keys(catalogue) as EventType[];
const AGGREGATE_TYPES = [...new Set(EVENT_TYPES.map(aggregateTypeOf))] as AggregateType[];

const named = { id: z.string(), name: z.string().optional().meta({ description: "Its current name" }) };
/** Where an object is found. Omitted if the caller may not see the object, or it does not exist any more. */
const place = {
  resourceOwner: z.string().optional().meta({ description: "The organization it is found in" }),
  projectId: z.string().optional().meta({ description: "Of an app" }),
  kind: z.enum(["human", "machine"]).optional().meta({ description: "Of a user" }),
};

export const event = z
  .object({
    position: z.string().meta({ description: "Grows with every event", example: "4711" }),
    type: z.string().meta({ example: "app.changed" }),
    aggregate: z.object({
      type: z.string(),
      id: z.string(),
      name: z.string().optional().meta({
        description: "Its current name; once it is removed, the one that the event has",
      }),
      resourceOwner: z.string(),
      resourceOwnerName: z.string().optional(),
      isRemoved: z.boolean().optional().meta({
        description: "For users, organizations, projects and apps: whether the object no longer exists",
      }),
      projectId: place.projectId,
      kind: place.kind,
    }),
    sequence: z.string().meta({ description: "The number of the object's events" }),
    creationDate: timestamp,
    actor: z.object({
      ...named,
      kind: z.enum(["human", "machine", "service", "unknown"]).meta({
        description:
          "A human or machine user, the service itself (bootstrap, operator, system), or a user who has been removed",
      }),
      resourceOwner: place.resourceOwner,
    }),
    requestId: z.string().optional(),
    address: z.string().optional().meta({
      description: "The IP address of the request, if known; not that of someone of another organization",
    }),
    client: z
      .object({
        ...named,
        appId: z.string().optional(),
        projectId: place.projectId,
        resourceOwner: place.resourceOwner,
      })
      .optional()
      .meta({ description: "The client by which it was done: that of the token, or the one signed in to" }),
    mentions: z
      .array(z.object({ field: z.string(), type: z.string(), ...named, appId: z.string().optional(), ...place }))
      .meta({ description: "What the changes name by an id, with what the caller may see of it" }),
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
    .min(1, { error: issue("empty") })
    .max(500)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .optional(),
  eventTypes: texts
    .optional()
    .meta({ description: "Names or their first parts: `app`, `app.secret`, `app.secret.set`" }),
  position: z
    .string()
    .regex(/^\d{1,15}$/, { error: issue("whole_number") })
    .transform(Number)
    .optional()
    .meta({ description: "Only the event at this position", example: "4711" }),
  actorId: identifier.optional(),
  organizationId: identifier.optional().meta({ description: "The organization that the object belonged to" }),
  from: instant.optional(),
  to: instant.optional(),
};
const eventFilter = strict(filterShape);
export type EventFilter = z.output<typeof eventFilter>;

/** The types of event that a filter asks for; undefined: all. */
export function readFilter(
  filter: EventFilter,
): Pick<EventSearch, "types" | "aggregateTypes" | "aggregateId" | "position" | "actor" | "from" | "to"> | ApiError {
  const { aggregateTypes, aggregateId, eventTypes, position, actorId, from, to } = filter;
  const begins = (type: string, beginning: string) => type === beginning || type.startsWith(`${beginning}.`);
  const stray = eventTypes?.findIndex((name) => !EVENT_TYPES.some((type) => begins(type, name))) ?? -1;
  if (stray >= 0) {
    const field = `eventTypes[${stray}]`;
    return invalidArgument(
      "event.unknown_type",
      "No kind of event begins like this. The API description lists them at /docs/api.",
      { field },
    );
  }
  const wanted = EVENT_TYPES.filter(
    (type) =>
      (aggregateTypes?.includes(aggregateTypeOf(type)) ?? true) &&
      (eventTypes?.some((name) => begins(type, name)) ?? true),
  );
  // A filter that lists every type would only slow the query down.
  const types = wanted.length === EVENT_TYPES.length ? undefined : wanted;
  return { types, aggregateTypes: aggregateTypes ?? AGGREGATE_TYPES, aggregateId, position, actor: actorId, from, to };
}

/** @param within the organization whose trail it is; undefined: the caller may see all of them */
export async function toEvents(
  ctx: Context,
  rows: readonly ListedEvent[],
  within: string | undefined,
): Promise<EventAnswer[]> {
  const names = await readNamesIn(ctx, rows);
  return rows.map((row) => toEvent(row, names, within));
}

function toEvent(row: ListedEvent, names: CurrentNames, within: string | undefined): EventAnswer {
  const { aggregateType, aggregateId, actor, requestId, clientId } = row;
  const user = names.get("user")?.get(actor);
  // The IP address of another organization's user is not shown to the reader.
  const isOwn = user?.organizationId === within || (aggregateType === "user" && aggregateId === actor);
  const address = row.address ?? valueThen(row.payload.address);
  return {
    position: String(row.position),
    type: row.type,
    aggregate: toObject(row, names),
    sequence: String(row.sequence),
    creationDate: new Date(row.createdAt).toISOString(),
    actor: toActor(actor, user, within),
    ...(requestId !== null && { requestId }),
    ...(typeof address === "string" && (within === undefined || isOwn) && { address }),
    ...(clientId !== null && { client: { id: clientId, ...clientFacts(names.get("client")?.get(clientId), within) } }),
    mentions: mentionsIn(row).map(({ field, of, id }) => {
      const known = names.get(of)?.get(id);
      return of === "client"
        ? { field, type: "app", id, ...clientFacts(known, within) }
        : { field, type: of, id, ...facts(known, within) };
    }),
    changes: Object.entries(row.payload).map(toChange),
  };
}

/** The kinds of objects that have a name as long as they exist. */
const NAMED = new Set(["user", "organization", "project", "app"]);

function toObject(
  { type, aggregateType, aggregateId, resourceOwner, payload }: ListedEvent,
  names: CurrentNames,
): EventAnswer["aggregate"] {
  const object = names.get(aggregateType)?.get(aggregateId);
  // Ids of old objects may repeat: the name of another organization's object with the same id must not be shown.
  const known = object?.organizationId === resourceOwner ? object : undefined;
  const { name, projectId, kind } = facts(known, undefined);
  const shown = name ?? nameThen(type, payload);
  const owner = names.get("organization")?.get(resourceOwner)?.name;
  return {
    type: aggregateType,
    id: aggregateId,
    ...(shown !== undefined && { name: shown }),
    resourceOwner,
    ...(owner !== undefined && { resourceOwnerName: owner }),
    ...(NAMED.has(aggregateType) && known === undefined && { isRemoved: true }),
    ...(projectId !== undefined && { projectId }),
    ...(kind !== undefined && { kind }),
  };
}

/** Returns the name of the object in the event; undefined if the event contains none. */
function nameThen(type: string, payload: ListedEvent["payload"]): string | undefined {
  const ofObject = /^(?:user|organization|project|app)\.(?:machine\.)?(?:added|changed|removed)$/.test(type);
  if (!ofObject) return undefined;
  const named = [payload.displayName, payload.name, payload.userName].map(valueThen);
  return named.find((name) => typeof name === "string");
}

type Known = NamedObject | undefined;
const maySee = (known: Known, within: string | undefined): known is NamedObject =>
  known !== undefined && (within === undefined || known.organizationId === within);

interface Facts {
  name?: string;
  resourceOwner?: string;
  projectId?: string;
  kind?: "human" | "machine";
}

/** Returns the name and the path of an object as far as the reader may see them. */
function facts(known: Known, within: string | undefined): Facts {
  if (!maySee(known, within)) return {};
  const { name, organizationId: resourceOwner, projectId, kind } = known;
  return {
    name,
    resourceOwner,
    ...(projectId !== undefined && { projectId }),
    ...((kind === "human" || kind === "machine") && { kind }),
  };
}

function clientFacts(known: Known, within: string | undefined) {
  if (!maySee(known, within)) return {};
  const { name, organizationId: resourceOwner, projectId, kind: appId } = known;
  return { name, resourceOwner, appId, ...(projectId !== undefined && { projectId }) };
}

/** The actors that are not users. */
const PARTS = new Set(["bootstrap", "operator", "system"]);

function toActor(id: string, user: Known, within: string | undefined): EventAnswer["actor"] {
  if (!user) return { id, kind: PARTS.has(id) ? "service" : "unknown" };
  const kind = user.kind === "machine" ? "machine" : "human";
  const place = maySee(user, within) ? { resourceOwner: user.organizationId } : {};
  return { id, name: user.name, kind, ...place };
}

function toChange([field, value]: [string, unknown]): EventAnswer["changes"][number] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { field, to: value };
  const { from, to, ...more } = value as { from?: unknown; to?: unknown };
  return from !== undefined && to !== undefined && Object.keys(more).length === 0
    ? { field, from, to }
    : { field, to: value };
}
