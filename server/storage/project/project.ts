/** Rows of projects and their roles, for changes. */
import type { Selectable } from "kysely";
import type { ProjectScope, TargetProject } from "../../protocol/project-scope";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import { bind, listStatement, type Params, tables, truth } from "../statement";

export type ProjectRow = Omit<Selectable<Tables["Project"]>, "scopes"> & { scopes: readonly ProjectScope[] | null };
export type ProjectRoleRow = Selectable<Tables["ProjectRole"]>;

const projects = tables.selectFrom("Project").selectAll().$castTo<ProjectRow>();

export function readProject(tx: Transaction, id: string): Promise<ProjectRow | undefined> {
  return readOne(tx, bind(projects.where("id", "=", id)));
}

/** Returns at most two projects with this name: enough to tell whether the name is unambiguous. */
export function readProjectsByName(tx: Transaction, organizationId: string, name: string): Promise<ProjectRow[]> {
  return readAll(tx, bind(projects.where((eb) => eb.and({ organizationId, name })).limit(2)));
}

export async function insertProject(tx: Transaction, row: ProjectRow): Promise<void> {
  await write(tx, bind(tables.insertInto("Project").values(row)));
}

export async function updateProjectRow(tx: Transaction, id: string, data: Partial<ProjectRow>): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("Project").set(data).where("id", "=", id)));
}

const owners = listStatement((_: Params<object>, ids) =>
  tables.selectFrom("Project").select(["id", "organizationId"]).where("id", "in", ids),
);

/** The organizations that own these projects, by project id; a project that does not exist is left out. */
export async function listProjectOwners(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.all(owners({}, ids));
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}

const targets = listStatement((_: Params<object>, ids) =>
  tables
    .selectFrom("Project as p")
    .innerJoin("Organization as o", "o.id", "p.organizationId")
    .select(["p.id", "p.name", "p.organizationId", "p.scopes", "p.rolesClaim"])
    .select((eb) => truth(eb.and({ "p.state": "active", "o.state": "active" })).as("isActive"))
    .where("p.id", "in", ids)
    .$narrowType<{ scopes: TargetProject["scopes"] | null }>(),
);

/** Returns those of these projects that exist, in no particular order. */
export async function listTargetProjects(db: Database, ids: readonly string[]): Promise<TargetProject[]> {
  const rows = await db.all(targets({}, ids));
  return rows.map((row) => ({ ...row, scopes: row.scopes ?? [], rolesClaim: row.rolesClaim ?? undefined }));
}

export function readProjectRoles(tx: Transaction, projectId: string): Promise<ProjectRoleRow[]> {
  return readAll(tx, bind(tables.selectFrom("ProjectRole").selectAll().where("projectId", "=", projectId)));
}

export async function insertProjectRole(tx: Transaction, row: ProjectRoleRow): Promise<void> {
  await write(tx, bind(tables.insertInto("ProjectRole").values(row)));
}

export async function updateProjectRole(
  tx: Transaction,
  projectId: string,
  roleKey: string,
  data: Partial<ProjectRoleRow>,
): Promise<void> {
  const update = tables.updateTable("ProjectRole").set(data);
  await writeOne(tx, bind(update.where((eb) => eb.and({ projectId, roleKey }))));
}

/** The project, locked until the transaction ends. SQLite has only one writer anyway. */
export function lockProject(
  db: Database,
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<ProjectRow | undefined> {
  const own = projects.where((eb) => eb.and({ id, organizationId }));
  return readOne(tx, bind(db.kind === "postgresql" ? own.forUpdate() : own));
}

/** Deletes a project with its apps, roles and grants, and its memberships, which no foreign key deletes. */
export async function deleteProject(tx: Transaction, id: string): Promise<void> {
  const grants = tables.selectFrom("ProjectGrant").select("id").where("projectId", "=", id);
  const memberships = tables
    .deleteFrom("Membership")
    .where((eb) =>
      eb.or([
        eb.and({ level: "project", levelId: id }),
        eb.and([eb("level", "=", "project_grant"), eb("levelId", "in", grants)]),
      ]),
    );
  await write(tx, bind(memberships));
  await writeOne(tx, bind(tables.deleteFrom("Project").where("id", "=", id)));
}

export async function deleteProjectRole(tx: Transaction, projectId: string, roleKey: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("ProjectRole").where((eb) => eb.and({ projectId, roleKey }))));
}
