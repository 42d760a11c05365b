// A duration in words: "30 days".
import type { useFormatter } from "next-intl";
import { inUnits } from "./duration";

/** @returns empty if there is none */
export function durationInWords(format: ReturnType<typeof useFormatter>, duration: string): string {
  const said = inUnits(duration);
  return said ? format.number(said.count, { style: "unit", unit: said.unit, unitDisplay: "long" }) : "";
}
