/** The permissions of a user as shown to the user: effective role grants and manager roles. */
import type { Database } from "../database";
import { readJson } from "../json-column";
import { type Conditions, conditions, countListed, type ListReading, listPage, type Page } from "../listing";
import { COUNTS_BY_PROJECT_GRANT } from "./user-grant";

/** Times are epoch milliseconds. */
export interface OwnGrant {
  id: string;
  userId: string;
  /** The organization that granted the roles. */
  organizationId: string;
  organizationName: string;
  organizationDomain: string | null;
  projectId: string;
  projectName: string;
  roleKeys: string[];
  createdAt: number;
  changedAt: number;
}

const COLUMNS = `g."id", g."userId", g."organizationId", o."name" AS "organizationName", p."id" AS "projectId",
  p."name" AS "projectName", g."roleKeys", g."createdAt", g."changedAt",
  (SELECT d."domain" FROM "Domain" d WHERE d."organizationId" = o."id" AND d."isPrimary" LIMIT 1) AS "organizationDomain"`;
const FROM = `"UserGrant" g JOIN "Project" p ON p."id" = g."projectId" JOIN "Organization" o ON o."id" = g."organizationId"`;

/**
 * Conditions for the effective grants of a user: those of active projects and organizations.
 * @param projectId undefined: of all projects
 */
export function grantsTo(userId: string, projectId?: string): Conditions {
  const where = conditions();
  where.all.push(`g."userId" = ${where.parameter(userId)}`);
  if (projectId !== undefined) where.all.push(`g."projectId" = ${where.parameter(projectId)}`);
  where.all.push(`g."state" = 'active' AND p."state" = 'active' AND o."state" = 'active'`);
  where.all.push(COUNTS_BY_PROJECT_GRANT);
  return where;
}

/** Returns grants, newest first. */
export async function listOwnGrants(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<OwnGrant>> {
  const sort = { sql: `g."id"`, kind: "text", descending } as const;
  const list = { columns: COLUMNS, from: FROM, where, sort, unique: `g."organizationId"` };
  const page = await listPage<OwnGrant>(db, { ...list, ...reading });
  return { ...page, rows: page.rows.map((row) => ({ ...row, roleKeys: readJson<string[]>(row.roleKeys) })) };
}

export const countOwnGrants = (db: Database, where: Conditions): Promise<number> =>
  countListed(db, { from: FROM, where });

/** Returns the project of an app; undefined for clients that are not apps. */
export async function findProjectOfClient(db: Database, clientId: string): Promise<string | undefined> {
  const row = await db.one<{ id: string }>(`SELECT "projectId" AS "id" FROM "App" WHERE "clientId" = $1`, [clientId]);
  return row?.id;
}

export interface OwnRole {
  level: "instance" | "organization" | "project";
  levelId: string;
  role: string;
  /** The name of the organization or project; null on the instance. */
  name: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Returns the manager roles of a user, ordered by level and object. */
export function listOwnRoles(db: Database, userId: string): Promise<OwnRole[]> {
  return db.all<OwnRole>(
    `SELECT m."level", m."levelId", m."role", m."createdAt", COALESCE(o."name", p."name") AS "name"
       FROM "Membership" m
       LEFT JOIN "Organization" o ON m."level" = 'organization' AND o."id" = m."levelId"
       LEFT JOIN "Project" p ON m."level" = 'project' AND p."id" = m."levelId"
      WHERE m."userId" = $1 ORDER BY m."level", m."levelId", m."role"`,
    [userId],
  );
}
