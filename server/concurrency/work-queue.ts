/**
 * A queue of work that is done a few at a time, in the order in which it came; where it is said whose the work is, they
 * take turns (attack: hundreds of requests that stand before everybody else's). What waits costs a few bytes of memory
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
   * Rejects with the error that `refuse` makes if too many wait, the latest of those whose work waits most, and with
   * `Abandoned` if the signal aborts before the work has begun. Work that has begun is finished, so whatever it counts is
   * counted.
   * @param whose who takes turns with others
   */
  run<T>(work: (turn: Turn) => Promise<T>, signal?: AbortSignal, whose?: string): Promise<T>;
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

interface Waiting {
  begin(): void;
  refuse(): void;
}

export function createWorkQueue({ atOnce, longest, refuse }: WorkQueueOptions): WorkQueue {
  let running = 0;
  let length = 0;
  /** In the order in which they came, by whose they are; whose turn is next comes first. */
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
  // Finished work passes its place to the next that waits, so that no newcomer takes it first.
  const passOn = () => {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    const [whose, line] = next;
    // Theirs is the last turn from now on.
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
