/** The audit trail: searched, and exported as a file. */
import { z } from "zod";
import type { Context } from "../../context";
import { strict } from "../../directory/fields";
import type { PageWanted } from "../../directory/listing";
import { type EventPage, type EventSearch, listEventsOf, readEventPage } from "../../events/list";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { makePageToken, readWanted } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { listQuery, timestamp } from "../operation/schemas";
import { streamed } from "../operation/streamed";
import {
  EVENT_TYPES,
  type EventAnswer,
  type EventFilter,
  event,
  filterShape,
  readFilter,
  toEvents,
} from "./event-answers";

const tag = "Events";
const LEVELS = [
  {
    level: "instance",
    ids: { list: "ListInstanceEvents", exports: "ExportInstanceEvents", types: "ListInstanceEventTypes" },
    path: "/admin/v1/events",
    of: "of the whole service",
  },
  {
    level: "organization",
    ids: { list: "ListEvents", exports: "ExportEvents", types: "ListEventTypes" },
    path: "/management/v1/events",
    of: "of an organization and all that is in it",
  },
] as const;
type Level = (typeof LEVELS)[number]["level"];

/** The maximum number of events in a file. */
const MAX_EXPORTED = 100_000;
const READ_AT_ONCE = 500;

/** The filters as parameters of an address. */
const exportQuery = strict({
  format: z.enum(["json", "csv"]).optional(),
  eventTypes: z.string().max(2_000).optional().meta({ description: "Separated by commas" }),
  aggregateTypes: z.string().max(1_000).optional().meta({ description: "Separated by commas" }),
  aggregateId: filterShape.aggregateId,
  actorId: filterShape.actorId,
  organizationId: filterShape.organizationId,
  from: filterShape.from,
  to: filterShape.to,
});

function wantedOf(filter: EventFilter, level: Level, organizationId: string) {
  const read = readFilter(filter);
  if (isApiError(read)) return read;
  const asked = filter.organizationId;
  if (level === "instance") return { ...read, resourceOwner: asked };
  // Of an organization's events none belongs to another.
  return {
    ...read,
    resourceOwner: organizationId,
    ...(asked !== undefined && asked !== organizationId && { types: [] }),
  };
}

function filterOf(query: z.output<typeof exportQuery>): EventFilter | ApiError {
  const { format: _, eventTypes, aggregateTypes, ...rest } = query;
  const kinds = aggregateTypes?.split(",") ?? undefined;
  const known = z.array(filterShape.aggregateTypes.unwrap().element).safeParse(kinds ?? []);
  if (!known.success) {
    return invalidArgument("event.unknown_type", "There is no such kind of object.", { field: "aggregateTypes" });
  }
  return {
    ...rest,
    ...(kinds && { aggregateTypes: known.data }),
    ...(eventTypes && { eventTypes: eventTypes.split(",") }),
  };
}

const eventPage = ({ after, ascending = false, limit }: PageWanted): EventPage => ({
  after: after && Number(after[0]),
  ascending,
  limit,
});

/** The organization whose trail it is; undefined: that of the service. */
const within = (level: Level, organizationId: string) => (level === "organization" ? organizationId : undefined);

/** All pages, one after the other, up to the limit of a file. */
async function* pages(ctx: Context, wanted: EventSearch, of: string | undefined): AsyncGenerator<EventAnswer[]> {
  let after: number | undefined;
  for (let read = 0; read < MAX_EXPORTED; read += READ_AT_ONCE) {
    const rows = await listEventsOf(ctx, wanted, { after, ascending: false, limit: READ_AT_ONCE });
    after = rows.at(-1)?.position;
    if (after === undefined) return;
    yield await toEvents(ctx, rows, of);
    if (rows.length < READ_AT_ONCE) return;
  }
}

async function* asJson(all: AsyncGenerator<EventAnswer[]>): AsyncGenerator<string> {
  yield `{"result":[`;
  let separator = "";
  for await (const page of all) {
    yield separator + page.map((one) => JSON.stringify(one)).join(",\n");
    separator = ",\n";
  }
  yield "]}";
}

const CSV_HEAD =
  "position,date,type,object,objectId,objectName,owner,actorId,actorName,requestId,changes,address,clientId\r\n";

async function* asCsv(all: AsyncGenerator<EventAnswer[]>): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const page of all) {
    yield page
      .map(({ position, creationDate, type, aggregate, actor, requestId, changes, address, client }) => {
        const { type: object, id, name, resourceOwner } = aggregate;
        const cells = [position, creationDate, type, object, id, name, resourceOwner, actor.id, actor.name, requestId];
        return `${[...cells, JSON.stringify(changes), address, client?.id].map(toCell).join(",")}\r\n`;
      })
      .join("");
  }
}

/**
 * Quotes as RFC 4180 §2 says. A value that a spreadsheet would take for a formula is marked as text (attack: CSV
 * injection).
 */
function toCell(value: string | undefined): string {
  const text = value ?? "";
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const eventOperations: readonly Operation[] = LEVELS.flatMap(({ level, ids, path, of }) => [
  operation(ids.list, `POST ${path}/_search`, {
    tag,
    summary: `Search the audit trail ${of}, newest first`,
    effort: "search",
    scope: { level, permission: "events.read" },
    body: strict({ query: listQuery.omit({ offset: true }).optional(), ...filterShape }),
    bodyIsOptional: true,
    answer: z.object({
      details: z.object({ viewTimestamp: timestamp }),
      nextPageToken: z.string().optional().meta({ description: "Left out on the last page" }),
      result: z.array(event),
    }),
    async handle(ctx, { body: { query, ...filter }, organizationId }) {
      const wanted = wantedOf(filter, level, organizationId);
      if (isApiError(wanted)) return wanted;
      const reading = readWanted(["number", "number"], query);
      if (isApiError(reading)) return reading;
      const { events, next } = await readEventPage(ctx, wanted, eventPage(reading));
      return {
        details: { viewTimestamp: new Date(ctx.clock()).toISOString() },
        ...(next !== undefined && { nextPageToken: makePageToken([next, next]) }),
        result: await toEvents(ctx, events, within(level, organizationId)),
      };
    },
  }),
  operation(ids.exports, `GET ${path}/_export`, {
    tag,
    summary: `Export the audit trail ${of} as a file, newest first`,
    effort: "heavy",
    description: `At most ${MAX_EXPORTED} events, as JSON or with \`format=csv\` for spreadsheets.`,
    scope: { level, permission: "events.read" },
    query: exportQuery,
    answer: z.object({ result: z.array(event) }),
    async handle(ctx, { query, organizationId }) {
      const filter = filterOf(query);
      if (isApiError(filter)) return filter;
      const wanted = wantedOf(filter, level, organizationId);
      if (isApiError(wanted)) return wanted;
      const all = pages(ctx, wanted, within(level, organizationId));
      const day = new Date(ctx.clock()).toISOString().slice(0, 10);
      return query.format === "csv"
        ? streamed({ contentType: "text/csv; charset=utf-8", fileName: `events-${day}.csv`, parts: asCsv(all) })
        : streamed({ contentType: "application/json", fileName: `events-${day}.json`, parts: asJson(all) });
    },
  }),
  operation(ids.types, `GET ${path}/_types`, {
    tag,
    summary: "List all types of events",
    scope: { level, permission: "events.read" },
    answer: z.object({ eventTypes: z.array(z.string()) }),
    handle: async () => ({ eventTypes: [...EVENT_TYPES] }),
  }),
]);
