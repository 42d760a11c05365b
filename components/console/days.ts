// Days that somebody chose to search for, as the instants of the management API. A day belongs to a time zone: that of
// the reader who chose it stands beside it in the address of the page, so that a link means the same to everybody.
import { calendarOf, DAY, zoneOf } from "../../messages/calendar";

export interface ChosenDays {
  /** ISO 8601, for instance 2026-11-21; what is no day does not filter. */
  from?: string;
  /** The last day, which is searched to its end. */
  to?: string;
  /** IANA name; without one the days are those of UTC, as in links from before there were zones. */
  zone?: string;
}

/** The instants between which the days lie, both included, as RFC 3339 has them. */
export interface Instants {
  from?: string;
  to?: string;
}

/** The last instant that RFC 3339 can say. */
const END_OF_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** The days as the search expects them, which takes instants from 1970 on. */
export function instantsOf({ from, to, zone }: ChosenDays): Instants {
  const [first, last] = [dayOf(from), dayOf(to)];
  const { beginningOf } = calendarOf(zoneOf(zone));
  const said = (instant: number) => new Date(Math.min(Math.max(0, instant), END_OF_TIME)).toISOString();
  return {
    ...(first !== undefined && { from: said(beginningOf(first)) }),
    ...(last !== undefined && { to: said(beginningOf(last + DAY) - 1) }),
  };
}

/** Filters without the zone where they have no days that it would be the zone of: forms always send it. */
export function withoutIdleZone<Filters extends ChosenDays>(filters: Filters): Filters {
  const { zone: _, ...others } = filters;
  return filters.from || filters.to ? filters : (others as Filters);
}

/** Whether it is a day, as the fields of a form give one. */
export const isDay = (text: string | undefined): boolean => dayOf(text) !== undefined;

/** A day by its midnight on a clock that shows UTC; epoch milliseconds. */
function dayOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const midnight = Date.parse(`${text}T00:00:00.000Z`);
  // The 31st of February is read as the third of March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text) ? midnight : undefined;
}
