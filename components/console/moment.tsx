"use client";
// A time in the visitor's time zone, which only the browser knows; before its script runs, and as a tooltip, in UTC.
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
