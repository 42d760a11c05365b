// One request after another, so that none is lost, and none is sent twice by a button that is pressed twice.
import { useEffect, useRef, useState } from "react";

export interface Alone {
  isBusy: boolean;
  /** Nothing is done while something else is. */
  alone(send: () => Promise<void>): Promise<void>;
}

export function useAlone(): Alone {
  const [isBusy, setBusy] = useState(false);
  // Two presses can come before the page is shown anew.
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
  /** At once, or after what is being sent. */
  wish(wish: Wish): Promise<void>;
}

/**
 * @param fulfil sends what is wished for, by what the page knows at that time; nothing where there is nothing left to send
 * @param isSame whether a later wish stands for an earlier one that still waits
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
