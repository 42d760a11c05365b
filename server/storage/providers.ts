/**
 * Rows of message providers: what the channels have in common, whichever table they are in. Each owner, the service and
 * every organization, has several and uses one at most.
 */
import type { Database, Transaction } from "./database";

export interface ProviderRow {
  id: string;
  /** An organization's id; the instance's for the service's own. */
  ownerId: string;
  /** The owner while it is active, else null. */
  activeFor: string | null;
  /** How it is spoken to. */
  kind: string;
  description: string;
  /** Where it is, with what it is spoken to with. */
  sealedAddress: string;
  /** What receivers see as the sender. */
  sender: string;
  /** Who is answerable for it; null if that is not known. */
  changedBy: string | null;
}

type Changes<Row extends ProviderRow> = Partial<Omit<Row, "id" | "ownerId">>;

/** Of Prisma's model, what is used here. */
interface Model<Row extends ProviderRow> {
  findFirst(query: {
    where: { ownerId: string; id: string } | { ownerId: string; description: string };
    orderBy: { id: "asc" };
  }): PromiseLike<Row | null>;
  findUnique(query: { where: { activeFor: string } }): PromiseLike<Row | null>;
  count(query: { where: { ownerId: string } }): PromiseLike<number>;
  create(query: { data: Row & { createdAt: Date; changedAt: Date } }): PromiseLike<unknown>;
  update(query: { where: { id: string }; data: Changes<Row> & { changedAt: Date } }): PromiseLike<unknown>;
  delete(query: { where: { id: string } }): PromiseLike<unknown>;
}

/** The statements about one channel's providers. Those of another owner are as if they were not there. */
export interface ProviderTable<Row extends ProviderRow> {
  findActive(db: Database, ownerId: string): Promise<Row | undefined>;
  find(db: Database, ownerId: string, id: string): Promise<Row | undefined>;
  /** In the order in which they were added. */
  list(db: Database, ownerId: string): Promise<Row[]>;
  /** The same within a transaction, which sees what it has changed itself. */
  readActive(tx: Transaction, ownerId: string): Promise<Row | undefined>;
  read(tx: Transaction, ownerId: string, id: string): Promise<Row | undefined>;
  /** The oldest with this description. */
  readDescribed(tx: Transaction, ownerId: string, description: string): Promise<Row | undefined>;
  count(tx: Transaction, ownerId: string): Promise<number>;
  /** @param now epoch milliseconds */
  insert(tx: Transaction, row: Row, now: number): Promise<void>;
  setActive(tx: Transaction, id: string, activeFor: string | null, now: number): Promise<void>;
  update(tx: Transaction, id: string, data: Changes<Row>, now: number): Promise<void>;
  remove(tx: Transaction, id: string): Promise<void>;
}

const COMMON = ["id", "ownerId", "activeFor", "kind", "description", "sealedAddress", "sender", "changedBy"];

/** @param further columns, beside those that all providers have */
export function providerTable<Row extends ProviderRow>(
  table: string,
  further: readonly string[],
  modelIn: (tx: Transaction) => Model<Row>,
): ProviderTable<Row> {
  const columns = [...COMMON, ...further].map((name) => `"${name}"`).join(", ");
  const select = `SELECT ${columns} FROM "${table}"`;
  return {
    findActive: (db, ownerId) => db.one<Row>(`${select} WHERE "activeFor" = $1`, [ownerId]),
    find: (db, ownerId, id) => db.one<Row>(`${select} WHERE "ownerId" = $1 AND "id" = $2`, [ownerId, id]),
    list: (db, ownerId) => db.all<Row>(`${select} WHERE "ownerId" = $1 ORDER BY "createdAt", "id"`, [ownerId]),
    readActive: async (tx, ownerId) => (await modelIn(tx).findUnique({ where: { activeFor: ownerId } })) ?? undefined,
    read: async (tx, ownerId, id) =>
      (await modelIn(tx).findFirst({ where: { ownerId, id }, orderBy: { id: "asc" } })) ?? undefined,
    readDescribed: async (tx, ownerId, description) =>
      (await modelIn(tx).findFirst({ where: { ownerId, description }, orderBy: { id: "asc" } })) ?? undefined,
    count: async (tx, ownerId) => modelIn(tx).count({ where: { ownerId } }),
    async insert(tx, row, now) {
      await modelIn(tx).create({ data: { ...row, createdAt: new Date(now), changedAt: new Date(now) } });
    },
    async setActive(tx, id, activeFor, now) {
      const data: Changes<ProviderRow> = { activeFor };
      await modelIn(tx).update({ where: { id }, data: { ...(data as Changes<Row>), changedAt: new Date(now) } });
    },
    async update(tx, id, data, now) {
      await modelIn(tx).update({ where: { id }, data: { ...data, changedAt: new Date(now) } });
    },
    async remove(tx, id) {
      await modelIn(tx).delete({ where: { id } });
    },
  };
}
