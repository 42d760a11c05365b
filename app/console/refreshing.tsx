"use client";
// Lets components read the page's data again.
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { PageReading, type Reading } from "../../components/console/calls/refresh";
import { letReadingsLast } from "./lasting-reading";

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
  const reading = useMemo<Reading>(
    () => ({
      refresh() {
        wasAsked.current = true;
        startReading(() => router.refresh());
      },
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
    [router, waiting],
  );
  return <PageReading value={reading}>{children}</PageReading>;
}
