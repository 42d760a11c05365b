/** Projects and their roles, for lists. */
import type { ProjectScope } from "../../protocol/project-scope";
import type { Database } from "../database";
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
} from "../listing";

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
