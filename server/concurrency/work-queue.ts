/**
 * A queue of work that is done a few at a time, in the order in which it came. What waits costs a few bytes of memory
 * and no time, however much there is, and leaves the queue when nobody awaits its result any more (attack: requests
 * that are abandoned as soon as they are sent, and still computed).
 */

/** The place of work that is being done. */
export interface Turn {
  /** Gives the place to the next before the work is over, because the rest of it is done elsewhere. */
  leave(): void;
  /** Aborts when nobody awaits the result any more. */
  signal?: AbortSignal;
}

export interface WorkQueue {
  /**
   * Rejects with the error that `refuse` makes if too many wait already, and with `Abandoned` if the signal aborts before
   * the work has begun. Work that has begun is finished, so whatever it counts is counted.
   */
  run<T>(work: (turn: Turn) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many wait now. */
  length(): number;
}

export interface WorkQueueOptions {
  /** A function, as the number may change after the queue was made. */
  atOnce: () => number;
  /** How many may wait. */
  longest: () => number;
  refuse: () => Error;
}

/** Whoever asked for the work was gone before it began. */
export class Abandoned extends Error {
  constructor() {
    super("nobody awaits the result any more");
  }
}

export function createWorkQueue({ atOnce, longest, refuse }: WorkQueueOptions): WorkQueue {
  let running = 0;
  const waiting = new Set<() => void>(); // in the order in which they came
  const itsTurn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const abandon = () => {
        waiting.delete(begin);
        reject(new Abandoned());
      };
      const begin = () => {
        signal?.removeEventListener("abort", abandon);
        resolve();
      };
      waiting.add(begin);
      signal?.addEventListener("abort", abandon, { once: true });
    });
  // Finished work passes its place to the next that waits, so that no newcomer takes it first.
  const passOn = () => {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    async run(work, signal) {
      if (signal?.aborted) throw new Abandoned();
      if (running < atOnce()) running++;
      else if (waiting.size >= longest()) throw refuse();
      else await itsTurn(signal);
      let hasPlace = true;
      const leave = () => {
        if (hasPlace) passOn();
        hasPlace = false;
      };
      try {
        return await work({ leave, signal });
      } finally {
        leave();
      }
    },
    length: () => waiting.size,
  };
}
