/** Projects and their roles, for lists and for changes of a project. */
import type { ProjectScope } from "../protocol/project-scope";
import type { ProjectRow } from "./apps";
import type { Database, Transaction } from "./database";
import { readJson } from "./json-column";
import { type Conditions, type Cursor, conditions, countListed, listPage, matchesText, type Page } from "./listing";

/** The creation and the last change of an object, and its event count. Times are epoch milliseconds. */
export interface Heads {
  sequence: number;
  createdAt: number;
  changedAt: number;
  resourceOwner: string;
}

export interface ShownProject extends Heads {
  id: string;
  name: string;
  state: "active" | "inactive";
  /** Booleans, may be 0 or 1. */
  projectRoleAssertion: boolean | number;
  projectRoleCheck: boolean | number;
  hasProjectCheck: boolean | number;
  scopes: readonly ProjectScope[];
  rolesClaim: string | null;
}

export const HEADS = `h."sequence", h."createdAt", h."changedAt", h."resourceOwner"`;

const COLUMNS = `p."id", p."name", p."state", p."projectRoleAssertion", p."projectRoleCheck", p."hasProjectCheck",
  p."scopes", p."rolesClaim", ${HEADS}`;
const FROM = `"Project" p JOIN "Aggregate" h ON h."type" = 'project' AND h."id" = p."id"`;

const shown = (row: ShownProject): ShownProject => ({
  ...row,
  scopes: readJson<ShownProject["scopes"] | null>(row.scopes) ?? [],
});

export async function findProject(db: Database, organizationId: string, id: string): Promise<ShownProject | undefined> {
  const sql = `SELECT ${COLUMNS} FROM ${FROM} WHERE p."id" = $1 AND p."organizationId" = $2`;
  const row = await db.one<ShownProject>(sql, [id, organizationId]);
  return row && shown(row);
}

/** The position where a list continues, and its direction. */
export interface ListReading {
  after: Cursor | undefined;
  offset: number;
  limit: number;
  descending: boolean;
}

/**
 * Conditions for the projects of an organization.
 * @param ids only these; not empty
 */
export function projectsOf(organizationId: string, ids?: readonly string[]): Conditions {
  const where = conditions();
  where.all.push(`p."organizationId" = ${where.parameter(organizationId)}`);
  if (ids) where.all.push(`p."id" IN (${ids.map((id) => where.parameter(id)).join(", ")})`);
  return where;
}

type TextWanted = Parameters<typeof matchesText>[2];

export function matchProjects(where: Conditions, wanted: { name?: TextWanted; state?: "active" | "inactive" }): void {
  if (wanted.name) where.all.push(matchesText(where, `p."name"`, wanted.name));
  if (wanted.state) where.all.push(`p."state" = ${where.parameter(wanted.state)}`);
}

/** Returns projects, ordered by name. */
export async function listProjects(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownProject>> {
  const sort = { sql: `p."name"`, kind: "text", descending } as const;
  const page = await listPage<ShownProject>(db, {
    columns: COLUMNS,
    from: FROM,
    where,
    sort,
    unique: `p."id"`,
    ...reading,
  });
  return { ...page, rows: page.rows.map(shown) };
}

export const countProjects = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: FROM, where });

export interface ShownRole {
  roleKey: string;
  displayName: string;
  group: string | null;
  createdAt: number;
}

const ROLE_FROM = `"ProjectRole" r`;

export function rolesOfProject(projectId: string): Conditions {
  const where = conditions();
  where.all.push(`r."projectId" = ${where.parameter(projectId)}`);
  return where;
}

export function matchRoles(where: Conditions, column: "roleKey" | "displayName", wanted: TextWanted): void {
  where.all.push(matchesText(where, `r."${column}"`, wanted));
}

/** Returns roles, ordered by key. */
export function listProjectRoles(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownRole>> {
  const columns = `r."roleKey", r."displayName", r."group", r."createdAt"`;
  const sort = { sql: `r."roleKey"`, kind: "text", descending } as const;
  return listPage(db, { columns, from: ROLE_FROM, where, sort, unique: `r."projectId"`, ...reading });
}

export const countProjectRoles = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: ROLE_FROM, where });

/** The project, locked until the transaction ends. */
export async function lockProject(
  db: Database,
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<ProjectRow | undefined> {
  // SQLite has only one writer anyway.
  if (db.kind === "postgresql") await tx.$queryRaw`SELECT 1 FROM "Project" WHERE "id" = ${id} FOR UPDATE`;
  return (await tx.project.findFirst({ where: { id, organizationId } })) ?? undefined;
}

/** Deletes a project with its apps, roles and grants, and its memberships, which no foreign key deletes. */
export async function deleteProject(tx: Transaction, id: string): Promise<void> {
  await tx.membership.deleteMany({ where: { level: "project", levelId: id } });
  await tx.project.delete({ where: { id } });
}

export async function deleteProjectRole(tx: Transaction, projectId: string, roleKey: string): Promise<void> {
  await tx.projectRole.delete({ where: { projectId_roleKey: { projectId, roleKey } } });
}
