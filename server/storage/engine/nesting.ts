/**
 * Detects queries that bypass the transaction in which they are made. On SQLite such a write would wait for its own
 * transaction until it times out; on PostgreSQL it would survive the rollback of the transaction. A read would not see
 * what the transaction has written, and on PostgreSQL it needs a second connection: if as many transactions as the pool
 * has connections request one, each waits for the others until all time out. Tests detect both on both databases. In
 * production this check is off, because tracking every promise takes time.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { PrismaClient } from "../generated/sqlite/client";

export interface NestingCheck {
  /** Runs the work of a transaction. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when called from inside the work of a transaction. */
  refuse(what: string): void;
  /**
   * Returns a client whose queries are rejected likewise. It is not for transactions, which take their own client from
   * it.
   */
  refusing(prisma: PrismaClient): PrismaClient;
}

/** The transaction in which code runs, and the surrounding one, which may belong to another database. */
interface Transaction {
  of: object;
  around: Transaction | undefined;
}

/**
 * One storage for all databases. Node 20 writes the value of every storage that was ever used to each new promise, so
 * with one storage per database every promise would cost more with each database that was opened.
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
    // Not in the adapter: Prisma batches queries of one turn, including those from outside the transaction.
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
