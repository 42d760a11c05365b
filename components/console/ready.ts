"use client";
// Whether the scripts of the page run. A control that needs them is off until then: a press would be lost, and a form
// that is sent by the browser itself would put what is typed into the address.
import { useSyncExternalStore } from "react";

const never = () => () => {};

export interface WaitingProps {
  disabled: boolean;
  /** For the stylesheet: it will be ready in a moment, so it does not look as if it could not be pressed. */
  "data-waiting"?: "";
}

/** What a button says of itself until the page is ready. */
export function useWaiting(): WaitingProps {
  const isReady = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return isReady ? { disabled: false } : { disabled: true, "data-waiting": "" };
}
