"use client";
// Times in the visitor's time zone, which the browser sends in a cookie (server/http/time-zone.ts), so that lists do
// not change their width when the page's script starts. Until the cookie is set, they are in UTC.
import { useFormatter } from "next-intl";
import { useReaderTimeZone } from "./time-zone";

/** A time in full. The tooltip is in UTC. @param at epoch milliseconds */
export function Moment({ at }: { at: number }) {
  const fullTime = useFullTime();
  const zone = useReaderTimeZone();
  return <Time at={at} title={fullTime(at, "UTC")} shown={fullTime(at, zone)} />;
}

/** The age in milliseconds up to which a time is relative. */
const RECENT = 7 * 24 * 60 * 60_000;

/**
 * A time in a list: relative if it is near, else the day. The tooltip is the time in full.
 * @param at epoch milliseconds
 */
export function Ago({ at }: { at: number }) {
  const format = useFormatter();
  const fullTime = useFullTime();
  const timeZone = useReaderTimeZone();
  const now = Date.now();
  const day = { year: "numeric", month: "short", day: "numeric", timeZone } as const;
  const shown = Math.abs(now - at) < RECENT ? format.relativeTime(at, now) : format.dateTime(at, day);
  return <Time at={at} title={fullTime(at, timeZone)} shown={shown} />;
}

function useFullTime(): (at: number, timeZone: string) => string {
  const format = useFormatter();
  return (at, timeZone) =>
    format.dateTime(at, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
      timeZoneName: timeZone === "UTC" ? "short" : undefined,
    });
}

// Browsers format dates differently, and a moment has passed. The server's text is kept on a mismatch: otherwise React
// would render the whole page again and replace buttons that the user is about to press.
function Time({ at, title, shown }: { at: number; title: string; shown: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={title} suppressHydrationWarning>
      {shown}
    </time>
  );
}
