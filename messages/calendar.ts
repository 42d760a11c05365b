// The days of a time zone as instants. They are as long as its clocks make them: 23 or 25 hours where they change, and in
// some years some zones had no midnight. A day is named by its midnight on a clock that shows UTC, in epoch milliseconds.

/** Milliseconds. */
export const DAY = 86_400_000;
/** Characters; no name of a zone is longer. */
const MAX_ZONE_LENGTH = 64;

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

export interface Calendar {
  /** The day that an instant lies in. */
  dayOf(instant: number): number;
  /**
   * The instant at which a day begins: its midnight, the first where clocks show it twice, or, where they skip it, the
   * instant at which they go forward (as in São Paulo until 2018). A day that a zone left out (Samoa, 2011-12-30)
   * begins where the next one does.
   */
  beginningOf(day: number): number;
}

/** @param zone IANA name of a zone that there is, see `zoneOf` */
export function calendarOf(zone: string): Calendar {
  const aheadAt = clockOf(zone);
  const dayOf = (instant: number) => Math.floor((instant + aheadAt(instant)) / DAY) * DAY;
  function beginningOf(day: number): number {
    const [before, after] = [aheadAt(day - DAY), aheadAt(day + DAY)];
    const shown = [day - before, day - after].filter((instant) => instant + aheadAt(instant) === day);
    if (shown.length > 0) return Math.min(...shown);
    // Clocks go forward between the two instants that the midnight would be by either of them.
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
