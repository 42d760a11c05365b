/** Organizations and their domains, for lists. */
import type { Database } from "../database";
import type { AggregateRow } from "../event/event";
import {
  type Conditions,
  type Cursor,
  conditions,
  countListed,
  listPage,
  matchesText,
  type Page,
  type TextWanted,
} from "../listing";

/** Times are epoch milliseconds. */
export interface ShownOrganization extends AggregateRow {
  id: string;
  name: string;
  state: "active" | "inactive";
  defaultLanguage: string | null;
  primaryDomain: string | null;
}

const COLUMNS = `o."id", o."name", o."state", o."defaultLanguage",
       (SELECT d."domain" FROM "Domain" d WHERE d."organizationId" = o."id" AND d."isPrimary" LIMIT 1) AS "primaryDomain",
       a."sequence", a."resourceOwner", a."createdAt", a."changedAt"`;
const FROM = `"Organization" o JOIN "Aggregate" a ON a."type" = 'organization' AND a."id" = o."id"`;

export function findOrganization(db: Database, id: string): Promise<ShownOrganization | undefined> {
  return db.one<ShownOrganization>(`SELECT ${COLUMNS} FROM ${FROM} WHERE o."id" = $1`, [id]);
}

/** Returns the organization that has verified a domain. */
export function findOrganizationByDomain(db: Database, domain: string): Promise<ShownOrganization | undefined> {
  return db.one<ShownOrganization>(
    `SELECT ${COLUMNS} FROM ${FROM}
      WHERE o."id" = (SELECT d."organizationId" FROM "Domain" d WHERE d."domain" = $1 AND d."isVerified" LIMIT 1)`,
    [domain],
  );
}

/** Returns whether no organization has this name or has verified this domain. */
export async function isOrganizationFree(db: Database, by: { nameKey?: string; domain?: string }): Promise<boolean> {
  const sql = `SELECT 1 AS "taken" WHERE EXISTS (SELECT 1 FROM "Organization" WHERE "nameKey" = $1)
       OR EXISTS (SELECT 1 FROM "Domain" WHERE "domain" = $2 AND "isVerified")`;
  return (await db.one(sql, [by.nameKey ?? "", by.domain ?? ""])) === undefined;
}

export interface OrganizationMatch {
  id?: string;
  /** Only organizations with one of these ids. */
  ids?: readonly string[];
  name?: TextWanted;
  domain?: TextWanted;
  state?: ShownOrganization["state"];
}

export const allOrganizations = conditions;

export function matchOrganizations(where: Conditions, { id, ids, name, domain, state }: OrganizationMatch): void {
  if (id !== undefined) where.all.push(`o."id" = ${where.parameter(id)}`);
  if (ids)
    where.all.push(ids.length === 0 ? "1 = 0" : `o."id" IN (${ids.map((one) => where.parameter(one)).join(", ")})`);
  if (name) where.all.push(matchesText(where, name.ignoreCase ? `o."nameKey"` : `o."name"`, name));
  if (domain) {
    where.all.push(`EXISTS (SELECT 1 FROM "Domain" v WHERE v."organizationId" = o."id" AND v."isVerified"
      AND ${matchesText(where, `v."domain"`, domain)})`);
  }
  if (state) where.all.push(`o."state" = ${where.parameter(state)}`);
}

interface Reading {
  after: Cursor | undefined;
  offset: number;
  limit: number;
  descending: boolean;
}

/** Returns organizations, ordered by name. */
export function listOrganizations(
  db: Database,
  where: Conditions,
  { descending, ...reading }: Reading,
): Promise<Page<ShownOrganization>> {
  const sort = { sql: `o."nameKey"`, kind: "text", descending } as const;
  return listPage(db, { columns: COLUMNS, from: FROM, where, sort, unique: `o."id"`, ...reading });
}

export const countOrganizations = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: `"Organization" o`, where });

/** Times are epoch milliseconds; booleans may be 0 or 1. */
export interface ShownDomain {
  organizationId: string;
  domain: string;
  isVerified: boolean | number;
  isPrimary: boolean | number;
  challengeType: "dns" | "http" | null;
  challengeToken: string | null;
  createdAt: number;
}

const DOMAIN_COLUMNS = `d."organizationId", d."domain", d."isVerified", d."isPrimary", d."challengeType",
       d."challengeToken", d."createdAt"`;

export function findDomain(db: Database, organizationId: string, domain: string): Promise<ShownDomain | undefined> {
  return db.one<ShownDomain>(
    `SELECT ${DOMAIN_COLUMNS} FROM "Domain" d WHERE d."organizationId" = $1 AND d."domain" = $2`,
    [organizationId, domain],
  );
}

export function domainsOf(organizationId: string): Conditions {
  const where = conditions();
  where.all.push(`d."organizationId" = ${where.parameter(organizationId)}`);
  return where;
}

export function matchDomains(where: Conditions, name: TextWanted): void {
  where.all.push(matchesText(where, `d."domain"`, name));
}

/** Returns domains, ordered by name. */
export function listDomains(
  db: Database,
  where: Conditions,
  { descending, ...reading }: Reading,
): Promise<Page<ShownDomain>> {
  const sort = { sql: `d."domain"`, kind: "text", descending } as const;
  const list = { columns: DOMAIN_COLUMNS, from: `"Domain" d`, where, sort, unique: `d."organizationId"` };
  return listPage(db, { ...list, ...reading });
}

export const countDomains = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: `"Domain" d`, where });
