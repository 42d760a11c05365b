// Follows a value with a delay, so that a request is sent per pause and not per key.
import { useEffect, useState } from "react";

/** Returns the value once it has stayed the same for the delay, in milliseconds. */
export function useSettled<Value extends string | undefined>(value: Value, delay: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
