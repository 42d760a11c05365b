// Days that somebody chose to search for, as the instants of the management API. A day belongs to a time zone: that of
// the reader who chose it stands beside it in the address of the page, so that a link means the same to everybody.

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

/** Milliseconds. */
const DAY = 86_400_000;
/** The last instant that RFC 3339 can say. */
const END_OF_TIME = Date.parse("9999-12-31T23:59:59.999Z");
/** Characters; no name of a zone is longer. */
const MAX_ZONE_LENGTH = 64;

/** The days as the search expects them. */
export function instantsOf({ from, to, zone }: ChosenDays): Instants {
  const [first, last] = [dayOf(from), dayOf(to)];
  const of = zoneOf(zone);
  return {
    ...(first !== undefined && { from: new Date(beginningOf(first, of)).toISOString() }),
    ...(last !== undefined && { to: new Date(Math.min(beginningOf(last + DAY, of) - 1, END_OF_TIME)).toISOString() }),
  };
}

/** Filters without the zone where they have no days that it would be the zone of: forms always send it. */
export function withoutIdleZone<Filters extends ChosenDays>(filters: Filters): Filters {
  const { zone: _, ...others } = filters;
  return filters.from || filters.to ? filters : (others as Filters);
}

/** Whether it is a day, as the fields of a form give one. */
export const isDay = (text: string | undefined): boolean => dayOf(text) !== undefined;

/** The zone of that name; UTC for anything that is none. */
export function zoneOf(name: string | undefined): string {
  return name !== undefined && ownNameOf(name) !== undefined ? name : "UTC";
}

/** Whether two names mean one zone: some browsers say Asia/Calcutta, others Asia/Kolkata. */
export const isSameZone = (one: string, other: string): boolean => ownNameOf(one) === ownNameOf(other);

/** The name that this machine has for a zone. */
function ownNameOf(name: string): string | undefined {
  if (name.length > MAX_ZONE_LENGTH) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** A day by its midnight on a clock that shows UTC; epoch milliseconds. */
function dayOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const midnight = Date.parse(`${text}T00:00:00.000Z`);
  // The 31st of February is read as the third of March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text) ? midnight : undefined;
}

/**
 * The instant at which a day begins: its midnight, the first where clocks show it twice, or, where they skip it, the
 * instant at which they go forward (as in São Paulo until 2018). A day that a zone left out (Samoa, 2011-12-30) begins
 * where the next one does.
 * @param midnight of the day on a clock that shows UTC
 */
function beginningOf(midnight: number, zone: string): number {
  const aheadAt = clockOf(zone);
  const [before, after] = [aheadAt(midnight - DAY), aheadAt(midnight + DAY)];
  const shown = [midnight - before, midnight - after].filter((instant) => instant + aheadAt(instant) === midnight);
  if (shown.length > 0) return Math.min(...shown);
  // Clocks go forward between the two instants that the midnight would be by either of them.
  let [early, late] = [midnight - after, midnight - before];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (aheadAt(middle) === before) early = middle;
    else late = middle;
  }
  return late;
}

/** How far the zone's clocks are ahead of UTC at an instant; milliseconds. */
function clockOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day, hour, minute, second } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
  };
}
