"use client";
// Lets the parts of a page read its data anew.
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { PageReading, type Reading } from "../../components/console/refresh";
import { letReadingsLast } from "./lasting-reading";

if (typeof window !== "undefined") letReadingsLast();

/** How long somebody waits for it, in milliseconds. */
const PATIENCE = 10_000;

export function Refreshing({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [isReading, startReading] = useTransition();
  /** From the call on, which is before React says so. */
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
