/**
 * Rejects statements after the end of a transaction. Prisma's adapters release the connection after COMMIT or ROLLBACK,
 * which a timeout may send at any moment. The remaining statements of a Prisma operation would then be committed on
 * their own, or in another transaction.
 */
import type { SqlQuery, Transaction } from "@prisma/driver-adapter-utils";

/**
 * Makes the transaction run its statements one after the other and reject those after its end.
 * @param before awaited before each statement
 */
export function runInOrder(transaction: Transaction, before: () => Promise<void> = async () => {}): void {
  const queryRaw = transaction.queryRaw.bind(transaction);
  const executeRaw = transaction.executeRaw.bind(transaction);
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;

  const inOrder = <T>(query: SqlQuery, run: (query: SqlQuery) => Promise<T>): Promise<T> => {
    if (ended) return Promise.reject(new Error("the transaction has ended"));
    ended = query.sql === "COMMIT" || query.sql === "ROLLBACK";
    const result = last.then(before).then(() => run(query));
    last = result.catch(() => {});
    return result;
  };

  Object.assign(transaction, {
    queryRaw: (query: SqlQuery) => inOrder(query, queryRaw),
    executeRaw: (query: SqlQuery) => inOrder(query, executeRaw),
  });
}
