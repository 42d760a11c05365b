"use client";
// The visitor's time zone, which only the browser knows. It tells the service in a cookie (server/http/time-zone.ts), so that
// the pages after this one are written and counted in it, and nothing on them changes when their scripts begin.
import { useTimeZone } from "next-intl";
import { useEffect, useSyncExternalStore } from "react";

const never = () => () => {};
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA name. Until the page's script runs what was told before, UTC where nothing was. */
export function useReaderTimeZone(): string {
  const told = useTimeZone() ?? "UTC";
  return useSyncExternalStore(never, zoneHere, () => told);
}

/** Tells the service the zone: somebody may have come without one of its sign-in pages, or travelled. */
export function TellTimeZone() {
  const told = useTimeZone();
  useEffect(() => {
    const zone = zoneHere();
    if (zone === told) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is younger than the browsers people have
    document.cookie = `tz=${zone}; path=/; max-age=31536000; samesite=lax`;
  }, [told]);
  return null;
}
