// Whether the window is too narrow for panes side by side; the same limit is in styles/texts.css.
import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 69.9375rem)"; // below 1120 px

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => false,
  );
}
