"use client";
// The visitor's time zone, which only the browser knows. The browser sends it in a cookie (server/http/time-zone.ts),
// so that later pages are rendered in it and do not change when their scripts start.
import { useTimeZone } from "next-intl";
import { useEffect, useSyncExternalStore } from "react";
import { scriptCookie, TIME_ZONE_COOKIE } from "../../../shared/cookies";

declare global {
  /** Not in the declarations for ES2023. */
  var Temporal: { Now: { timeZoneId(): string } } | undefined;
}

const never = () => () => {};
/** Temporal, where browsers have it, knows the zone without the rules of dates, which take 5 ms to load. */
const zoneHere = () => globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the IANA name of the zone. Until the page's script runs, it is the zone of the cookie, or UTC. */
export function useReaderTimeZone(): string {
  const told = useTimeZone() ?? "UTC";
  return useSyncExternalStore(never, zoneHere, () => told);
}

/** Stores the zone in the cookie: the visitor may have come without a sign-in page, or may have travelled. */
export function TellTimeZone() {
  const told = useTimeZone();
  useEffect(() => {
    const zone = zoneHere();
    if (zone === told) return;
    // biome-ignore lint/suspicious/noDocumentCookie: supported browsers may lack the Cookie Store API
    document.cookie = scriptCookie(TIME_ZONE_COOKIE, zone);
  }, [told]);
  return null;
}
