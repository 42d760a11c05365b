/** Role grants for lists, with their users and projects. */
import type { Database } from "../database";
import type { ListReading, Page } from "../listing";
import { countSelected, type Filter, listRows } from "../pages";
import { columnsIn, tables } from "../statement";
import { includesRole } from "./user-grant";

/** Times are epoch milliseconds. */
export interface ShownGrant {
  id: string;
  userId: string;
  userName: string;
  /** Null for machine users and for persons without one. */
  displayName: string | null;
  userOrganizationId: string;
  projectId: string;
  projectName: string;
  /** The project grant that it depends on; null if the organization owns the project. */
  projectGrantId: string | null;
  roleKeys: string[];
  state: "active" | "inactive";
  createdAt: number;
  changedAt: number;
}

/** The tables of the conditions: `g` is the grant. */
const eb = columnsIn<{ g: "UserGrant" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("UserGrant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .innerJoin("Project as p", "p.id", "g.projectId")
    .select(["g.id", "g.userId", "u.userName", "u.organizationId as userOrganizationId", "g.projectId"])
    .select(["p.name as projectName", "g.projectGrantId", "g.roleKeys", "g.state", "g.createdAt", "g.changedAt"])
    .select((of) => of.fn.coalesce("u.displayName", "u.name").as("displayName"))
    .where(eb.and(where))
    .$castTo<ShownGrant>();

/**
 * Conditions for the grants of an organization.
 * @param projectIds only of these projects; not empty
 */
export function grantsOf(organizationId: string, projectIds?: readonly string[]): Filter {
  const own = eb("g.organizationId", "=", organizationId);
  return projectIds ? [own, eb("g.projectId", "in", projectIds)] : [own];
}

export interface GrantsWanted {
  id?: string;
  userId?: string;
  projectId?: string;
  state?: "active" | "inactive";
  roleKey?: string;
}

export function matchGrants(db: Database, where: Filter, wanted: GrantsWanted): void {
  for (const column of ["id", "userId", "projectId", "state"] as const) {
    const value = wanted[column];
    if (value !== undefined) where.push(eb(`g.${column}`, "=", value));
  }
  if (wanted.roleKey !== undefined) where.push(includesRole(db.kind, eb.ref("g.roleKeys"), wanted.roleKey));
}

/** Returns grants, by default newest first. */
export const listGrants = (db: Database, where: Filter, reading: ListReading): Promise<Page<ShownGrant>> =>
  listRows(db, select(where), { sort: "g.id", unique: "g.organizationId", ...reading });

export const countGrants = (db: Database, where: Filter): Promise<number> => countSelected(db, select(where));
