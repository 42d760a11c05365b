// Protects unsaved input: navigation inside the console asks first, and so does the browser when the page is closed or
// reloaded.
import { useCallback, useEffect, useRef, useState } from "react";
import { type Departure, guardLeaving } from "../calls/leaving";

export interface LeaveGuard {
  /** Whether the user is asked, because a navigation waits for the answer. */
  isAsked: boolean;
  stay(): void;
  leave(): void;
  /** Disables the guard, because the input was saved. */
  release(): void;
}

/**
 * Returns the guard.
 * @param hasUnsaved whether there is unsaved input
 * @param keepsAt whether the input is kept at another address, because the same editor shows it; must be stable
 */
export function useLeaveGuard(hasUnsaved: boolean, keepsAt?: (path: string) => boolean): LeaveGuard {
  const [waiting, setWaiting] = useState<Departure>();
  const isLeaving = useRef(false);

  useEffect(() => {
    if (!hasUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    const removeGuard = guardLeaving((departure) => {
      if (isLeaving.current || keepsAt?.(new URL(departure.address).pathname)) return false;
      setWaiting(departure);
      return true;
    });
    return () => {
      removeEventListener("beforeunload", onUnload);
      removeGuard();
    };
  }, [hasUnsaved, keepsAt]);

  const stay = useCallback(() => setWaiting(undefined), []);
  const leave = useCallback(() => {
    isLeaving.current = true;
    setWaiting(undefined);
    waiting?.go();
  }, [waiting]);
  const release = useCallback(() => {
    isLeaving.current = true;
  }, []);
  return { isAsked: waiting !== undefined, stay, leave, release };
}
