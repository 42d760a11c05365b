/** Counts what is under way, so that a database closes after it and refuses what comes later. */

export interface InFlight {
  /** Rejects when the end has begun. */
  track<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new work from now on; resolves when there is none left. */
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
