// Distinguishes the response to the latest request from those to earlier ones, which may arrive later.
import { useCallback, useRef } from "react";

/**
 * Returns a function that starts a turn.
 * @returns a function that starts a turn and returns a function that tells whether it is still the latest
 */
export function useTurn(): () => () => boolean {
  const last = useRef(0);
  return useCallback(() => {
    const own = ++last.current;
    return () => own === last.current;
  }, []);
}
