/**
 * Work queues by key, such as a caller or an organization. The work of one key waits for, or is rejected because of,
 * that key's own work only.
 */
import { nextTurn } from "./pauses";
import { createWorkQueue, type WorkQueue } from "./work-queue";

export interface LineLimit {
  atOnce: number;
  /** How many may wait. With 0, work is rejected while all places are taken. */
  waiting: number;
}

/** Thrown when the queue of a key is full. */
export class LineFull extends Error {
  constructor() {
    super("too much is being done for the same caller already");
  }
}

export interface Lines {
  /**
   * Rejects with `LineFull`, or with `Abandoned` if the signal aborts before its turn. Each piece of work begins in its
   * own turn of the event loop, so that requests that arrive together do not block it together.
   */
  run<T>(key: string, limit: LineLimit, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createLines(): Lines {
  const lines = new Map<string, { queue: WorkQueue; inside: number }>();
  return {
    async run(key, { atOnce, waiting }, work, signal) {
      let line = lines.get(key);
      if (!line) {
        const refuse = () => new LineFull();
        line = { queue: createWorkQueue({ atOnce: () => atOnce, longest: () => waiting, refuse }), inside: 0 };
        lines.set(key, line);
      }
      line.inside++;
      try {
        return await line.queue.run(async () => {
          await nextTurn();
          return work();
        }, signal);
      } finally {
        line.inside--;
        if (line.inside === 0) lines.delete(key);
      }
    },
  };
}
