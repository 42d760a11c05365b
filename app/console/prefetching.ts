// Reads a page ahead when a link is about to be followed: the pointer rests on it, it has the focus, or it is touched.
// Next.js keeps what was read for 30 seconds (next.config.mjs). The server answers only if that leaves no trace
// (server/console/gate.ts).
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef } from "react";
import { markAhead } from "./lasting-reading";
import { isInDocument, isSamePage, linkOf } from "./page-links";

/** How long a pointer rests on a link on the way to it, in milliseconds. */
const PASSING = 80;

/** Reads the data of the page, too. Next.js exports no name for it. */
const WHOLE = { kind: "full" } as Parameters<ReturnType<typeof useRouter>["prefetch"]>[1];

/** Returns the function that stops a prefetch which has not begun, because the link is followed now. */
export function usePrefetch(): () => void {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => {
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
    const begin = (event: Event) => {
      stop();
      const link = linkOf(event);
      const url = link && new URL(link.href);
      if (!url || !isInDocument(url) || isSamePage(url)) return;
      const read = () => {
        markAhead(url);
        router.prefetch(url.href, WHOLE);
      };
      timer.current = setTimeout(read, event.type === "touchstart" ? 0 : PASSING);
    };
    const intents = ["pointerover", "focusin", "touchstart"] as const;
    for (const intent of intents) document.addEventListener(intent, begin, { passive: true });
    document.addEventListener("pointerout", stop);
    return () => {
      stop();
      for (const intent of intents) document.removeEventListener(intent, begin);
      document.removeEventListener("pointerout", stop);
    };
  }, [router, stop]);
  return stop;
}
