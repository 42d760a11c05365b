"use client";
// Times in the visitor's time zone, which the browser sends in a cookie (server/http/time-zone.ts), so that lists do
// not change their width when the page's script starts. Until the cookie is set, they are in UTC.
import { useFormatter } from "next-intl";
import { useServerTexts } from "./server-texts";
import { useReaderTimeZone } from "./time-zone";

/** A time in full. The tooltip is in UTC. @param at epoch milliseconds */
export function Moment({ at }: { at: number }) {
  const fullTime = useFullTime();
  const zone = useReaderTimeZone();
  return <Time at={at} of={zone} title={() => fullTime(at, "UTC")} shown={() => fullTime(at, zone)} />;
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
  const shown = () => (Math.abs(now - at) < RECENT ? format.relativeTime(at, now) : format.dateTime(at, day));
  const minute = Math.floor(now / 60_000);
  return <Time at={at} of={`${timeZone} ${minute}`} title={() => fullTime(at, timeZone)} shown={shown} />;
}

function useFullTime(): (at: number, timeZone: string) => string {
  const format = useFormatter();
  return (at, timeZone) =>
    format.dateTime(at, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZone,
      timeZoneName: timeZone === "UTC" ? "short" : undefined,
    });
}

interface TimeProps {
  at: number;
  /** What the texts are made of beside the time. */
  of: string;
  title(): string;
  shown(): string;
}

function Time({ at, of, title, shown }: TimeProps) {
  const text = useServerTexts(`${at} ${of}`);
  return (
    <time dateTime={new Date(at).toISOString()} title={text(title)} suppressHydrationWarning>
      {text(shown)}
    </time>
  );
}
