/** The credentials of machine users, for lists and changes: keys and personal access tokens. */

import type { Transaction } from "../database";
import type { AccessTokenRow } from "../grant/access-tokens";
import type { GrantRow } from "../grant/grant";
import { readAll, readCount, write, writeOne } from "../in-transaction";
import type { TimeWanted } from "../listing";
import { type Filter, rowList } from "../pages";
import { bind, columnsIn, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface ShownMachineKey {
  id: string;
  /** The owner of the key. */
  userId: string;
  organizationId: string;
  publicJwk: { kty?: string; crv?: string };
  createdAt: number;
  expiresAt: number | null;
}

/** The filter of a list of credentials; all given members must match. */
export interface CredentialMatch {
  userId?: string;
  organizationId?: string;
  id?: string;
  /** Epoch milliseconds. */
  time?: TimeWanted & { of: "createdAt" | "expiresAt" };
}

/** The columns of the conditions: `c` is a key or a token, which have the same ones, `u` its owner. */
const eb = columnsIn<{ c: "MachineKey"; u: "User" }>();

export function credentialsThat(matches: readonly CredentialMatch[]): Filter {
  const where: Filter = [];
  for (const { userId, organizationId, id, time } of matches) {
    if (userId !== undefined) where.push(eb("c.userId", "=", userId));
    if (organizationId !== undefined) where.push(eb("u.organizationId", "=", organizationId));
    if (id !== undefined) where.push(eb("c.id", "=", id));
    if (time) where.push(eb(`c.${time.of}`, time.sign, time.at));
  }
  return where;
}

export const ofMachine = (userId: string, id?: string): Filter => credentialsThat([{ userId, id }]);

const SHOWN = ["c.id", "c.userId", "u.organizationId", "c.createdAt", "c.expiresAt"] as const;

const selectKeys = (where: Filter) =>
  tables
    .selectFrom("MachineKey as c")
    .innerJoin("User as u", "u.id", "c.userId")
    .select(SHOWN)
    .select((of) => of.ref("c.publicJwk").$castTo<ShownMachineKey["publicJwk"]>().as("publicJwk"))
    .where(eb.and(where));

/** Keys, ordered by id. */
export const machineKeyList = rowList(selectKeys, { sort: "c.id", unique: "c.userId" });

export function countKeysIn(tx: Transaction, userId: string): Promise<number> {
  return readCount(tx, tables.selectFrom("MachineKey").where("userId", "=", userId));
}

/**
 * Deletes a key.
 * @returns whether it existed
 */
export async function deleteMachineKey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (
    (await write(tx, bind(tables.deleteFrom("MachineKey").where("userId", "=", userId).where("id", "=", id)))) === 1
  );
}

/** Times are epoch milliseconds. */
export interface ShownToken {
  id: string;
  /** The owner of the token. */
  userId: string;
  organizationId: string;
  createdAt: number;
  expiresAt: number;
  /** Space-delimited. */
  scope: string;
}

const selectTokens = (where: Filter) =>
  tables
    .selectFrom("PersonalAccessToken as c")
    .innerJoin("User as u", "u.id", "c.userId")
    .innerJoin("Grant as g", "g.id", "c.id")
    .select([...SHOWN, "g.scope"])
    .where(eb.and(where));

/** Tokens, oldest first. */
export const machineTokenList = rowList(selectTokens, { sort: "c.id", unique: "c.userId" });

export function countTokensIn(tx: Transaction, userId: string): Promise<number> {
  return readCount(tx, tables.selectFrom("PersonalAccessToken").where("userId", "=", userId));
}

/** Stores a personal access token and its grant. */
export async function insertToken(
  tx: Transaction,
  grant: Pick<GrantRow, "id" | "clientId" | "userId" | "scope" | "audience">,
  token: Pick<AccessTokenRow, "id">,
  { createdAt, expiresAt }: { createdAt: number; expiresAt: number },
): Promise<void> {
  const { clientId, userId, scope, audience } = grant;
  const stored = { ...grant, authTime: createdAt, amr: "", createdAt, expiresAt };
  await write(tx, bind(tables.insertInto("Grant").values(stored)));
  const issued = { id: token.id, grantId: grant.id, clientId, userId, scope, audience, createdAt, expiresAt };
  await write(tx, bind(tables.insertInto("AccessToken").values(issued)));
  await write(
    tx,
    bind(tables.insertInto("PersonalAccessToken").values({ id: grant.id, userId, createdAt, expiresAt })),
  );
}

/**
 * Deletes a token.
 * @returns whether it existed
 */
export async function deleteToken(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const own = tables.deleteFrom("PersonalAccessToken").where("userId", "=", userId).where("id", "=", id);
  const existed = (await write(tx, bind(own))) === 1;
  if (existed) await writeOne(tx, bind(tables.deleteFrom("Grant").where("id", "=", id)));
  return existed;
}

/** Moves the personal access tokens of a renamed machine user to its new client id. */
export async function renameTokens(tx: Transaction, userId: string, clientId: string): Promise<void> {
  const own = tables.selectFrom("PersonalAccessToken").select("id").where("userId", "=", userId);
  await write(tx, bind(tables.updateTable("Grant").set({ clientId }).where("id", "in", own)));
  await write(tx, bind(tables.updateTable("AccessToken").set({ clientId }).where("grantId", "in", own)));
}

/** The first active projects of an organization. */
export async function readProjectIds(tx: Transaction, organizationId: string, limit: number): Promise<string[]> {
  const active = tables.selectFrom("Project").select("id").where("organizationId", "=", organizationId);
  const first = active.where("state", "=", "active").orderBy("id").limit(limit);
  return (await readAll(tx, bind(first))).map(({ id }) => id);
}
