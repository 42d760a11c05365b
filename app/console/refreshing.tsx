"use client";
// Lets components read the page's data again, and go to other pages while the frame stays.
import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { takeSentChange } from "../../components/console/calls/call";
import { PageReading, type Reading } from "../../components/console/calls/refresh";
import { letReadingsLast } from "./lasting-reading";
import { useNavigation } from "./navigating";

if (typeof window !== "undefined") letReadingsLast();

/** The maximum time that a caller waits for the data, in milliseconds. */
const PATIENCE = 10_000;

export function Refreshing({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [isReading, startReading] = useTransition();
  /** True from the call on, before React reports the transition. */
  const wasAsked = useRef(false);
  const [waiting] = useState(() => new Set<(hasRead: boolean) => void>());
  useEffect(() => {
    if (isReading) return;
    wasAsked.current = false;
    for (const go of waiting) go(true);
  }, [isReading, waiting]);
  const refresh = useCallback(() => {
    takeSentChange(); // the refresh forgets what was read before it
    wasAsked.current = true;
    startReading(() => router.refresh());
  }, [router]);
  const isRefreshing = useCallback(() => wasAsked.current, []);
  const { goTo, isGoing } = useNavigation({ refresh, isRefreshing });
  const reading = useMemo<Reading>(
    () => ({
      refresh,
      goTo,
      hasRead: () =>
        !wasAsked.current
          ? Promise.resolve(true)
          : new Promise((resolve) => {
              const go = (hasRead: boolean) => {
                clearTimeout(timer);
                waiting.delete(go);
                resolve(hasRead);
              };
              const timer = setTimeout(go, PATIENCE, false);
              waiting.add(go);
            }),
    }),
    [refresh, goTo, waiting],
  );
  return (
    <PageReading value={reading}>
      {isGoing && <div className="going" />}
      {children}
    </PageReading>
  );
}
