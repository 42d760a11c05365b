"use client";
// Navigation inside the console. Links and searches are plain elements, so that they work without scripts; here the
// browser's own navigation is replaced by one of Next.js, which reads the new page only and keeps the frame.
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useTransition } from "react";
import { takeSentChange } from "../../components/console/calls/call";
import { loadDocument, mayLeave } from "../../components/console/calls/leaving";
import { controlToReturn, focusPage } from "./arriving";
import { markWanted } from "./lasting-reading";
import { addressOfSearch, isInDocument, isPage, isSamePage, linkOf } from "./page-links";
import { usePrefetch } from "./prefetching";

/** A history entry of the console. */
interface Entry {
  url: URL;
  /** With the state of Next.js, which it needs when the entry is restored. */
  state: unknown;
  /** The place in the history, where the browser tells it. */
  index: number | undefined;
}

/** The part of the Navigation API that is used; undefined in browsers without it. */
const places = () => (window as { navigation?: { currentEntry?: { index: number } | null } }).navigation;

const currentEntry = (): Entry => ({
  url: new URL(location.href),
  state: history.state,
  index: places()?.currentEntry?.index,
});

/**
 * How long a navigation waits for a refresh that was requested before it, in milliseconds. Next.js shows the new page
 * only after the frame was refreshed; the document is loaded if the refresh seems lost, but costs a busy server more.
 */
const REFRESH_PATIENCE = 8_000;

export interface Refresh {
  /** Reads the current page again. */
  refresh(): void;
  isRefreshing(): boolean;
}

/** Returns the function that goes to a page, and whether a page is awaited. */
export function useNavigation({ refresh, isRefreshing }: Refresh): { goTo(address: string): void; isGoing: boolean } {
  const router = useRouter();
  const [isGoing, startGoing] = useTransition();
  /** The control that had the focus when the page was left; false while no other page is awaited. */
  const left = useRef<ReturnType<typeof controlToReturn> | false>(false);

  const loading = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopPrefetch = usePrefetch();
  const goTo = useCallback(
    (address: string, isStaying = false) => {
      const url = new URL(address, location.href);
      if (!mayLeave({ address: url.href, go: () => goTo(address, isStaying) })) return;
      if (!isInDocument(url)) return loadDocument(url);
      if (isSamePage(url)) return refresh();
      stopPrefetch();
      markWanted(url);
      left.current = controlToReturn(url);
      const isOutdated = takeSentChange();
      clearTimeout(loading.current);
      if (isOutdated || isRefreshing()) loading.current = setTimeout(() => loadDocument(url), REFRESH_PATIENCE);
      if (isOutdated) router.refresh(); // forgets what was read before the change
      startGoing(() => router.push(url.href, { scroll: !isStaying }));
    },
    [router, refresh, isRefreshing, stopPrefetch],
  );

  useLinks(goTo);
  useHistory(() => {
    left.current = controlToReturn(new URL(location.href));
  });

  const address = `${usePathname()}?${useSearchParams()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is shown
  useEffect(() => {
    clearTimeout(loading.current);
    if (left.current === false) return;
    focusPage(left.current);
    left.current = false;
    if (takeSentChange()) refresh(); // the browser went back to what was read before the change
  }, [address]);

  return { goTo, isGoing };
}

/** Follows links and sends searches, unless a component has done so. */
function useLinks(goTo: (address: string, isStaying?: boolean) => void) {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link || event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const url = new URL(link.href);
      if (url.hash !== "" && isSamePage(url)) return;
      if (isPage(url)) {
        event.preventDefault();
        goTo(url.href, link.dataset.stay !== undefined); // the details of a row do not scroll its list
      } else if (!mayLeave({ address: url.href, go: () => loadDocument(url) })) event.preventDefault();
    };
    const onSubmit = (event: SubmitEvent) => {
      const url = event.defaultPrevented ? undefined : addressOfSearch(event);
      if (!url) return;
      event.preventDefault();
      goTo(url.href);
    };
    document.addEventListener("click", onClick);
    document.addEventListener("submit", onSubmit);
    return () => {
      document.removeEventListener("click", onClick);
      document.removeEventListener("submit", onSubmit);
    };
  }, [goTo]);
}

/** Handles the browser's back and forward before Next.js does: unsaved input is asked about. */
function useHistory(onTraverse: () => void) {
  const entry = useRef<Entry>(undefined);
  const handler = useRef(onTraverse);
  const address = `${usePathname()}?${useSearchParams()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another entry is shown
  useEffect(() => {
    entry.current = currentEntry();
  }, [address]);
  useEffect(() => {
    let isReturning = false;
    const onPopState = (event: PopStateEvent) => {
      const from = entry.current;
      if (isReturning) {
        isReturning = false;
        event.stopImmediatePropagation();
        return;
      }
      if (!from || isSamePage(from.url)) return;
      const to = currentEntry();
      const steps = to.index === undefined || from.index === undefined ? undefined : to.index - from.index;
      const go = () => (steps === undefined ? history.back() : history.go(steps));
      if (mayLeave({ address: to.url.href, go })) return handler.current();
      event.stopImmediatePropagation();
      if (steps === undefined) history.pushState(from.state, "", from.url);
      else {
        isReturning = true;
        history.go(-steps);
      }
    };
    addEventListener("popstate", onPopState, true);
    return () => removeEventListener("popstate", onPopState, true);
  }, []);
}
