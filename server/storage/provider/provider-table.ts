/**
 * Rows of message providers; each channel has a table. Each owner, the service or an organization, can have several and
 * uses at most one.
 */
import type { Database, Transaction } from "../database";
import { LASTING_EVENTS } from "../event/retention";
import type { Tables } from "../generated/tables";
import { readCount, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

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

type Column = keyof Tables["SmsProvider"] & keyof Tables["EmailProvider"];
const COMMON = [
  ...(["id", "ownerId", "activeFor", "kind", "description", "sealedAddress", "sender", "changedBy"] as const),
] satisfies Column[];

export type ProviderTable = ReturnType<typeof providerTable>;

/**
 * Returns the statements for the providers of one channel. Providers of another owner are treated as missing.
 * @param further columns in addition to those of all providers
 */
function providerTable<Table extends "EmailProvider" | "SmsProvider">(
  name: Table,
  further: readonly (keyof Tables[Table] & keyof ProviderRow)[],
) {
  // The statements below name only columns that both tables have.
  const table = name as "SmsProvider";
  const rows = tables
    .selectFrom(table)
    .select([...COMMON, ...(further as readonly Column[])])
    .$castTo<ProviderRow>();
  const own = (ownerId: string) => rows.where("ownerId", "=", ownerId);
  const active = statement(($: Params<{ ownerId: string }>) => rows.where("activeFor", "=", $("ownerId")));
  return {
    findActive: (db: Database, ownerId: string) => db.one(active({ ownerId })),
    find: (db: Database, ownerId: string, id: string) => db.one(bind(own(ownerId).where("id", "=", id))),
    /** Returns the providers in the order in which they were added. */
    list: (db: Database, ownerId: string) => db.all(bind(own(ownerId).orderBy("createdAt").orderBy("id"))),
    /** Returns the active provider as the transaction sees it, including its own changes. */
    readActive: (tx: Transaction, ownerId: string) => readOne(tx, active({ ownerId })),
    read: (tx: Transaction, ownerId: string, id: string) => readOne(tx, bind(own(ownerId).where("id", "=", id))),
    /** Returns the oldest provider with this description. */
    readDescribed: (tx: Transaction, ownerId: string, description: string) =>
      readOne(tx, bind(own(ownerId).where("description", "=", description).orderBy("id").limit(1))),
    count: (tx: Transaction, ownerId: string) => readCount(tx, tables.selectFrom(table).where("ownerId", "=", ownerId)),
    async insert(tx: Transaction, row: ProviderRow, now: number) {
      await write(tx, bind(tables.insertInto(table).values({ ...row, createdAt: now, changedAt: now })));
    },
    async update(tx: Transaction, id: string, data: Changes, now: number) {
      await writeOne(
        tx,
        bind(
          tables
            .updateTable(table)
            .set({ ...data, changedAt: now })
            .where("id", "=", id),
        ),
      );
    },
    async remove(tx: Transaction, id: string) {
      await writeOne(tx, bind(tables.deleteFrom(table).where("id", "=", id)));
    },
  };
}

export const emailProviders = providerTable("EmailProvider", ["replyTo", "sealedKeys"]);
export const smsProviders = providerTable("SmsProvider", []);

/**
 * Returns whether mails of the organization may have gone through a mail server of its own since the given time: one is
 * active now or was active meanwhile.
 * @param since epoch milliseconds
 */
export async function hadOwnMailServer(tx: Transaction, organizationId: string, since: number): Promise<boolean> {
  if (await emailProviders.readActive(tx, organizationId)) return true;
  const ended = tables
    .selectFrom("Event")
    .select("position")
    .where((eb) => eb.and({ aggregateType: "organization", aggregateId: organizationId }))
    .where("type", "in", LASTING_EVENTS)
    .where("createdAt", ">=", since)
    .limit(1);
  return (await readOne(tx, bind(ended))) !== undefined;
}
