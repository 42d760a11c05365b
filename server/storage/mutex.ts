/**
 * A lock with a queue, first come first served: SQLite has one writer, and whoever wants to write waits here instead
 * of on the file's lock, where waiting would block the event loop.
 */

/** Gives the lock to the next in the queue. Calling it again does nothing. */
export type Release = () => void;

export interface Mutex {
  /** The lock at once, or undefined when somebody has it. */
  tryLock(): Release | undefined;
  /** Resolves when it is the caller's turn. */
  lock(): Promise<Release>;
}

export function createMutex(): Mutex {
  const waiting: ((release: Release) => void)[] = [];
  let held = false;

  const releaseOnce = (): Release => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = waiting.shift();
      if (next) next(releaseOnce());
      else held = false;
    };
  };

  const tryLock = () => {
    if (held) return undefined;
    held = true;
    return releaseOnce();
  };

  return {
    tryLock,
    lock: () => {
      const release = tryLock();
      return release ? Promise.resolve(release) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
