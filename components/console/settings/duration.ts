// Durations as a number and a unit. The JSON of Protocol Buffers uses `3600s`, settings of apps also `1h`.

/** The units in seconds, the largest first. */
export const UNITS = { year: 31_536_000, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type DurationUnit = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as DurationUnit[];

const LETTERS: Readonly<Record<string, number>> = { s: 1, m: UNITS.minute, h: UNITS.hour, d: UNITS.day };

/**
 * Parses a duration into seconds.
 * @returns NaN if it is invalid
 */
export function secondsOf(duration: string): number {
  const [, count, letter = ""] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  return Number(count) * (LETTERS[letter] ?? Number.NaN);
}

/** Returns the duration in the largest unit that gives a whole number. */
export function inUnits(duration: string): { count: number; unit: DurationUnit } | undefined {
  const seconds = secondsOf(duration);
  if (Number.isNaN(seconds)) return undefined;
  const unit = NAMES.find((name) => seconds >= UNITS[name] && seconds % UNITS[name] === 0) ?? "minute";
  return { count: seconds / UNITS[unit], unit };
}

/**
 * Returns the duration of a typed number.
 * @param typed the typed number
 * @returns an empty string if it is invalid
 */
export function durationOf(typed: string, unit: DurationUnit): string {
  const count = typed.trim() === "" ? Number.NaN : Number(typed);
  return Number.isFinite(count) && count >= 0 ? `${Math.round(count * UNITS[unit])}s` : "";
}

/** Converts a limit in seconds to a unit, rounded so that typed numbers may reach it. */
export function limitIn(unit: DurationUnit, seconds: number, towards: "up" | "down"): number {
  const exact = (seconds / UNITS[unit]) * 1000;
  return (towards === "up" ? Math.ceil(exact) : Math.floor(exact)) / 1000;
}

/** Returns the units to choose from; seconds only if they are in use. */
export const offeredUnits = (chosen: DurationUnit): readonly DurationUnit[] =>
  NAMES.filter((name) => name !== "second" || chosen === "second").toReversed();

/** Returns the name of a unit for a number, such as "days". Empty if the language needs no name with this number. */
export function unitName(locale: string, unit: DurationUnit, count: number): string {
  const parts = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).formatToParts(count);
  const named = parts.flatMap(({ type, value }) => (type === "unit" ? [value] : []));
  return named.join(" ");
}
