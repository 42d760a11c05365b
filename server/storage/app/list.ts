/** Apps for lists and pages, with their first and last event and the number of their keys. */

import type { Database, Transaction } from "../database";
import { readJson } from "../json-column";
import {
  type Conditions,
  conditions,
  countListed,
  HEADS,
  type Heads,
  type ListReading,
  listPage,
  matchesText,
  type Page,
  type TextWanted,
} from "../listing";
import type { AppRow } from "./app";

/** Times are epoch milliseconds. */
export interface ShownApp extends Heads {
  id: string;
  projectId: string;
  projectName: string;
  organizationId: string;
  name: string;
  state: "active" | "inactive";
  kind: "oidc" | "api";
  clientId: string;
  settings: unknown;
  jwks: unknown;
  isTrusted: boolean | number;
  mayManage: boolean | number;
  /** The number of separately stored keys, without those of the key set. */
  keyCount: number;
  /** The time of the last stored successful sign-in, epoch milliseconds; null without one. */
  lastSignIn: number | null;
}

const COLUMNS = `a."id", a."projectId", p."name" AS "projectName", p."organizationId", a."name", a."state", a."kind",
  a."clientId", a."settings", a."jwks", a."isTrusted", a."mayManage",
  (SELECT CAST(COUNT(*) AS INTEGER) FROM "AppKey" k WHERE k."appId" = a."id") AS "keyCount",
  (SELECT s."lastAt" FROM "SignInAttempt" s WHERE s."clientId" = a."clientId" AND s."reason" = 'signed_in'
    ORDER BY s."createdAt" DESC LIMIT 1) AS "lastSignIn", ${HEADS}`;
const FROM = `"App" a JOIN "Project" p ON p."id" = a."projectId"
  JOIN "Aggregate" h ON h."type" = 'app' AND h."id" = a."id"`;

const asRead = (row: ShownApp): ShownApp => ({ ...row, settings: readJson(row.settings), jwks: readJson(row.jwks) });

export interface AppRef {
  organizationId: string;
  projectId: string;
  appId: string;
}

export async function findApp(
  db: Database,
  { organizationId, projectId, appId }: AppRef,
): Promise<ShownApp | undefined> {
  const where = `a."id" = $1 AND p."id" = $2 AND p."organizationId" = $3`;
  const row = await db.one<ShownApp>(`SELECT ${COLUMNS} FROM ${FROM} WHERE ${where}`, [
    appId,
    projectId,
    organizationId,
  ]);
  return row && asRead(row);
}

/**
 * The conditions for the apps of an organization.
 * @param projectIds only apps of these projects; not empty
 */
export function appsOf(organizationId: string, projectIds?: readonly string[]): Conditions {
  const where = conditions();
  where.all.push(`p."organizationId" = ${where.parameter(organizationId)}`);
  if (projectIds) where.all.push(`a."projectId" IN (${projectIds.map((id) => where.parameter(id)).join(", ")})`);
  return where;
}

export function matchApps(
  where: Conditions,
  wanted: { name?: TextWanted; state?: "active" | "inactive"; clientId?: string },
): void {
  if (wanted.name) where.all.push(matchesText(where, `a."name"`, wanted.name));
  if (wanted.state) where.all.push(`a."state" = ${where.parameter(wanted.state)}`);
  if (wanted.clientId !== undefined) where.all.push(`a."clientId" = ${where.parameter(wanted.clientId)}`);
}

/** Returns a page of apps, ordered by name. */
export async function listApps(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownApp>> {
  const sort = { sql: `a."name"`, kind: "text", descending } as const;
  const page = await listPage<ShownApp>(db, {
    columns: COLUMNS,
    from: FROM,
    where,
    sort,
    unique: `a."id"`,
    ...reading,
  });
  return { ...page, rows: page.rows.map(asRead) };
}

export const countApps = (db: Database, where: Conditions): Promise<number> => countListed(db, { from: FROM, where });

/** Returns an app of a project that the transaction has locked. */
export async function readAppOfProject(tx: Transaction, projectId: string, id: string): Promise<AppRow | undefined> {
  return (await tx.app.findFirst({ where: { id, projectId } })) ?? undefined;
}

export interface ShownKey {
  id: string;
  publicJwk: { kty?: string; crv?: string };
  createdAt: number;
  expiresAt: number | null;
}

const KEY_FROM = `"AppKey" k`;
const KEY_COLUMNS = `k."id", k."publicJwk", k."createdAt", k."expiresAt"`;

const keyAsRead = (row: ShownKey): ShownKey => ({ ...row, publicJwk: readJson(row.publicJwk) });

export function keysOfApp(appId: string): Conditions {
  const where = conditions();
  where.all.push(`k."appId" = ${where.parameter(appId)}`);
  return where;
}

/** Returns the keys of an app, oldest first. */
export async function listAppKeys(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownKey>> {
  const sort = { sql: `k."createdAt"`, kind: "time", descending } as const;
  const page = await listPage<ShownKey>(db, {
    columns: KEY_COLUMNS,
    from: KEY_FROM,
    where,
    sort,
    unique: `k."id"`,
    ...reading,
  });
  return { ...page, rows: page.rows.map(keyAsRead) };
}

export async function findAppKey(db: Database, appId: string, id: string): Promise<ShownKey | undefined> {
  const where = `k."appId" = $1 AND k."id" = $2`;
  const row = await db.one<ShownKey>(`SELECT ${KEY_COLUMNS} FROM ${KEY_FROM} WHERE ${where}`, [appId, id]);
  return row && keyAsRead(row);
}

export const countAppKeys = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: KEY_FROM, where });
