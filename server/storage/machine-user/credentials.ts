/** The credentials of machine users, for lists and changes: keys and personal access tokens. */

import type { Database, Transaction } from "../database";
import type { AccessTokenRow } from "../grant/access-tokens";
import type { GrantRow } from "../grant/grant";
import { readJson } from "../json-column";
import { type Conditions, type Cursor, conditions, countListed, listPage, type Page } from "../listing";

interface Reading {
  after: Cursor | undefined;
  offset: number;
  limit: number;
  descending: boolean;
}

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
  time?: { of: "createdAt" | "expiresAt"; sign: "=" | "<" | "<=" | ">" | ">="; at: number };
}

export function credentialsThat(matches: readonly CredentialMatch[]): Conditions {
  const where = conditions();
  for (const { userId, organizationId, id, time } of matches) {
    if (userId !== undefined) where.all.push(`c."userId" = ${where.parameter(userId)}`);
    if (organizationId !== undefined) where.all.push(`u."organizationId" = ${where.parameter(organizationId)}`);
    if (id !== undefined) where.all.push(`c."id" = ${where.parameter(id)}`);
    if (time) where.all.push(`c."${time.of}" ${time.sign} ${where.parameter(new Date(time.at))}`);
  }
  return where;
}

export const ofMachine = (userId: string, id?: string): Conditions => credentialsThat([{ userId, id }]);

const KEYS = `"MachineKey" c JOIN "User" u ON u."id" = c."userId"`;
const TOKENS = `"PersonalAccessToken" c JOIN "User" u ON u."id" = c."userId"`;
const SHOWN = `c."id", c."userId", u."organizationId", c."createdAt", c."expiresAt"`;

/** Returns keys, ordered by id. */
export async function listMachineKeys(
  db: Database,
  where: Conditions,
  { descending, ...reading }: Reading,
): Promise<Page<ShownMachineKey>> {
  const sort = { sql: `c."id"`, kind: "text", descending } as const;
  const list = { columns: `${SHOWN}, c."publicJwk"`, from: KEYS, where, sort };
  const page = await listPage<ShownMachineKey>(db, { ...list, unique: `c."userId"`, ...reading });
  return { ...page, rows: page.rows.map((row) => ({ ...row, publicJwk: readJson(row.publicJwk) })) };
}

export const countMachineKeys = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: KEYS, where });

export function countKeysIn(tx: Transaction, userId: string): Promise<number> {
  return tx.machineKey.count({ where: { userId } });
}

/**
 * Deletes a key.
 * @returns whether it existed
 */
export async function deleteMachineKey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (await tx.machineKey.deleteMany({ where: { userId, id } })).count === 1;
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

/** Returns tokens, oldest first. */
export function listTokens(
  db: Database,
  where: Conditions,
  { descending, ...reading }: Reading,
): Promise<Page<ShownToken>> {
  const sort = { sql: `c."id"`, kind: "text", descending } as const;
  const from = `${TOKENS} JOIN "Grant" g ON g."id" = c."id"`;
  const list = { columns: `${SHOWN}, g."scope"`, from, where, sort };
  return listPage(db, { ...list, unique: `c."userId"`, ...reading });
}

export const countTokens = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: TOKENS, where });

export function countTokensIn(tx: Transaction, userId: string): Promise<number> {
  return tx.personalAccessToken.count({ where: { userId } });
}

/** Stores a personal access token and its grant. */
export async function insertToken(
  tx: Transaction,
  grant: Pick<GrantRow, "id" | "clientId" | "userId" | "scope" | "audience">,
  token: Pick<AccessTokenRow, "id">,
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { clientId, userId, scope, audience } = grant;
  await tx.grant.create({ data: { ...grant, authTime: createdAt, amr: "", createdAt, expiresAt } });
  await tx.accessToken.create({
    data: { id: token.id, grantId: grant.id, clientId, userId, scope, audience, createdAt, expiresAt },
  });
  await tx.personalAccessToken.create({ data: { id: grant.id, userId, createdAt, expiresAt } });
}

/**
 * Deletes a token.
 * @returns whether it existed
 */
export async function deleteToken(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.personalAccessToken.deleteMany({ where: { userId, id } });
  if (count === 1) await tx.grant.delete({ where: { id } });
  return count === 1;
}

/** Moves the personal access tokens of a renamed machine user to its new client id. */
export async function renameTokens(tx: Transaction, userId: string, clientId: string): Promise<void> {
  const ids = (await tx.personalAccessToken.findMany({ where: { userId }, select: { id: true } })).map(({ id }) => id);
  await tx.grant.updateMany({ where: { id: { in: ids } }, data: { clientId } });
  await tx.accessToken.updateMany({ where: { grantId: { in: ids } }, data: { clientId } });
}

/** The first active projects of an organization. */
export async function readProjectIds(tx: Transaction, organizationId: string, limit: number): Promise<string[]> {
  const where = { organizationId, state: "active" };
  const rows = await tx.project.findMany({ where, select: { id: true }, orderBy: { id: "asc" }, take: limit });
  return rows.map(({ id }) => id);
}
