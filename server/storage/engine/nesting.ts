/**
 * Finds writes that go round the transaction they are made in. On SQLite such a write waits for the writer that its own
 * transaction has, until it runs out of patience; on PostgreSQL it would stay although the transaction is rolled back.
 * Tests find them at once, on both databases. In service it is off: following every promise costs time.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface NestingCheck {
  /** Runs the work of a transaction. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when called from inside the work of a transaction. */
  refuse(what: string): void;
}

export function createNestingCheck(enabled: boolean): NestingCheck {
  if (!enabled) return { inside: (work) => work(), refuse: () => {} };
  const inside = new AsyncLocalStorage<true>();
  return {
    inside: (work) => inside.run(true, work),
    refuse: (what) => {
      if (!inside.getStore()) return;
      throw new Error(`${what} inside a transaction goes round it: write with the transaction's own client`);
    },
  };
}
