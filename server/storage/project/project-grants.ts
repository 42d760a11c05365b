/** Rows of project grants: projects whose roles another organization may give to its own users. */
import type { Database, Transaction } from "../database";
import type { ProjectGrant } from "../generated/sqlite/client";
import { readJson } from "../json-column";
import {
  type Conditions,
  conditions,
  countListed,
  type ListReading,
  listPage,
  matchesText,
  type Page,
  type TextWanted,
} from "../listing";
import type { UserGrantRow } from "../user-grant/user-grant";

export type ProjectGrantRow = ProjectGrant;
export type ProjectGrantState = "active" | "inactive";

/** Whether the project is granted to the organization, and the grant is active. */
export async function isProjectGranted(
  db: Database,
  { projectId, organizationId }: { projectId: string; organizationId: string },
): Promise<boolean> {
  const sql = `SELECT 1 AS "found" FROM "ProjectGrant"
    WHERE "projectId" = $1 AND "grantedOrganizationId" = $2 AND "state" = 'active'`;
  return (await db.one(sql, [projectId, organizationId])) !== undefined;
}

/** A project grant with both organizations. Times are epoch milliseconds. */
export interface ShownProjectGrant {
  id: string;
  projectId: string;
  projectName: string;
  ownerId: string;
  ownerName: string;
  grantedOrganizationId: string;
  grantedOrganizationName: string;
  roleKeys: string[];
  state: ProjectGrantState;
  createdAt: number;
  changedAt: number;
}

const COLUMNS = `pg."id", pg."projectId", p."name" AS "projectName", p."organizationId" AS "ownerId",
  w."name" AS "ownerName", pg."grantedOrganizationId", o."name" AS "grantedOrganizationName", pg."roleKeys",
  pg."state", pg."createdAt", pg."changedAt"`;
const FROM = `"ProjectGrant" pg JOIN "Project" p ON p."id" = pg."projectId"
  JOIN "Organization" w ON w."id" = p."organizationId"
  JOIN "Organization" o ON o."id" = pg."grantedOrganizationId"`;

/** The filter of a list of project grants; all given members must match. */
export interface ProjectGrantsWanted {
  id?: string;
  projectId?: string;
  projectName?: TextWanted;
  roleKey?: string;
  ownerId?: string;
  grantedOrganizationId?: string;
}

/** Conditions for grants of the organization's projects (`given`), or of projects granted to it (`received`). */
export function projectGrantsOf(side: "given" | "received", organizationId: string): Conditions {
  const where = conditions();
  const column = side === "given" ? `p."organizationId"` : `pg."grantedOrganizationId"`;
  where.all.push(`${column} = ${where.parameter(organizationId)}`);
  return where;
}

export function matchProjectGrants(db: Database, where: Conditions, wanted: ProjectGrantsWanted): void {
  for (const column of ["id", "projectId", "grantedOrganizationId"] as const) {
    const value = wanted[column];
    if (value !== undefined) where.all.push(`pg."${column}" = ${where.parameter(value)}`);
  }
  if (wanted.ownerId !== undefined) where.all.push(`p."organizationId" = ${where.parameter(wanted.ownerId)}`);
  if (wanted.projectName) where.all.push(matchesText(where, `p."name"`, wanted.projectName));
  if (wanted.roleKey === undefined) return;
  const key = where.parameter(wanted.roleKey);
  where.all.push(
    db.kind === "sqlite"
      ? `EXISTS (SELECT 1 FROM json_each(pg."roleKeys") k WHERE k."value" = ${key})`
      : `pg."roleKeys" @> jsonb_build_array(${key}::text)`,
  );
}

/** Returns project grants, by default newest first. */
export async function listProjectGrants(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownProjectGrant>> {
  const sort = { sql: `pg."id"`, kind: "text", descending } as const;
  const list = { columns: COLUMNS, from: FROM, where, sort, unique: `pg."projectId"` };
  const page = await listPage<ShownProjectGrant>(db, { ...list, ...reading });
  return { ...page, rows: page.rows.map((row) => ({ ...row, roleKeys: readJson<string[]>(row.roleKeys) })) };
}

export const countProjectGrants = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: FROM, where });

export const readProjectGrants = (tx: Transaction, projectId: string): Promise<ProjectGrantRow[]> =>
  tx.projectGrant.findMany({ where: { projectId }, orderBy: { id: "asc" } });

/** Returns a grant of this project; undefined if it belongs to another project. */
export async function readProjectGrant(
  tx: Transaction,
  key: { projectId: string; id: string },
): Promise<ProjectGrantRow | undefined> {
  return (await tx.projectGrant.findFirst({ where: key })) ?? undefined;
}

/** A grant of this project to this organization, with the owner of the project. */
export async function readReceivedGrant(
  tx: Transaction,
  key: { id: string; projectId: string; grantedOrganizationId: string },
): Promise<(ProjectGrantRow & { project: { organizationId: string } }) | undefined> {
  const include = { project: { select: { organizationId: true } } };
  return (await tx.projectGrant.findFirst({ where: key, include })) ?? undefined;
}

/** The user grants that depend on a project grant, with their users. */
export function readDependentGrants(
  tx: Transaction,
  projectGrantId: string,
): Promise<(UserGrantRow & { user: { id: string; organizationId: string } })[]> {
  const include = { user: { select: { id: true, organizationId: true } } };
  return tx.userGrant.findMany({ where: { projectGrantId }, include, orderBy: { id: "asc" } });
}

export async function insertProjectGrant(tx: Transaction, row: ProjectGrantRow): Promise<void> {
  await tx.projectGrant.create({ data: { ...row, roleKeys: row.roleKeys as string[] } });
}

export async function updateProjectGrant(
  tx: Transaction,
  id: string,
  { roleKeys, state }: { roleKeys?: readonly string[]; state?: ProjectGrantState },
  now: number,
): Promise<void> {
  await tx.projectGrant.update({
    where: { id },
    data: { state, changedAt: new Date(now), ...(roleKeys === undefined ? {} : { roleKeys: [...roleKeys] }) },
  });
}

export async function deleteProjectGrant(tx: Transaction, id: string): Promise<void> {
  await tx.projectGrant.deleteMany({ where: { id } });
}
