// Durations as people say them: a number and a unit. Protocol buffers' JSON has `3600s`, settings of apps also `1h`.

/** Seconds each, the largest first. */
export const UNITS = { year: 31_536_000, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type DurationUnit = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as DurationUnit[];

const LETTERS: Readonly<Record<string, number>> = { s: 1, m: UNITS.minute, h: UNITS.hour, d: UNITS.day };

/** @returns NaN if there is none */
export function secondsOf(duration: string): number {
  const [, count, letter = ""] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  return Number(count) * (LETTERS[letter] ?? Number.NaN);
}

/** In the largest unit that leaves a whole number. */
export function inUnits(duration: string): { count: number; unit: DurationUnit } | undefined {
  const seconds = secondsOf(duration);
  if (Number.isNaN(seconds)) return undefined;
  const unit = NAMES.find((name) => seconds >= UNITS[name] && seconds % UNITS[name] === 0) ?? "minute";
  return { count: seconds / UNITS[unit], unit };
}

/** @param typed a number, as typed @returns empty if it is none */
export function durationOf(typed: string, unit: DurationUnit): string {
  const count = typed.trim() === "" ? Number.NaN : Number(typed);
  return Number.isFinite(count) && count >= 0 ? `${Math.round(count * UNITS[unit])}s` : "";
}

/** A limit in seconds as a number of the unit, which the number typed may reach. */
export function limitIn(unit: DurationUnit, seconds: number, towards: "up" | "down"): number {
  const exact = (seconds / UNITS[unit]) * 1000;
  return (towards === "up" ? Math.ceil(exact) : Math.floor(exact)) / 1000;
}

/** The units to choose from; seconds only where they are needed. */
export const offeredUnits = (chosen: DurationUnit): readonly DurationUnit[] =>
  NAMES.filter((name) => name !== "second" || chosen === "second").toReversed();

/** The name of a unit with a number: "days". Empty where the language needs no name beside this number. */
export function unitName(locale: string, unit: DurationUnit, count: number): string {
  const parts = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).formatToParts(count);
  const named = parts.flatMap(({ type, value }) => (type === "unit" ? [value] : []));
  return named.join(" ");
}
