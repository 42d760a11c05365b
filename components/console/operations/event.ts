// The audit trail as the management API returns it, and its filters.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf, BodyOf } from "../declared";

export type AuditEvent = Schemas["Event"];
export type Change = AuditEvent["changes"][number];
export type EventList = AnswerOf<"ListEvents">;

/** The filters as parameters of the page's address, as typed. */
const FILTERS = ["type", "object", "actor", "from", "to"] as const;
export type EventFilters = Partial<Record<(typeof FILTERS)[number], string>>;

export function filtersOf(search: Readonly<Record<string, string | undefined>>): EventFilters {
  const given = FILTERS.map((name) => [name, search[name]?.trim()] as const);
  return Object.fromEntries(given.filter(([, value]) => value));
}

type EventQuery = Omit<NonNullable<BodyOf<"ListEvents">>, "query" | "aggregateTypes">;

/** The filters as the search expects them; days are whole days in UTC. */
export function eventQuery({ type, object, actor, from, to }: EventFilters): EventQuery {
  return {
    ...(type && { eventTypes: [type] }),
    ...(object && { aggregateId: object }),
    ...(actor && { actorId: actor }),
    ...(isDay(from) && { from: `${from}T00:00:00.000Z` }),
    ...(isDay(to) && { to: `${to}T23:59:59.999Z` }),
  };
}

const isDay = (text: string | undefined): boolean => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);
