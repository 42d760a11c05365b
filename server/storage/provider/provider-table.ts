/**
 * Rows of message providers; each channel has a table. Each owner, the service or an organization, can have several and
 * uses at most one.
 */
import type { Database, Transaction } from "../database";
import { LASTING_EVENTS } from "../event/retention";

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
  /** The sender that recipients see: a mailbox, a number or a name; if it is empty, the provider decides. */
  sender: string;
  /** The user answerable for it; null if unknown. */
  changedBy: string | null;
  /** The mailbox for replies, or null. Only mail providers have this column. */
  replyTo?: string | null;
  /** The sealed secrets for the mail server; null if there are none. Only mail providers have this column. */
  sealedKeys?: string | null;
}

type Changes = Partial<Omit<ProviderRow, "id" | "ownerId">>;

/** The part of a Prisma model that is used here. */
interface Model {
  findFirst(query: { where: Partial<ProviderRow>; orderBy: { id: "asc" } }): PromiseLike<ProviderRow | null>;
  count(query: { where: { ownerId: string } }): PromiseLike<number>;
  create(query: { data: ProviderRow & { createdAt: Date; changedAt: Date } }): PromiseLike<unknown>;
  update(query: { where: { id: string }; data: Changes & { changedAt: Date } }): PromiseLike<unknown>;
  delete(query: { where: { id: string } }): PromiseLike<unknown>;
}

const COMMON = ["id", "ownerId", "activeFor", "kind", "description", "sealedAddress", "sender", "changedBy"];

export type ProviderTable = ReturnType<typeof providerTable>;

/**
 * Returns the statements for the providers of one channel. Providers of another owner are treated as missing.
 * @param further columns in addition to those of all providers
 */
function providerTable(table: string, further: readonly string[], modelIn: (tx: Transaction) => Model) {
  const columns = [...COMMON, ...further].map((name) => `"${name}"`).join(", ");
  const select = `SELECT ${columns} FROM "${table}"`;
  const first = async (tx: Transaction, where: Partial<ProviderRow>) =>
    (await modelIn(tx).findFirst({ where, orderBy: { id: "asc" } })) ?? undefined;
  const update = async (tx: Transaction, id: string, data: Changes, now: number) => {
    await modelIn(tx).update({ where: { id }, data: { ...data, changedAt: new Date(now) } });
  };
  return {
    findActive: (db: Database, ownerId: string) => db.one<ProviderRow>(`${select} WHERE "activeFor" = $1`, [ownerId]),
    find: (db: Database, ownerId: string, id: string) =>
      db.one<ProviderRow>(`${select} WHERE "ownerId" = $1 AND "id" = $2`, [ownerId, id]),
    /** Returns the providers in the order in which they were added. */
    list: (db: Database, ownerId: string) =>
      db.all<ProviderRow>(`${select} WHERE "ownerId" = $1 ORDER BY "createdAt", "id"`, [ownerId]),
    /** Returns the active provider as the transaction sees it, including its own changes. */
    readActive: (tx: Transaction, activeFor: string) => first(tx, { activeFor }),
    read: (tx: Transaction, ownerId: string, id: string) => first(tx, { ownerId, id }),
    /** Returns the oldest provider with this description. */
    readDescribed: (tx: Transaction, ownerId: string, description: string) => first(tx, { ownerId, description }),
    count: (tx: Transaction, ownerId: string) => Promise.resolve(modelIn(tx).count({ where: { ownerId } })),
    async insert(tx: Transaction, row: ProviderRow, now: number) {
      await modelIn(tx).create({ data: { ...row, createdAt: new Date(now), changedAt: new Date(now) } });
    },
    update,
    async remove(tx: Transaction, id: string) {
      await modelIn(tx).delete({ where: { id } });
    },
  };
}

export const emailProviders = providerTable("EmailProvider", ["replyTo", "sealedKeys"], (tx) => tx.emailProvider);
export const smsProviders = providerTable("SmsProvider", [], (tx) => tx.smsProvider);

/**
 * Returns whether mails of the organization may have gone through a mail server of its own since the given time: one is
 * active now or was active meanwhile.
 * @param since epoch milliseconds
 */
export async function hadOwnMailServer(tx: Transaction, organizationId: string, since: number): Promise<boolean> {
  if ((await tx.emailProvider.count({ where: { activeFor: organizationId } })) > 0) return true;
  const ended = { aggregateType: "organization", aggregateId: organizationId, type: { in: [...LASTING_EVENTS] } };
  return (await tx.event.count({ where: { ...ended, createdAt: { gte: new Date(since) } } })) > 0;
}
