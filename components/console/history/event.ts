// The audit log as the management API returns it, and its filters.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf, BodyOf } from "../../../shared/declared";
import { instantsOf, withoutIdleZone } from "../lists/days";
import { typesOf } from "./groups";

export type AuditEvent = Schemas["Event"];
export type FieldChange = AuditEvent["changes"][number];
export type EventMention = AuditEvent["mentions"][number];
export type EventListAnswer = AnswerOf<"ListEvents">;

/**
 * The filters as parameters of the page's address, as typed; `type` is a group, an event type or the first segments of
 * one.
 */
const FILTERS = ["type", "object", "actor", "organization", "when", "from", "to", "zone"] as const;
export type EventFilters = Partial<Record<(typeof FILTERS)[number], string>>;

/** An hour in milliseconds. */
const HOUR = 3_600_000;

/** The preset periods: the length in milliseconds until now. */
const PERIODS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;
export type Period = keyof typeof PERIODS;
export const periods = Object.keys(PERIODS) as Period[];

export function filtersOf(search: Readonly<Record<string, string | undefined>>): EventFilters {
  const given = FILTERS.map((name) => [name, search[name]?.trim()] as const);
  return withoutIdleZone(Object.fromEntries(given.filter(([, value]) => value)));
}

type EventQuery = Omit<NonNullable<BodyOf<"ListInstanceEvents">>, "query" | "aggregateTypes">;

/**
 * Returns the filters as the search expects them. Days take precedence over a preset.
 * @param now epoch milliseconds
 */
export function eventQuery(filters: EventFilters, now: number): EventQuery {
  const { type, object, actor, organization } = filters;
  const days = instantsOf(filters);
  const period = days.from || days.to ? undefined : periods.find((name) => name === filters.when);
  return {
    ...(type && { eventTypes: [...typesOf(type)] }),
    ...(object && { aggregateId: object }),
    ...(actor && { actorId: actor }),
    ...(organization && { organizationId: organization }),
    ...(period && { from: new Date(now - PERIODS[period]).toISOString() }),
    ...days,
  };
}
