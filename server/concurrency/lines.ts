/**
 * A work queue for each of many: callers, organizations. What one of them causes waits for, or is refused because of,
 * their own work alone.
 */
import { nextTurn } from "./pauses";
import { createWorkQueue, type WorkQueue } from "./work-queue";

export interface LineLimit {
  atOnce: number;
  /** How many may wait; 0: who comes while all places are taken is refused. */
  waiting: number;
}

/** There is too much in the line already. */
export class LineFull extends Error {
  constructor() {
    super("too much is being done for the same caller already");
  }
}

export interface Lines {
  /**
   * Rejects with `LineFull`, or with `Abandoned` if the signal aborts before its turn. Each piece of work begins in a turn
   * of the event loop of its own: what arrives together is not done together.
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
