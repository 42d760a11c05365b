// Runs one request after another, so that none is lost and a double click does not send a request twice.
import { useEffect, useRef, useState } from "react";

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

export interface InTurn<Wish> extends Alone {
  /** Runs the request at once, or after the running ones. */
  wish(wish: Wish): Promise<void>;
}

/**
 * Returns a queue of requests.
 * @param fulfil runs a queued request with the state current at that moment; does nothing if nothing is left to send
 * @param isSame whether a later request replaces an earlier one that is still waiting
 */
export function useInTurn<Wish>(
  fulfil: (wish: Wish) => Promise<void>,
  isSame: (one: Wish, other: Wish) => boolean,
): InTurn<Wish> {
  const { isBusy, alone } = useAlone();
  const [waiting, setWaiting] = useState<readonly Wish[]>([]);

  useEffect(() => {
    const [next] = waiting;
    if (next === undefined || isBusy) return;
    void alone(async () => {
      setWaiting((now) => now.filter((one) => one !== next));
      await fulfil(next);
    });
  });

  return {
    isBusy,
    alone,
    async wish(wish) {
      let isDone = false;
      await alone(async () => {
        isDone = true;
        await fulfil(wish);
      });
      if (!isDone) setWaiting((now) => [...now.filter((one) => !isSame(one, wish)), wish]);
    },
  };
}
