/**
 * Work that is done a few at a time, in the order in which it came. What waits costs a few bytes and no turn of the
 * event loop, so that a storm of it leaves everything else its time.
 */

export interface WorkQueue {
  /** Rejects with what `refuse` makes once too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait at this moment. */
  length(): number;
}

export interface WorkQueueOptions {
  /** Asked each time: what holds for a process may be known later than the queue. */
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
      // Whoever ends hands its place on: nobody who comes in between takes it first.
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
