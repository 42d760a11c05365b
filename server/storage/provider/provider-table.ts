/**
 * Rows of message providers: the part that both channels share, whose tables differ. Each owner, the service or an
 * organization, can have several and uses at most one.
 */
import type { Database, Transaction } from "../database";

export interface ProviderRow {
  id: string;
  /** The id of an organization, or of the instance for the provider of the service. */
  ownerId: string;
  /** The owner while the provider is active, otherwise null. */
  activeFor: string | null;
  /** The protocol or API of the provider. */
  kind: string;
  description: string;
  /** The address with its credentials, sealed. */
  sealedAddress: string;
  /** The sender that recipients see. */
  sender: string;
  /** The user answerable for it; null if unknown. */
  changedBy: string | null;
}

type Changes<Row extends ProviderRow> = Partial<Omit<Row, "id" | "ownerId">>;

/** The part of a Prisma model that is used here. */
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

/** The statements for the providers of one channel. Providers of another owner are treated as missing. */
export interface ProviderTable<Row extends ProviderRow> {
  findActive(db: Database, ownerId: string): Promise<Row | undefined>;
  find(db: Database, ownerId: string, id: string): Promise<Row | undefined>;
  /** Returns the providers in the order in which they were added. */
  list(db: Database, ownerId: string): Promise<Row[]>;
  /** Returns the active provider as the transaction sees it, including its own changes. */
  readActive(tx: Transaction, ownerId: string): Promise<Row | undefined>;
  read(tx: Transaction, ownerId: string, id: string): Promise<Row | undefined>;
  /** Returns the oldest provider with this description. */
  readDescribed(tx: Transaction, ownerId: string, description: string): Promise<Row | undefined>;
  count(tx: Transaction, ownerId: string): Promise<number>;
  /** @param now epoch milliseconds */
  insert(tx: Transaction, row: Row, now: number): Promise<void>;
  setActive(tx: Transaction, id: string, activeFor: string | null, now: number): Promise<void>;
  update(tx: Transaction, id: string, data: Changes<Row>, now: number): Promise<void>;
  remove(tx: Transaction, id: string): Promise<void>;
}

const COMMON = ["id", "ownerId", "activeFor", "kind", "description", "sealedAddress", "sender", "changedBy"];

/**
 * Creates the statements for one table.
 * @param further columns in addition to those of all providers
 */
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
