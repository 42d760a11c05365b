/**
 * Detects what bypasses the transaction it is asked in. On SQLite a write would wait for its own transaction until it
 * times out; on PostgreSQL it would survive the transaction's rollback. A read would not see what the transaction has
 * written, and on PostgreSQL needs a connection beside the transaction's own: where as many transactions as the pool has
 * connections ask for a second one, each waits for the others until all have timed out. Tests detect both at once on
 * both databases. In production this is off, because tracking every promise costs time.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { PrismaClient } from "../generated/sqlite/client";

export interface NestingCheck {
  /** Runs the work of a transaction. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when called from inside the work of a transaction. */
  refuse(what: string): void;
  /** A client whose queries are refused likewise; not for transactions, which take their own client from it. */
  refusing(prisma: PrismaClient): PrismaClient;
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
  if (!enabled) return { inside: (work) => work(), refuse: () => {}, refusing: (prisma) => prisma };
  const of = {};
  const refuse = (what: string) => {
    for (let found = transactions.getStore(); found; found = found.around) {
      if (found.of !== of) continue;
      throw new Error(`${what} inside a transaction goes round it: ask with the transaction's own client`);
    }
  };
  return {
    inside: (work) => transactions.run({ of, around: transactions.getStore() }, work),
    refuse,
    // Not in the adapter: Prisma sends what many have asked in one turn for all of them, also for those outside.
    refusing: (prisma) => {
      const checked = prisma.$extends({
        query: {
          $allOperations({ operation, args, query }) {
            refuse(operation);
            return query(args);
          },
        },
      });
      return checked as unknown as PrismaClient;
    },
  };
}
