/** Prisma's adapter for PostgreSQL on our own pool, which rejects statements after the end of a transaction. */
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type pg from "pg";
import { runInOrder } from "./transaction-order";

export function safePostgresql(pool: pg.Pool): SqlDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const startTransaction = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (isolationLevel) => {
        const transaction = await startTransaction(isolationLevel);
        runInOrder(transaction);
        return transaction;
      };
      return adapter;
    },
  };
}
