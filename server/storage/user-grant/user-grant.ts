/**
 * Rows of role grants, which become claims of the reserved scopes. A grant is effective only while it, its project and
 * the granting organization are active. A grant of a granted project is effective only while the project grant is
 * active and includes the role.
 */
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import type { TextWanted } from "../listing";
import { textMatches } from "../pages";
import { bind, columnsIn, listStatement, type Params, statement, tables } from "../statement";

/** Returns the condition that the project grant that a user grant `g` of the project `p` depends on is active. */
export function countsByProjectGrant(): Expression<SqlBool> {
  const eb = columnsIn<{ g: "UserGrant"; p: "Project" }>();
  const active = tables
    .selectFrom("ProjectGrant as pg")
    .innerJoin("Organization as po", (join) => join.on("po.state", "=", "active"))
    .select("pg.id")
    .where("po.id", "=", eb.ref("p.organizationId"))
    .where("pg.id", "=", eb.ref("g.projectGrantId"))
    .where("pg.projectId", "=", eb.ref("g.projectId"))
    .where("pg.grantedOrganizationId", "=", eb.ref("g.organizationId"))
    .where("pg.state", "=", "active");
  return eb.or([eb("g.projectGrantId", "is", null), eb.exists(active)]);
}

/** Returns the condition that a JSON array of keys includes a role. */
export const includesRole = (kind: Database["kind"], keys: Expression<unknown>, role: string): Expression<SqlBool> =>
  kind === "sqlite"
    ? sql`exists (select 1 from json_each(${keys}) as k where k."value" = ${role})`
    : sql`${keys} @> jsonb_build_array(${role}::text)`;

/** Whether a list of role keys holds one that is searched for. */
export function holdsRole(kind: Database["kind"], keys: Expression<unknown>, wanted: TextWanted): Expression<SqlBool> {
  if (wanted.match === "equals" && !wanted.ignoreCase) return includesRole(kind, keys, wanted.text);
  const each = kind === "sqlite" ? sql`json_each(${keys})` : sql`jsonb_array_elements_text(${keys})`;
  return sql`exists (select 1 from ${each} as k where ${textMatches(sql.ref("k.value"), wanted)})`;
}

export type UserGrantRow = Omit<Selectable<Tables["UserGrant"]>, "roleKeys"> & { roleKeys: string[] };
/** With the user that has it. */
export type GrantAndUser = UserGrantRow & { user: { id: string; organizationId: string } };

/** The roles of one project that one organization gave a user. */
export interface GrantedRoles {
  projectId: string;
  organizationId: string;
  /** The organization's primary domain; null if it has none. */
  primaryDomain: string | null;
  roleKeys: string[];
}

const activeGrants = listStatement(($: Params<{ userId: string }>, projectIds) =>
  tables
    .selectFrom("UserGrant as g")
    .innerJoin("Project as p", "p.id", "g.projectId")
    .innerJoin("Organization as o", "o.id", "g.organizationId")
    .leftJoin("Domain as d", (join) =>
      join.onRef("d.organizationId", "=", "g.organizationId").on("d.isPrimary", "=", true),
    )
    .leftJoin("ProjectGrant as r", "r.id", "g.projectGrantId")
    .select(["g.projectId", "g.organizationId", "g.roleKeys", "d.domain as primaryDomain", "r.roleKeys as grantable"])
    .where("g.userId", "=", $("userId"))
    .where("g.projectId", "in", projectIds)
    .where("g.state", "=", "active")
    .where("p.state", "=", "active")
    .where("o.state", "=", "active")
    .where(countsByProjectGrant())
    .orderBy("g.createdAt")
    .orderBy("g.id")
    .$narrowType<{ roleKeys: string[]; grantable: string[] | null }>(),
);

const rolesOf = listStatement((_: Params<object>, projectIds) =>
  tables.selectFrom("ProjectRole").select(["projectId", "roleKey"]).where("projectId", "in", projectIds),
);

/** A user's active grants in these projects. Roles that the project no longer has are left out. */
export async function listGrantedRoles(
  db: Database,
  userId: string,
  projectIds: readonly string[],
): Promise<GrantedRoles[]> {
  if (projectIds.length === 0) return [];
  const [grants, roles] = await Promise.all([
    db.all(activeGrants({ userId }, projectIds)),
    db.all(rolesOf({}, projectIds)),
  ]);
  const known = new Set(roles.map(({ projectId, roleKey }) => `${projectId}\n${roleKey}`));
  return grants.map(({ grantable, ...grant }) => {
    const counts = (key: string) => known.has(`${grant.projectId}\n${key}`) && (grantable?.includes(key) ?? true);
    return { ...grant, roleKeys: grant.roleKeys.filter(counts) };
  });
}

const anyGrant = statement(($: Params<{ userId: string; projectId: string }>) =>
  tables
    .selectFrom("UserGrant as g")
    .innerJoin("Project as p", "p.id", "g.projectId")
    .select("g.id")
    .where("g.userId", "=", $("userId"))
    .where("g.projectId", "=", $("projectId"))
    .where("g.state", "=", "active")
    .where(countsByProjectGrant())
    .limit(1),
);

/** Whether the user has an active grant of the project, whatever its roles. */
export async function hasUserGrant(db: Database, userId: string, projectId: string): Promise<boolean> {
  return (await db.one(anyGrant({ userId, projectId }))) !== undefined;
}

/** The organization a user belongs to, for claims about it. */
export interface HomeOrganization {
  id: string;
  name: string;
  primaryDomain: string | null;
}

const home = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("User as u")
    .innerJoin("Organization as o", "o.id", "u.organizationId")
    .leftJoin("Domain as d", (join) => join.onRef("d.organizationId", "=", "o.id").on("d.isPrimary", "=", true))
    .select(["o.id", "o.name", "d.domain as primaryDomain"])
    .where("u.id", "=", $("userId")),
);

export function findHomeOrganization(db: Database, userId: string): Promise<HomeOrganization | undefined> {
  return db.one(home({ userId }));
}

export function readUserGrant(
  tx: Transaction,
  { userId, projectId, organizationId }: Pick<UserGrantRow, "userId" | "projectId" | "organizationId">,
): Promise<UserGrantRow | undefined> {
  const grant = tables.selectFrom("UserGrant").selectAll().$narrowType<{ roleKeys: string[] }>();
  return readOne(tx, bind(grant.where((eb) => eb.and({ userId, projectId, organizationId }))));
}

const grantsAndUsers = tables
  .selectFrom("UserGrant as g")
  .innerJoin("User as u", "u.id", "g.userId")
  .selectAll("g")
  .select("u.organizationId as userOrganizationId")
  .orderBy("g.id")
  .$narrowType<{ roleKeys: string[] }>();

/** Returns user grants `g` with their users, ordered by id. */
async function readGrantsAndUsers(tx: Transaction, where: Expression<SqlBool>[]): Promise<GrantAndUser[]> {
  const rows = await readAll(tx, bind(grantsAndUsers.where((eb) => eb.and(where))));
  return rows.map(({ userOrganizationId: organizationId, ...row }) => ({
    ...row,
    user: { id: row.userId, organizationId },
  }));
}

const grants = columnsIn<{ g: "UserGrant" }>();

/** All grants of a project that include the role, with their users. */
export function readGrantsWithRole(
  db: Database,
  tx: Transaction,
  projectId: string,
  roleKey: string,
): Promise<GrantAndUser[]> {
  const holding = includesRole(db.kind, grants.ref("g.roleKeys"), roleKey);
  return readGrantsAndUsers(tx, [grants("g.projectId", "=", projectId), holding]);
}

/** The user grants that depend on a project grant, with their users. */
export function readDependentGrants(tx: Transaction, projectGrantId: string): Promise<GrantAndUser[]> {
  return readGrantsAndUsers(tx, [grants("g.projectGrantId", "=", projectGrantId)]);
}

/** Returns a grant of this organization to this user, with the user; undefined for any other. */
export async function readGrantOfUser(
  tx: Transaction,
  { organizationId, userId, id }: { organizationId: string; userId: string; id: string },
): Promise<GrantAndUser | undefined> {
  const own = grants.and({ "g.organizationId": organizationId, "g.userId": userId, "g.id": id });
  return (await readGrantsAndUsers(tx, [own]))[0];
}

/** Returns those of the grants that belong to this organization, ordered by id. */
export async function readGrantsById(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<GrantAndUser[]> {
  if (ids.length === 0) return [];
  return readGrantsAndUsers(tx, [grants("g.organizationId", "=", organizationId), grants("g.id", "in", ids)]);
}

export async function insertUserGrant(tx: Transaction, row: UserGrantRow): Promise<void> {
  await write(tx, bind(tables.insertInto("UserGrant").values(row)));
}

export async function updateUserGrant(
  tx: Transaction,
  id: string,
  { roleKeys, state }: { roleKeys?: readonly string[]; state?: string },
  now: number,
): Promise<void> {
  const update = tables.updateTable("UserGrant").set({ roleKeys, state, changedAt: now });
  await writeOne(tx, bind(update.where("id", "=", id)));
}

export async function deleteUserGrant(tx: Transaction, id: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("UserGrant").where("id", "=", id)));
}
