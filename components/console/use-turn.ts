// Tells the answer to the last question from those to earlier ones, which may come later.
import { useCallback, useRef } from "react";

/** @returns begins a turn, and gives whether it is still the last one */
export function useTurn(): () => () => boolean {
  const last = useRef(0);
  return useCallback(() => {
    const own = ++last.current;
    return () => own === last.current;
  }, []);
}
