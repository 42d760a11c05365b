// Converts the days of a search into the instants of the management API. A day belongs to a time zone: the zone of the
// reader who chose it is in the address of the page, so that a link means the same for everyone.
import { calendarOf, DAY, zoneOf } from "../../../messages/calendar";

export interface ChosenDays {
  /** An ISO 8601 date such as 2026-11-21; other values do not filter. */
  from?: string;
  /** The last day, included in full. */
  to?: string;
  /** The IANA name of the zone; without it, days are UTC, as in links from before zones existed. */
  zone?: string;
}

/** The first and last instant of the days, both included, in RFC 3339 format. */
export interface Instants {
  from?: string;
  to?: string;
}

/** The last instant that RFC 3339 can represent. */
const END_OF_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns the instants of the days, limited to the range of the search, which starts in 1970. */
export function instantsOf({ from, to, zone }: ChosenDays): Instants {
  const [first, last] = [dayOf(from), dayOf(to)];
  const { beginningOf } = calendarOf(zoneOf(zone));
  const said = (instant: number) => new Date(Math.min(Math.max(0, instant), END_OF_TIME)).toISOString();
  return {
    ...(first !== undefined && { from: said(beginningOf(first)) }),
    ...(last !== undefined && { to: said(beginningOf(last + DAY) - 1) }),
  };
}

/** Drops the time zone if no date filter is set, because forms always send it. */
export function withoutIdleZone<Filters extends ChosenDays>(filters: Filters): Filters {
  const { zone: _, ...others } = filters;
  return filters.from || filters.to ? filters : (others as Filters);
}

/** Whether the text is a date in the format of a date field. */
export const isDay = (text: string | undefined): boolean => dayOf(text) !== undefined;

/** Returns midnight UTC of a day, in epoch milliseconds. */
function dayOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const midnight = Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse reads 31 February as 3 March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text) ? midnight : undefined;
}
