/** Projects and their roles, for lists. */
import type { PrivateLabelingSetting } from "../../protocol/private-labeling";
import type { ProjectScope } from "../../protocol/project-scope";
import type { Database } from "../database";
import type { Heads, TextWanted } from "../listing";
import { type Filter, isOneOf, rowList, textMatches } from "../pages";
import { bind, columnsIn, tables } from "../statement";
import { listResourceUris } from "./resources";

export interface ShownProject extends Heads {
  id: string;
  name: string;
  state: "active" | "inactive";
  projectRoleAssertion: boolean;
  projectRoleCheck: boolean;
  hasProjectCheck: boolean;
  /** Null: unspecified. */
  privateLabelingSetting: PrivateLabelingSetting | null;
  scopes: readonly ProjectScope[];
  rolesClaim: string | null;
  resources: readonly string[];
}

type ProjectColumns = Omit<ShownProject, "resources">;

/** The tables of the conditions: `p` is a project, `r` a role. */
const eb = columnsIn<{ p: "Project"; r: "ProjectRole" }>();

const projects = (where: Filter) =>
  tables
    .selectFrom("Project as p")
    .innerJoin("Aggregate as h", (join) => join.onRef("h.id", "=", "p.id").on("h.type", "=", "project"))
    .select(["p.id", "p.name", "p.state", "p.projectRoleAssertion", "p.projectRoleCheck", "p.hasProjectCheck"])
    .select(["p.privateLabelingSetting"])
    .select(["p.scopes", "p.rolesClaim", "h.sequence", "h.createdAt", "h.changedAt", "h.resourceOwner"])
    .where(eb.and(where))
    .$narrowType<{
      state: ShownProject["state"];
      privateLabelingSetting: PrivateLabelingSetting | null;
      scopes: readonly ProjectScope[] | null;
    }>();

const shown = <Row extends { scopes: readonly ProjectScope[] | null }>(row: Row) => ({
  ...row,
  scopes: row.scopes ?? [],
});

export async function findProject(db: Database, organizationId: string, id: string): Promise<ShownProject | undefined> {
  const row = await db.one(bind(projects([eb.and({ "p.id": id, "p.organizationId": organizationId })])));
  if (!row) return undefined;
  const [project] = await withResources(db, [shown(row)]);
  return project;
}

async function withResources(db: Database, rows: readonly ProjectColumns[]): Promise<ShownProject[]> {
  const resources = await listResourceUris(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, resources: resources.get(row.id) ?? [] }));
}

/**
 * Conditions for the projects of an organization.
 * @param ids only these; not empty
 */
export function projectsOf(organizationId: string, ids?: readonly string[]): Filter {
  const own = eb("p.organizationId", "=", organizationId);
  return ids ? [own, eb("p.id", "in", ids)] : [own];
}

export interface ProjectsWanted {
  ids?: readonly string[];
  organizationId?: string;
  name?: TextWanted;
  state?: "active" | "inactive";
}

export function matchProjects(where: Filter, wanted: ProjectsWanted): void {
  if (wanted.ids) where.push(isOneOf(eb.ref("p.id"), wanted.ids));
  if (wanted.organizationId !== undefined) where.push(eb("p.organizationId", "=", wanted.organizationId));
  if (wanted.name) where.push(textMatches(eb.ref("p.name"), wanted.name));
  if (wanted.state) where.push(eb("p.state", "=", wanted.state));
}

/** Projects, ordered by name. */
export const projectList = rowList(projects, { sort: "p.name", unique: "p.id" }, (db, rows) =>
  withResources(db, rows.map(shown)),
);

export interface ShownRole {
  roleKey: string;
  displayName: string;
  group: string | null;
  createdAt: number;
  /** Null: as it was added. */
  changedAt: number | null;
}

const roles = (where: Filter) =>
  tables
    .selectFrom("ProjectRole as r")
    .select(["r.roleKey", "r.displayName", "r.group", "r.createdAt", "r.changedAt"])
    .where(eb.and(where));

export const rolesOfProject = (projectId: string): Filter => [eb("r.projectId", "=", projectId)];

export function matchRoles(where: Filter, column: "roleKey" | "displayName", wanted: TextWanted): void {
  where.push(textMatches(eb.ref(`r.${column}`), wanted));
}

/** Roles, ordered by key. */
export const projectRoleList = rowList(roles, { sort: "r.roleKey", unique: "r.projectId" });
