/**
 * Detects writes that bypass the transaction they are made in. On SQLite such a write would wait for its own
 * transaction until it times out; on PostgreSQL it would survive the transaction's rollback. Tests detect them at once
 * on both databases. In production this is off, because tracking every promise costs time.
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
