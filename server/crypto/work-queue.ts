/**
 * A queue of work that is done a few at a time, in the order in which it came. What waits costs a few bytes of memory
 * and no time, however much there is.
 */

export interface WorkQueue {
  /** Rejects with the error that `refuse` makes if too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
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

export function createWorkQueue({ atOnce, longest, refuse }: WorkQueueOptions): WorkQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      // Finished work passes its place to the next that waits, so that no newcomer takes it first.
      if (running < atOnce()) running++;
      else if (waiting.length >= longest()) throw refuse();
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
    length: () => waiting.length,
  };
}
