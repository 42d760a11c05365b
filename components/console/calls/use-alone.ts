// Runs one request at a time, so that a double click does not send a request twice.
import { useRef, useState } from "react";

export interface Alone {
  isBusy: boolean;
  /** Runs the request; does nothing if another one is running. */
  alone(send: () => Promise<void>): Promise<void>;
}

export function useAlone(): Alone {
  const [isBusy, setBusy] = useState(false);
  // Two clicks can occur before the page is rendered again.
  const isSending = useRef(false);
  return {
    isBusy,
    async alone(send) {
      if (isSending.current) return;
      isSending.current = true;
      setBusy(true);
      try {
        await send();
      } finally {
        isSending.current = false;
        setBusy(false);
      }
    },
  };
}
