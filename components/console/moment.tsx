"use client";
// A time in the visitor's time zone, which their browser tells the service in a cookie (server/http/time-zone.ts), so that
// no list of times becomes narrower when the page's script begins. Until it is told, and as a tooltip, in UTC.
import { useFormatter } from "next-intl";
import { useReaderTimeZone } from "./time-zone";

/** @param at epoch milliseconds */
export function Moment({ at }: { at: number }) {
  const format = useFormatter();
  const zone = useReaderTimeZone();
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
  // Browsers write a date in ways of their own. What the service wrote stays: React would else make the whole page anew,
  // with other buttons in place of those that somebody is about to press.
  return (
    <time dateTime={new Date(at).toISOString()} title={shown("UTC")} suppressHydrationWarning>
      {shown(zone)}
    </time>
  );
}
