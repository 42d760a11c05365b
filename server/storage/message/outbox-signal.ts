/**
 * Wakes the mail worker of this process after a transaction that queued messages was committed, so that they are sent
 * at once instead of at the next poll. Other processes find them by polling.
 */
import type { Database, Transaction } from "../database";

type Listener = () => void;

const holding = new WeakSet<Transaction>();
const listeners = new WeakMap<Database, Set<Listener>>();

/** Marks the transaction as having queued messages. */
export function noteQueued(tx: Transaction): void {
  holding.add(tx);
}

/**
 * Calls the listener after every commit of a transaction with messages. Returns a function that removes the listener.
 */
export function onQueued(db: Database, listener: Listener): () => void {
  const known = listeners.get(db) ?? new Set();
  listeners.set(db, known);
  known.add(listener);
  return () => known.delete(listener);
}

/** Wraps a database to notify the listeners of `onQueued`. */
export function signalling(db: Database): Database {
  const told: Database = {
    ...db,
    async transaction(work, options) {
      let last: Transaction | undefined; // a repeated transaction gets a new client
      const result = await db.transaction((tx) => {
        last = tx;
        return work(tx);
      }, options);
      if (last && holding.has(last)) for (const listener of listeners.get(told) ?? []) listener();
      return result;
    },
  };
  return told;
}
