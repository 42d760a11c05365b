// Protects unsaved input: links of the page ask first, and so does the browser when the page is closed or reloaded.
import { useCallback, useEffect, useRef, useState } from "react";

export interface LeaveGuard {
  /** The address of the clicked link, until the question is answered. */
  wanted: string | undefined;
  stay(): void;
  leave(): void;
  /** Disables the guard, because the input was saved. */
  release(): void;
}

/**
 * Returns the guard.
 * @param hasUnsaved whether there is unsaved input
 */
export function useLeaveGuard(hasUnsaved: boolean): LeaveGuard {
  const [wanted, setWanted] = useState<string>();
  const isLeaving = useRef(false);

  useEffect(() => {
    if (!hasUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      const link = (event.target as Element | null)?.closest?.("a[href]");
      if (isLeaving.current || !isPlain || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return;
      const isElsewhere = link.target === "" && !link.hasAttribute("download") && !isOnPage(link);
      if (!isElsewhere) return;
      event.preventDefault();
      setWanted(link.href);
    };
    addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick);
    return () => {
      removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick);
    };
  }, [hasUnsaved]);

  const stay = useCallback(() => setWanted(undefined), []);
  const leave = useCallback(() => {
    if (wanted === undefined) return;
    isLeaving.current = true;
    location.assign(wanted);
  }, [wanted]);
  const release = useCallback(() => {
    isLeaving.current = true;
  }, []);
  return { wanted, stay, leave, release };
}

const isOnPage = ({ href }: HTMLAnchorElement): boolean => href.split("#", 1)[0] === location.href.split("#", 1)[0];
