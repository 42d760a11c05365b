/** Role grants for lists, with their users and projects. */
import type { Database } from "../database";
import type { TextWanted } from "../listing";
import { type Filter, isOneOf, rowList, textMatches } from "../pages";
import { columnsIn, tables } from "../statement";
import { matchRowUsers, type RowUserWanted } from "../user/of-rows";
import { shownLoginName } from "../user/sign-in-names";
import { holdsRole } from "./user-grant";

/** Times are epoch milliseconds. */
export interface ShownGrant {
  id: string;
  userId: string;
  userName: string;
  /** Null for machine users and for persons without one. */
  displayName: string | null;
  loginName: string;
  firstName: string | null;
  lastName: string | null;
  kind: "human" | "machine";
  userOrganizationId: string;
  /** Whose grant it is. */
  organizationId: string;
  organizationName: string;
  projectId: string;
  projectName: string;
  projectOwnerId: string;
  /** The project grant that it depends on; null if the organization owns the project. */
  projectGrantId: string | null;
  roleKeys: string[];
  state: "active" | "inactive";
  createdAt: number;
  changedAt: number;
}

/** The tables of the conditions: `g` is the grant, `p` the project. */
const eb = columnsIn<{ g: "UserGrant"; p: "Project" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("UserGrant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .innerJoin("Project as p", "p.id", "g.projectId")
    .innerJoin("Organization as o", "o.id", "g.organizationId")
    .select(["g.id", "g.userId", "u.userName", "u.organizationId as userOrganizationId", "g.projectId"])
    .select(["p.name as projectName", "g.projectGrantId", "g.roleKeys", "g.state", "g.createdAt", "g.changedAt"])
    .select(["u.firstName", "u.lastName", "u.kind", "g.organizationId", "o.name as organizationName"])
    .select("p.organizationId as projectOwnerId")
    .select((of) => [of.fn.coalesce("u.displayName", "u.name").as("displayName"), shownLoginName().as("loginName")])
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

export interface GrantsWanted extends RowUserWanted {
  id?: string;
  ids?: readonly string[];
  userId?: string;
  projectId?: string;
  projectGrantId?: string;
  projectName?: TextWanted;
  state?: "active" | "inactive";
  roleKey?: TextWanted;
}

export function matchGrants(db: Database, where: Filter, wanted: GrantsWanted): void {
  for (const column of ["id", "userId", "projectId", "projectGrantId", "state"] as const) {
    const value = wanted[column];
    if (value !== undefined) where.push(eb(`g.${column}`, "=", value));
  }
  if (wanted.ids) where.push(isOneOf(eb.ref("g.id"), wanted.ids));
  if (wanted.projectName) where.push(textMatches(eb.ref("p.name"), wanted.projectName));
  if (wanted.roleKey) where.push(holdsRole(db.kind, eb.ref("g.roleKeys"), wanted.roleKey));
  matchRowUsers(where, wanted);
}

/** Grants, newest first. */
export const userGrantList = rowList(select, { sort: "g.id", unique: "g.organizationId", isDescending: true });
