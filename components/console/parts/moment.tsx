"use client";
// A time in the visitor's time zone, which the browser sends in a cookie (server/http/time-zone.ts), so that lists do
// not change their width when the page's script starts. Until the cookie is set, and in the tooltip, it is UTC.
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
  // Browsers format dates differently. The server's text is kept on a mismatch: otherwise React would render the whole
  // page again and replace buttons that the user is about to press.
  return (
    <time dateTime={new Date(at).toISOString()} title={shown("UTC")} suppressHydrationWarning>
      {shown(zone)}
    </time>
  );
}
