/** Rows of project grants: projects whose roles another organization may give to its own users. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import type { TextWanted } from "../listing";
import { type Filter, isOneOf, rowList, textMatches } from "../pages";
import { bind, columnsIn, type Params, statement, tables } from "../statement";
import { holdsRole } from "../user-grant/user-grant";
import type { ShownProject } from "./list";

export type ProjectGrantRow = Omit<Selectable<Tables["ProjectGrant"]>, "roleKeys"> & { roleKeys: string[] };
export type ProjectGrantState = "active" | "inactive";

const activeGrant = statement(($: Params<{ projectId: string; organizationId: string }>) =>
  tables
    .selectFrom("ProjectGrant")
    .select("id")
    .where("projectId", "=", $("projectId"))
    .where("grantedOrganizationId", "=", $("organizationId"))
    .where("state", "=", "active"),
);

export async function findActiveProjectGrant(
  db: Database,
  ids: { projectId: string; organizationId: string },
): Promise<string | undefined> {
  return (await db.one(activeGrant(ids)))?.id;
}

/** Whether the project is granted to the organization, and the grant is active. */
export const isProjectGranted = async (
  db: Database,
  ids: { projectId: string; organizationId: string },
): Promise<boolean> => (await findActiveProjectGrant(db, ids)) !== undefined;

/** A project grant with both organizations. Times are epoch milliseconds. */
export interface ShownProjectGrant
  extends Pick<
    ShownProject,
    "projectRoleAssertion" | "projectRoleCheck" | "hasProjectCheck" | "privateLabelingSetting"
  > {
  id: string;
  projectId: string;
  projectName: string;
  projectState: ShownProject["state"];
  ownerId: string;
  ownerName: string;
  grantedOrganizationId: string;
  grantedOrganizationName: string;
  roleKeys: string[];
  state: ProjectGrantState;
  createdAt: number;
  changedAt: number;
}

/** The tables of the conditions: `pg` is the grant, `p` the project. */
const eb = columnsIn<{ pg: "ProjectGrant"; p: "Project" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("ProjectGrant as pg")
    .innerJoin("Project as p", "p.id", "pg.projectId")
    .innerJoin("Organization as w", "w.id", "p.organizationId")
    .innerJoin("Organization as o", "o.id", "pg.grantedOrganizationId")
    .select(["pg.id", "pg.projectId", "p.name as projectName", "p.organizationId as ownerId", "w.name as ownerName"])
    .select(["pg.grantedOrganizationId", "o.name as grantedOrganizationName", "pg.roleKeys", "pg.state"])
    .select(["pg.createdAt", "pg.changedAt", "p.state as projectState", "p.projectRoleAssertion"])
    .select(["p.projectRoleCheck", "p.hasProjectCheck", "p.privateLabelingSetting"])
    .where(eb.and(where))
    .$castTo<ShownProjectGrant>();

/** The filter of a list of project grants; all given members must match. */
export interface ProjectGrantsWanted {
  id?: string;
  projectId?: string;
  projectIds?: readonly string[];
  projectName?: TextWanted;
  roleKey?: TextWanted;
  ownerId?: string;
  grantedOrganizationId?: string;
}

/** Conditions for grants of the organization's projects (`given`), or of projects granted to it (`received`). */
export function projectGrantsOf(side: "given" | "received", organizationId: string): Filter {
  return [eb(side === "given" ? "p.organizationId" : "pg.grantedOrganizationId", "=", organizationId)];
}

export function matchProjectGrants(db: Database, where: Filter, wanted: ProjectGrantsWanted): void {
  for (const column of ["id", "projectId", "grantedOrganizationId"] as const) {
    const value = wanted[column];
    if (value !== undefined) where.push(eb(`pg.${column}`, "=", value));
  }
  if (wanted.projectIds) where.push(isOneOf(eb.ref("p.id"), wanted.projectIds));
  if (wanted.ownerId !== undefined) where.push(eb("p.organizationId", "=", wanted.ownerId));
  if (wanted.projectName) where.push(textMatches(eb.ref("p.name"), wanted.projectName));
  if (wanted.roleKey) where.push(holdsRole(db.kind, eb.ref("pg.roleKeys"), wanted.roleKey));
}

/** Project grants, newest first. */
export const grantedProjectList = rowList(select, { sort: "pg.id", unique: "pg.projectId", isDescending: true });

const grants = tables.selectFrom("ProjectGrant").selectAll().$castTo<ProjectGrantRow>();

export const readProjectGrants = (tx: Transaction, projectId: string): Promise<ProjectGrantRow[]> =>
  readAll(tx, bind(grants.where("projectId", "=", projectId).orderBy("id")));

/** Returns a grant of this project; undefined if it belongs to another project. */
export function readProjectGrant(
  tx: Transaction,
  { projectId, id }: { projectId: string; id: string },
): Promise<ProjectGrantRow | undefined> {
  return readOne(tx, bind(grants.where((of) => of.and({ projectId, id }))));
}

/** A grant of this project to this organization, with the owner of the project. */
export function readReceivedGrant(
  tx: Transaction,
  { id, projectId, grantedOrganizationId }: { id: string; projectId: string; grantedOrganizationId: string },
): Promise<(ProjectGrantRow & { ownerId: string }) | undefined> {
  const received = tables
    .selectFrom("ProjectGrant as pg")
    .innerJoin("Project as p", "p.id", "pg.projectId")
    .selectAll("pg")
    .select("p.organizationId as ownerId")
    .where(eb.and({ "pg.id": id, "pg.projectId": projectId, "pg.grantedOrganizationId": grantedOrganizationId }));
  return readOne(tx, bind(received.$narrowType<{ roleKeys: string[] }>()));
}

export async function insertProjectGrant(tx: Transaction, row: ProjectGrantRow): Promise<void> {
  await write(tx, bind(tables.insertInto("ProjectGrant").values(row)));
}

export async function updateProjectGrant(
  tx: Transaction,
  id: string,
  { roleKeys, state }: { roleKeys?: readonly string[]; state?: ProjectGrantState },
  now: number,
): Promise<void> {
  const update = tables.updateTable("ProjectGrant").set({ roleKeys, state, changedAt: now });
  await writeOne(tx, bind(update.where("id", "=", id)));
}

/** Deletes a grant with its memberships, which no foreign key deletes. */
export async function deleteProjectGrant(tx: Transaction, id: string): Promise<void> {
  const memberships = tables.deleteFrom("Membership").where((of) => of.and({ level: "project_grant", levelId: id }));
  await write(tx, bind(memberships));
  await write(tx, bind(tables.deleteFrom("ProjectGrant").where("id", "=", id)));
}
