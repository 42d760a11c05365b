// Formats a duration in words, such as "30 days".
import type { useFormatter } from "next-intl";
import { inUnits } from "./duration";

/**
 * Returns the duration in words.
 * @returns an empty string if the duration is invalid
 */
export function formatDuration(format: ReturnType<typeof useFormatter>, duration: string): string {
  const said = inUnits(duration);
  return said ? format.number(said.count, { style: "unit", unit: said.unit, unitDisplay: "long" }) : "";
}
