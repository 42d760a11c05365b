/**
 * Queues that run a few pieces of work at a time, in order of arrival. Where work has owners, they take turns (attack:
 * hundreds of requests queued ahead of all others). Queued work costs a few bytes of memory and no time, and leaves the
 * queue when its result is no longer awaited (attack: requests that are abandoned as soon as they are sent, and still
 * computed).
 */
import { nextTurn } from "./pauses";

/** The slot that running work occupies. */
export interface Slot {
  /** Frees the slot before the work is over, because the rest of it runs elsewhere. */
  release(): void;
  /** Aborts when the result is no longer awaited. */
  signal?: AbortSignal;
}

export interface Queue {
  /**
   * Runs the work when a slot is free. If too many are queued, the latest work of the owner with the longest queue
   * rejects with the error from `refuse`. Rejects with `Abandoned` if the signal aborts before the work has begun. Work
   * that has begun is finished, so that whatever it counts is counted.
   * @param owner the owner of the work; owners take turns
   */
  run<T>(work: (slot: Slot) => Promise<T>, signal?: AbortSignal, owner?: string): Promise<T>;
  length(): number;
}

export interface QueueOptions {
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

/** Queued work: removes it from the queue and begins it, or rejects it if there is an error. */
type Waiting = (error?: Error) => void;

export function createQueue({ atOnce, longest, refuse }: QueueOptions): Queue {
  let running = 0;
  let length = 0;
  /** The queues by owner, each in order of arrival. The owner whose turn is next comes first. */
  const queues = new Map<string, Set<Waiting>>();
  const freeSlot = (signal: AbortSignal | undefined, owner: string) =>
    new Promise<void>((resolve, reject) => {
      const queue = queues.get(owner) ?? new Set();
      const end: Waiting = (error) => {
        signal?.removeEventListener("abort", abandon);
        queue.delete(end);
        if (queue.size === 0) queues.delete(owner);
        length--;
        if (error) reject(error);
        else resolve();
      };
      const abandon = () => end(new Abandoned());
      queues.set(owner, queue.add(end));
      length++;
      signal?.addEventListener("abort", abandon, { once: true });
      if (length > longest()) latestOfLongest()?.(refuse());
    });
  const latestOfLongest = () => {
    const most = Math.max(...[...queues.values()].map(({ size }) => size));
    return [...([...queues.values()].findLast(({ size }) => size === most) ?? [])].at(-1);
  };
  // Finished work passes its slot to the next in the queue, so that work that arrives now does not take it first.
  const passOn = () => {
    const [next] = queues;
    if (!next) {
      running--;
      return;
    }
    const [owner, queue] = next;
    // Moves this owner to the end.
    queues.delete(owner);
    queues.set(owner, queue);
    const [first] = queue;
    first?.();
  };
  return {
    async run(work, signal, owner = "") {
      if (signal?.aborted) throw new Abandoned();
      if (running < atOnce()) running++;
      else await freeSlot(signal, owner);
      let isHeld = true;
      const release = () => {
        if (isHeld) passOn();
        isHeld = false;
      };
      try {
        return await work({ release, signal });
      } finally {
        release();
      }
    },
    length: () => length,
  };
}

export interface QueueLimit {
  atOnce: number;
  /** How many may wait. With 0, work is rejected while all slots are taken. */
  waiting: number;
}

/** Thrown when the queue of a key is full. */
export class QueueFull extends Error {
  constructor() {
    super("too much is being done for the same caller already");
  }
}

export interface KeyedQueues {
  /**
   * Rejects with `QueueFull`, or with `Abandoned` if the signal aborts before a slot is free. Each piece of work begins
   * in its own turn of the event loop, so that requests that arrive together do not block it together.
   */
  run<T>(key: string, limit: QueueLimit, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/**
 * Returns queues by key, such as a caller or an organization. The work of one key waits for, or is rejected because of,
 * that key's own work only.
 */
export function createKeyedQueues(): KeyedQueues {
  const queues = new Map<string, { queue: Queue; inside: number }>();
  return {
    async run(key, { atOnce, waiting }, work, signal) {
      let entry = queues.get(key);
      if (!entry) {
        const refuse = () => new QueueFull();
        entry = { queue: createQueue({ atOnce: () => atOnce, longest: () => waiting, refuse }), inside: 0 };
        queues.set(key, entry);
      }
      entry.inside++;
      try {
        return await entry.queue.run(async () => {
          await nextTurn();
          return work();
        }, signal);
      } finally {
        entry.inside--;
        if (entry.inside === 0) queues.delete(key);
      }
    },
  };
}
