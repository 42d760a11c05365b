// The days of a time zone as instants. A day has 23 or 25 hours when the clocks change, and some zones had days without
// midnight. A day is represented by midnight UTC of its date, in epoch milliseconds.

/** A day in milliseconds. */
export const DAY = 86_400_000;
/** The maximum length of a zone's name, in characters. */
const MAX_ZONE_LENGTH = 64;

/** Returns the zone of that name; UTC for an invalid name. */
export function zoneOf(name: string | undefined): string {
  return name !== undefined && ownNameOf(name) !== undefined ? name : "UTC";
}

/** Whether two names mean one zone: some browsers use Asia/Calcutta, others Asia/Kolkata. */
export const isSameZone = (one: string, other: string): boolean => ownNameOf(one) === ownNameOf(other);

/** Returns the name that this machine uses for a zone. */
function ownNameOf(name: string): string | undefined {
  if (name.length > MAX_ZONE_LENGTH) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export interface Calendar {
  /** Returns the day of an instant. */
  dayOf(instant: number): number;
  /**
   * Returns the instant at which a day begins: its midnight, the first if the clocks show it twice, or, if they skip
   * it, the instant at which they go forward (as in São Paulo until 2018). A day that a zone skipped (Samoa,
   * 2011-12-30) begins with the next one.
   */
  beginningOf(day: number): number;
}

/**
 * Returns the calendar of a zone.
 * @param zone the IANA name of an existing zone, see `zoneOf`
 */
export function calendarOf(zone: string): Calendar {
  const aheadAt = clockOf(zone);
  const dayOf = (instant: number) => Math.floor((instant + aheadAt(instant)) / DAY) * DAY;
  function beginningOf(day: number): number {
    const [before, after] = [aheadAt(day - DAY), aheadAt(day + DAY)];
    const shown = [day - before, day - after].filter((instant) => instant + aheadAt(instant) === day);
    if (shown.length > 0) return Math.min(...shown);
    // The clocks go forward between the two instants that midnight would have by either offset.
    let [early, late] = [day - after, day - before];
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      if (aheadAt(middle) === before) early = middle;
      else late = middle;
    }
    return late;
  }
  return { dayOf, beginningOf };
}

/** Returns the offset of the zone from UTC at an instant, in milliseconds. */
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
