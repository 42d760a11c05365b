/** Counts operations in progress, so that a closing database finishes them and refuses new ones. */

export interface InFlight {
  /** Rejects once `end` was called. */
  track<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects new work from now on. Resolves when all running work has ended. */
  end(): Promise<void>;
  hasEnded(): boolean;
}

export function createInFlight(): InFlight {
  let active = 0;
  let ended = false;
  let idle = () => {};
  return {
    track: async (work) => {
      if (ended) throw new Error("the database is closed");
      active++;
      try {
        return await work();
      } finally {
        if (--active === 0) idle();
      }
    },
    end: async () => {
      ended = true;
      if (active > 0) await new Promise<void>((resolve) => (idle = resolve));
    },
    hasEnded: () => ended,
  };
}
