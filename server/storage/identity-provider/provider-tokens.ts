/** Rows of tokens that providers issued at the last sign-in by a link. The database deletes them with their link. */
import type { Database, Transaction } from "../database";
import { readOne, write } from "../in-transaction";
import { bind, columnsIn, type Params, statement, tables } from "../statement";
import type { IdentityLinkId } from "./links";

/** Times are epoch milliseconds. */
export interface ProviderTokenRow extends IdentityLinkId {
  id: string;
  sealedTokens: string;
  /** Until when a process gets new tokens, or waits before it asks again; null: none does. */
  refreshingUntil: number | null;
  signedInAt: number;
}

const ofUser = statement(($: Params<{ providerId: string; userId: string }>) =>
  tables
    .selectFrom("ProviderToken as t")
    .innerJoin("IdentityLink as l", (join) =>
      join.onRef("l.providerId", "=", "t.providerId").onRef("l.externalId", "=", "t.externalId"),
    )
    .selectAll("t")
    .where("l.userId", "=", $("userId"))
    .where("l.providerId", "=", $("providerId"))
    .orderBy("t.signedInAt", "desc")
    .limit(1),
);
const ofLink = statement(($: Params<{ providerId: string; externalId: string }>) =>
  tables
    .selectFrom("ProviderToken")
    .selectAll()
    .where("providerId", "=", $("providerId"))
    .where("externalId", "=", $("externalId")),
);

/** Returns the tokens of a user's last sign-in at a provider. */
export const findProviderTokens = (
  db: Database,
  providerId: string,
  userId: string,
): Promise<ProviderTokenRow | undefined> => db.one(ofUser({ providerId, userId }));

export const readProviderTokens = (
  tx: Transaction,
  { providerId, externalId }: IdentityLinkId,
): Promise<ProviderTokenRow | undefined> => readOne(tx, ofLink({ providerId, externalId }));

/** The tokens of a provider, of a link, of a user, or of the users of an organization. */
export interface TokensOf {
  providerId?: string;
  externalId?: string;
  userId?: string;
  organizationId?: string;
}
export type KeptTokens = Pick<ProviderTokenRow, "id" | "providerId" | "sealedTokens">;

/** Returns the tokens to which all that is given applies, at most `limit`. */
export function listKeptTokens(
  db: Database,
  { providerId, externalId, userId, organizationId }: TokensOf,
  limit: number,
): Promise<KeptTokens[]> {
  const wanted = {
    ...(providerId !== undefined && { "t.providerId": providerId }),
    ...(externalId !== undefined && { "t.externalId": externalId }),
    ...(userId !== undefined && { "l.userId": userId }),
    ...(organizationId !== undefined && { "u.organizationId": organizationId }),
  };
  const rows = tables
    .selectFrom("ProviderToken as t")
    .innerJoin("IdentityLink as l", (join) =>
      join.onRef("l.providerId", "=", "t.providerId").onRef("l.externalId", "=", "t.externalId"),
    )
    .innerJoin("User as u", "u.id", "l.userId")
    .select(["t.id", "t.providerId", "t.sealedTokens"])
    .where((eb) => eb.and(wanted))
    .orderBy("t.id")
    .limit(limit);
  return db.all(bind(rows));
}

/** Stores the tokens of a sign-in in place of the earlier ones of the same link. */
export async function putProviderTokens(tx: Transaction, row: Omit<ProviderTokenRow, "refreshingUntil">) {
  const insert = tables.insertInto("ProviderToken").values({ ...row, refreshingUntil: null });
  const put = insert.onConflict((conflict) =>
    conflict.columns(["providerId", "externalId"]).doUpdateSet((eb) => ({
      sealedTokens: eb.ref("excluded.sealedTokens"),
      signedInAt: eb.ref("excluded.signedInAt"),
      refreshingUntil: null,
    })),
  );
  await write(tx, bind(put));
}

/** The row as it was read: a sign-in or another process may have replaced its tokens. */
export type SeenTokens = Pick<ProviderTokenRow, "id" | "sealedTokens">;

const eb = columnsIn<{ ProviderToken: "ProviderToken" }>();
const isSeen = ({ id, sealedTokens }: SeenTokens) =>
  eb.and([eb("ProviderToken.id", "=", id), eb("ProviderToken.sealedTokens", "=", sealedTokens)]);

/** Reserves the refresh for this process. @returns false if another process has it */
export async function leaseRefresh(db: Database, seen: SeenTokens, { now, until }: { now: number; until: number }) {
  const lease = tables.updateTable("ProviderToken").set({ refreshingUntil: until }).where(isSeen(seen));
  const free = eb.or([eb("ProviderToken.refreshingUntil", "is", null), eb("ProviderToken.refreshingUntil", "<=", now)]);
  return (await db.run(bind(lease.where(free)))) === 1;
}

/** Ends the reservation at a time. */
export async function endLease(db: Database, seen: SeenTokens, refreshingUntil: number): Promise<void> {
  await db.run(bind(tables.updateTable("ProviderToken").set({ refreshingUntil }).where(isSeen(seen))));
}

/** Stores refreshed tokens. @returns false if others were stored meanwhile, or the link was removed */
export async function replaceProviderTokens(db: Database, seen: SeenTokens, sealedTokens: string): Promise<boolean> {
  const replace = tables.updateTable("ProviderToken").set({ sealedTokens, refreshingUntil: null });
  return (await db.run(bind(replace.where(isSeen(seen))))) === 1;
}

export async function deleteSeenTokens(db: Database, seen: SeenTokens): Promise<void> {
  await db.run(bind(tables.deleteFrom("ProviderToken").where(isSeen(seen))));
}

/** Deletes all tokens of a provider, also those of sign-ins that have not ended. */
export async function deleteProviderTokens(tx: Transaction, providerId: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("ProviderToken").where("providerId", "=", providerId)));
  const signIns = tables.updateTable("ProviderSession").set({ sealedTokens: null });
  await write(tx, bind(signIns.where("providerId", "=", providerId).where("sealedTokens", "is not", null)));
}
