/**
 * A lock with a first-in, first-out queue. SQLite has one writer; others wait here instead of for the lock of the file,
 * which would block the event loop.
 */

/** Passes the lock to the next in the queue. Calling it again does nothing. */
export type Release = () => void;

export interface Mutex {
  /** Takes the lock, or returns undefined if it is taken. */
  tryLock(): Release | undefined;
  /** Resolves when the caller has the lock. Rejects (code SQLITE_BUSY) if that takes too long. */
  lock(): Promise<Release>;
}

/**
 * Creates a mutex.
 * @param patience milliseconds to wait for the lock
 */
export function createMutex(patience: number): Mutex {
  const waiting = new Set<(release: Release) => void>();
  let held = false;

  const releaseOnce = (): Release => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const [next] = waiting;
      if (next) next(releaseOnce());
      else held = false;
    };
  };

  const tryLock = () => {
    if (held) return undefined;
    held = true;
    return releaseOnce();
  };

  const wait = () =>
    new Promise<Release>((resolve, reject) => {
      const turn = (release: Release) => {
        clearTimeout(timer);
        waiting.delete(turn);
        resolve(release);
      };
      const timer = setTimeout(() => {
        waiting.delete(turn);
        reject(Object.assign(new Error(`another write has not ended within ${patience} ms`), { code: "SQLITE_BUSY" }));
      }, patience);
      waiting.add(turn);
    });

  return {
    tryLock,
    lock: () => {
      const release = tryLock();
      return release ? Promise.resolve(release) : wait();
    },
  };
}
