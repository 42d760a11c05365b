/**
 * A queue that runs a few pieces of work at a time, in order of arrival. Where work has owners, they take turns
 * (attack: hundreds of requests queued ahead of all others). Queued work costs a few bytes of memory and no time, and
 * leaves the queue when its result is no longer awaited (attack: requests that are abandoned as soon as they are sent,
 * and still computed).
 */

/** The place in the queue that running work occupies. */
export interface Turn {
  /** Releases the place before the work is over, because the rest of it runs elsewhere. */
  leave(): void;
  /** Aborts when the result is no longer awaited. */
  signal?: AbortSignal;
}

export interface WorkQueue {
  /**
   * Runs the work when its turn comes. If too many are queued, the latest work of the owner with the longest queue
   * rejects with the error from `refuse`. Rejects with `Abandoned` if the signal aborts before the work has begun. Work
   * that has begun is finished, so that whatever it counts is counted.
   * @param whose the owner of the work; owners take turns
   */
  run<T>(work: (turn: Turn) => Promise<T>, signal?: AbortSignal, whose?: string): Promise<T>;
  /** Returns how many are queued. */
  length(): number;
}

export interface WorkQueueOptions {
  /** How many run at once. It is a function because the number may change after the queue was made. */
  atOnce: () => number;
  /** How many may be queued. */
  longest: () => number;
  refuse: () => Error;
}

/** Thrown when the caller has left before the work began. */
export class Abandoned extends Error {
  constructor() {
    super("nobody awaits the result any more");
  }
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

export function createWorkQueue({ atOnce, longest, refuse }: WorkQueueOptions): WorkQueue {
  let running = 0;
  let length = 0;
  /** The queues by owner, each in order of arrival. The owner whose turn is next comes first. */
  const waiting = new Map<string, Set<Waiting>>();
  const leaveLine = (whose: string, one: Waiting) => {
    const line = waiting.get(whose);
    if (!line?.delete(one)) return;
    length--;
    if (line.size === 0) waiting.delete(whose);
  };
  const itsTurn = (signal: AbortSignal | undefined, whose: string) =>
    new Promise<void>((resolve, reject) => {
      const give = (up: Error) => {
        signal?.removeEventListener("abort", abandon);
        leaveLine(whose, one);
        reject(up);
      };
      const abandon = () => give(new Abandoned());
      const one: Waiting = {
        begin() {
          signal?.removeEventListener("abort", abandon);
          leaveLine(whose, one);
          resolve();
        },
        refuse: () => give(refuse()),
      };
      const line = waiting.get(whose) ?? new Set();
      waiting.set(whose, line.add(one));
      length++;
      signal?.addEventListener("abort", abandon, { once: true });
      if (length > longest()) latestOfLongest()?.refuse();
    });
  const latestOfLongest = () => {
    const lines = [...waiting.values()];
    const most = Math.max(...lines.map(({ size }) => size));
    return [...(lines.findLast(({ size }) => size === most) ?? [])].at(-1);
  };
  // Finished work passes its place to the next in the queue, so that no newcomer takes it first.
  const passOn = () => {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    const [whose, line] = next;
    // Moves this owner to the end.
    waiting.delete(whose);
    waiting.set(whose, line);
    const [first] = line;
    first?.begin();
  };
  return {
    async run(work, signal, whose = "") {
      if (signal?.aborted) throw new Abandoned();
      if (running < atOnce()) running++;
      else await itsTurn(signal, whose);
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
    length: () => length,
  };
}
