"use client";
// An instant in the person's own zone, which only the browser knows; until its script runs, and on hover, in UTC.
import { useFormatter } from "next-intl";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** @param at epoch milliseconds */
export function Moment({ at }: { at: number }) {
  const format = useFormatter();
  const zone = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
  const shown = (timeZone: string) =>
    format.dateTime(at, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
      timeZoneName: timeZone === "UTC" ? "short" : undefined,
    });
  return (
    <time dateTime={new Date(at).toISOString()} title={shown("UTC")}>
      {shown(zone)}
    </time>
  );
}
