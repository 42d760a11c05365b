// The audit trail as the management API returns it, and its filters.

export interface AuditEvent {
  position: string;
  type: string;
  aggregate: { type: string; id: string; name?: string; resourceOwner: string; resourceOwnerName?: string };
  creationDate: string;
  actor: { id: string; name?: string; kind: "human" | "machine" | "service" | "unknown" };
  requestId?: string;
  changes: readonly Change[];
}

export interface Change {
  field: string;
  from?: unknown;
  to?: unknown;
}

export interface EventList {
  nextPageToken?: string;
  result?: readonly AuditEvent[];
}

/** The filters as parameters of the page's address, as typed. */
const FILTERS = ["type", "object", "actor", "from", "to"] as const;
export type EventFilters = Partial<Record<(typeof FILTERS)[number], string>>;

export function filtersOf(search: Readonly<Record<string, string | undefined>>): EventFilters {
  const given = FILTERS.map((name) => [name, search[name]?.trim()] as const);
  return Object.fromEntries(given.filter(([, value]) => value));
}

/** The filters as the search expects them; days are whole days in UTC. */
export function eventQuery({ type, object, actor, from, to }: EventFilters) {
  return {
    ...(type && { eventTypes: [type] }),
    ...(object && { aggregateId: object }),
    ...(actor && { actorId: actor }),
    ...(isDay(from) && { from: `${from}T00:00:00.000Z` }),
    ...(isDay(to) && { to: `${to}T23:59:59.999Z` }),
  };
}

const isDay = (text: string | undefined): boolean => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);
