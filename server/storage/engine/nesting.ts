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

/** The transaction that something runs in, and the one around it, which may be of another database. */
interface Transaction {
  of: object;
  around: Transaction | undefined;
}

/**
 * One for all databases. Node 20 writes the value of each storage that was ever used to each promise that is made, so
 * one for each database would make every promise of a process dearer with every database the process has opened.
 */
const transactions = new AsyncLocalStorage<Transaction>();

export function createNestingCheck(enabled: boolean): NestingCheck {
  if (!enabled) return { inside: (work) => work(), refuse: () => {} };
  const of = {};
  return {
    inside: (work) => transactions.run({ of, around: transactions.getStore() }, work),
    refuse: (what) => {
      for (let found = transactions.getStore(); found; found = found.around) {
        if (found.of !== of) continue;
        throw new Error(`${what} inside a transaction goes round it: write with the transaction's own client`);
      }
    },
  };
}
