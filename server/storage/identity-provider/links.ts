/** Rows of links: which accounts at identity providers sign in which users. */
import type { Database, Transaction } from "../database";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

export interface IdentityLinkRow {
  providerId: string;
  /** The id of the account at the provider. */
  externalId: string;
  userId: string;
  /** The name of the account at the provider. */
  userName: string;
  /** The role keys that the provider's mapping gave, by project; null: none. */
  mappedRoles: MappedRoles | null;
  /** Epoch milliseconds. */
  createdAt: number;
}
export type IdentityLinkId = Pick<IdentityLinkRow, "providerId" | "externalId">;
export type MappedRoles = Readonly<Record<string, readonly string[]>>;

/** A link with its provider; the provider's name is undefined if its organization was removed. */
export interface ShownLink extends IdentityLinkRow {
  providerName: string;
  kind: string;
}

const rows = tables.selectFrom("IdentityLink").selectAll().$castTo<IdentityLinkRow>();
const ofAccount = statement(($: Params<{ providerId: string; externalId: string }>) =>
  rows.where("providerId", "=", $("providerId")).where("externalId", "=", $("externalId")),
);
const shownOf = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("IdentityLink as l")
    .innerJoin("IdentityProvider as p", "p.id", "l.providerId")
    .selectAll("l")
    .select(["p.name as providerName", "p.kind"])
    .$castTo<ShownLink>()
    .where("l.userId", "=", $("userId"))
    .orderBy("l.createdAt")
    .orderBy("l.providerId")
    .orderBy("l.externalId"),
);

export const findIdentityLink = (
  db: Database,
  providerId: string,
  externalId: string,
): Promise<IdentityLinkRow | undefined> => db.one(ofAccount({ providerId, externalId }));

export const readIdentityLink = (
  tx: Transaction,
  providerId: string,
  externalId: string,
): Promise<IdentityLinkRow | undefined> => readOne(tx, ofAccount({ providerId, externalId }));

/** Returns the user's links with their providers, oldest first. */
export const listIdentityLinks = (db: Database, userId: string): Promise<ShownLink[]> => db.all(shownOf({ userId }));

export const readIdentityLinks = (tx: Transaction, userId: string): Promise<ShownLink[]> =>
  readAll(tx, shownOf({ userId }));

/** Returns the user's links that were added at or after a time, epoch milliseconds. */
export const readIdentityLinksSince = async (tx: Transaction, userId: string, at: number): Promise<ShownLink[]> =>
  (await readIdentityLinks(tx, userId)).filter(({ createdAt }) => createdAt >= at);

export async function insertIdentityLink(tx: Transaction, row: Omit<IdentityLinkRow, "mappedRoles">): Promise<void> {
  await write(tx, bind(tables.insertInto("IdentityLink").values(row)));
}

export async function renameIdentityLink(db: Database, link: IdentityLinkRow, userName: string): Promise<void> {
  const { providerId, externalId } = link;
  const update = tables.updateTable("IdentityLink").set({ userName });
  await db.run(bind(update.where((eb) => eb.and({ providerId, externalId }))));
}

export async function setMappedRoles(
  tx: Transaction,
  { providerId, externalId }: IdentityLinkId,
  mappedRoles: MappedRoles,
): Promise<void> {
  const update = tables.updateTable("IdentityLink").set({ mappedRoles: mappedRoles as never });
  await writeOne(tx, bind(update.where((eb) => eb.and({ providerId, externalId }))));
}

export async function deleteIdentityLink(tx: Transaction, providerId: string, externalId: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("IdentityLink").where((eb) => eb.and({ providerId, externalId }))));
}
