/** Rows of projects and their roles, for changes. */
import type { TargetProject } from "../../protocol/project-scope";
import type { Database, Transaction } from "../database";
import type { Project, ProjectRole } from "../generated/sqlite/client";
import { readJson } from "../json-column";

export type ProjectRow = Project;
export type ProjectRoleRow = ProjectRole;

export async function readProject(tx: Transaction, id: string): Promise<ProjectRow | undefined> {
  return (await tx.project.findUnique({ where: { id } })) ?? undefined;
}

/** Returns at most two projects with this name: enough to tell whether the name is unambiguous. */
export function readProjectsByName(tx: Transaction, organizationId: string, name: string): Promise<ProjectRow[]> {
  return tx.project.findMany({ where: { organizationId, name }, take: 2 });
}

export async function insertProject(tx: Transaction, row: ProjectRow): Promise<void> {
  await tx.project.create({ data: row as Parameters<Transaction["project"]["create"]>[0]["data"] });
}

export async function updateProjectRow(tx: Transaction, id: string, data: Partial<ProjectRow>): Promise<void> {
  await tx.project.update({ where: { id }, data: data as object });
}

/** The organizations that own these projects, by project id; a project that does not exist is left out. */
export async function listProjectOwners(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const marks = ids.map((_, index) => `$${index + 1}`).join(", ");
  const sql = `SELECT "id", "organizationId" FROM "Project" WHERE "id" IN (${marks})`;
  const rows = await db.all<{ id: string; organizationId: string }>(sql, [...ids]);
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}

/** Returns those of these projects that exist, in no particular order. */
export async function listTargetProjects(db: Database, ids: readonly string[]): Promise<TargetProject[]> {
  const marks = ids.map((_, index) => `$${index + 1}`).join(", ");
  const rows = await db.all<Omit<TargetProject, "scopes"> & { scopes: unknown; rolesClaim: string | null }>(
    `SELECT p."id", p."name", p."organizationId", p."scopes", p."rolesClaim",
            (p."state" = 'active' AND o."state" = 'active') AS "isActive"
       FROM "Project" p
       JOIN "Organization" o ON o."id" = p."organizationId"
      WHERE p."id" IN (${marks})`,
    [...ids],
  );
  return rows.map(({ id, name, organizationId, isActive, scopes, rolesClaim }) => ({
    id,
    name,
    organizationId,
    isActive: Boolean(isActive),
    scopes: readJson<TargetProject["scopes"] | null>(scopes) ?? [],
    rolesClaim: rolesClaim ?? undefined,
  }));
}

export function readProjectRoles(tx: Transaction, projectId: string): Promise<ProjectRoleRow[]> {
  return tx.projectRole.findMany({ where: { projectId } });
}

export async function insertProjectRole(tx: Transaction, row: ProjectRoleRow): Promise<void> {
  await tx.projectRole.create({ data: row });
}

export async function updateProjectRole(
  tx: Transaction,
  projectId: string,
  roleKey: string,
  data: Partial<ProjectRoleRow>,
): Promise<void> {
  await tx.projectRole.update({ where: { projectId_roleKey: { projectId, roleKey } }, data });
}

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
