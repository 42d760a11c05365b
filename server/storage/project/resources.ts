/** Rows of the resources of projects (RFC 8707). */
import type { Selectable } from "kysely";
import type { ProjectScope } from "../../protocol/project-scope";
import type { Resource } from "../../protocol/resource";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, write } from "../in-transaction";
import { bind, listStatement, type Params, tables, truth } from "../statement";

export type ResourceRow = Selectable<Tables["ProjectResource"]>;

const resources = listStatement((_: Params<object>, keys) =>
  tables
    .selectFrom("ProjectResource as r")
    .innerJoin("Project as p", "p.id", "r.projectId")
    .innerJoin("Organization as o", "o.id", "p.organizationId")
    .select(["r.key", "r.uri", "r.createdAt", "p.id", "p.name", "p.organizationId", "p.scopes", "p.rolesClaim"])
    .select(["p.projectRoleCheck as roleCheck", "p.hasProjectCheck as organizationCheck"])
    .select((eb) => truth(eb.and({ "p.state": "active", "o.state": "active" })).as("isActive"))
    .where("r.key", "in", keys)
    .$narrowType<{ scopes: readonly ProjectScope[] | null }>(),
);

const verifiedDomains = listStatement((_: Params<object>, organizationIds) =>
  tables
    .selectFrom("Domain")
    .select(["organizationId", "domain"])
    .where("organizationId", "in", organizationIds)
    .where("isVerified", "=", true),
);

/** Returns those of these resources that exist, each with the domains that its organization has proven. */
export async function listResources(
  db: Database,
  keys: readonly string[],
): Promise<(Resource & { domains: readonly string[] })[]> {
  const rows = await db.all(resources({}, keys));
  const owners = [...new Set(rows.map(({ organizationId }) => organizationId))];
  const proven = owners.length === 0 ? [] : await db.all(verifiedDomains({}, owners));
  return rows.map(({ key, uri, createdAt, ...project }) => ({
    ...{ key, uri, createdAt },
    domains: proven.flatMap((row) => (row.organizationId === project.organizationId ? row.domain : [])),
    project: { ...project, scopes: project.scopes ?? [], rolesClaim: project.rolesClaim ?? undefined },
  }));
}

const urisOf = listStatement((_: Params<object>, projectIds) =>
  tables
    .selectFrom("ProjectResource")
    .select(["projectId", "uri"])
    .where("projectId", "in", projectIds)
    .orderBy("createdAt")
    .orderBy("key"),
);

/** Returns the URIs of the projects' resources, by project, in the order in which they were added. */
export async function listResourceUris(db: Database, projectIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = projectIds.length === 0 ? [] : await db.all(urisOf({}, projectIds));
  return new Map(projectIds.map((id) => [id, rows.flatMap(({ projectId, uri }) => (projectId === id ? uri : []))]));
}

export function readProjectResources(tx: Transaction, projectId: string): Promise<ResourceRow[]> {
  const own = tables.selectFrom("ProjectResource").selectAll().where("projectId", "=", projectId);
  return readAll(tx, bind(own.orderBy("createdAt").orderBy("key")));
}

/** Returns which of these keys any project has. */
export async function readTakenResources(tx: Transaction, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const taken = await readAll(tx, bind(tables.selectFrom("ProjectResource").select("key").where("key", "in", keys)));
  return taken.map(({ key }) => key);
}

export async function insertResources(tx: Transaction, rows: readonly ResourceRow[]): Promise<void> {
  if (rows.length > 0) await write(tx, bind(tables.insertInto("ProjectResource").values(rows)));
}

export async function deleteResources(tx: Transaction, projectId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const gone = tables.deleteFrom("ProjectResource").where("projectId", "=", projectId).where("key", "in", keys);
  await write(tx, bind(gone));
}
