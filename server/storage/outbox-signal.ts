/**
 * Tells whoever sends messages that this process has queued one, after the transaction it was queued in is committed:
 * a message goes out at once, not at the next look at the table. Another process finds it when it looks.
 */
import type { Database, Transaction } from "./database";

type Listener = () => void;

const holding = new WeakSet<Transaction>();
const listeners = new WeakMap<Database, Set<Listener>>();

/** Notes that the transaction has queued messages. */
export function noteQueued(tx: Transaction): void {
  holding.add(tx);
}

/** Calls the listener after every commit of a transaction with messages; returns how to stop it. */
export function onQueued(db: Database, listener: Listener): () => void {
  const known = listeners.get(db) ?? new Set();
  listeners.set(db, known);
  known.add(listener);
  return () => known.delete(listener);
}

/** The same database, which tells the listeners of `onQueued`. */
export function signalling(db: Database): Database {
  const told: Database = {
    ...db,
    async transaction(work, options) {
      let last: Transaction | undefined; // a transaction that is repeated gets a new client
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
