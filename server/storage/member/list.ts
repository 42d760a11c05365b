/** The members of an object, or of several, with all their roles on it, for lists. */
import { sql } from "kysely";
import type { Database, Transaction } from "../database";
import { readAll, writeOne } from "../in-transaction";
import type { TimeWanted } from "../listing";
import { type Filter, isOneOf, rowList } from "../pages";
import { bind, columnsIn, tables } from "../statement";
import { matchRowUsers, type RowUserWanted } from "../user/of-rows";
import { shownLoginName } from "../user/sign-in-names";
import type { MemberLevelName, RoleInLanguages } from "./membership";

export interface LevelRef {
  level: MemberLevelName;
  levelId: string;
}

/** Times are epoch milliseconds. */
export interface ShownMember {
  userId: string;
  kind: "human" | "machine";
  /** Sorted by name. */
  roles: string[];
  /** The languages that the roles for texts are limited to; null: all, or no such role. */
  languages: readonly string[] | null;
  loginName: string;
  displayName: string;
  firstName: string | null;
  lastName: string | null;
  userOrganizationId: string;
  email: string | null;
  createdAt: number;
  /** When the last of these roles was given. */
  changedAt: number;
}

/** A member of one of several objects. */
export interface MemberOnObject extends ShownMember, LevelRef {
  /** The name of the organization or project; null on the instance. */
  objectName: string | null;
  /** The project, if the roles are held on it or on a grant of it. */
  projectId: string | null;
  /** The organization of the project. */
  ownerId: string | null;
  grantedOrganizationId: string | null;
}

/** The objects of a level whose members are wanted. */
export interface ObjectsWanted {
  level: MemberLevelName;
  isEvery: boolean;
  /** Organizations of which all objects are wanted. */
  organizationIds: readonly string[];
  /** Single objects. */
  levelIds: readonly string[];
}

/** The tables of the conditions: `m` is the membership, `u` the user; `f` and `r` are others of the same user. */
const eb = columnsIn<{
  m: "Membership";
  u: "User";
  f: "Membership";
  r: "Membership";
  p: "Project";
  pg: "ProjectGrant";
}>();

/** Each user once, with their first role. */
export const membersOf = ({ level, levelId }: LevelRef): Filter => [
  eb("m.level", "=", level),
  eb("m.levelId", "=", levelId),
  isFirstRole(),
];

const ORGANIZATION_OF = {
  instance: eb.ref("m.levelId"),
  organization: eb.ref("m.levelId"),
  project: eb.ref("p.organizationId"),
  project_grant: eb.ref("pg.grantedOrganizationId"),
};

/** Each user once for each object; for `membersOnObjects`. */
export function membersOn(objects: readonly ObjectsWanted[]): Filter {
  const wanted = objects.map(({ level, isEvery, organizationIds, levelIds }) => {
    const some = [isOneOf(eb.ref("m.levelId"), levelIds), isOneOf(ORGANIZATION_OF[level], organizationIds)];
    return eb.and([eb("m.level", "=", level), ...(isEvery ? [] : [eb.or(some)])]);
  });
  return [eb.or(wanted), isFirstRole()];
}

function isFirstRole() {
  const earlier = tables
    .selectFrom("Membership as f")
    .select(eb.lit(1).as("one"))
    .where(eb("f.userId", "=", eb.ref("m.userId")))
    .where(eb("f.level", "=", eb.ref("m.level")))
    .where(eb("f.levelId", "=", eb.ref("m.levelId")))
    .where(eb("f.role", "<", eb.ref("m.role")));
  return eb.not(eb.exists(earlier));
}

/** All given members must match. */
export interface MembersWanted extends RowUserWanted {
  role?: string;
  created?: TimeWanted;
  changed?: TimeWanted;
  any?: readonly MembersWanted[];
  all?: readonly MembersWanted[];
  not?: MembersWanted;
}

export function matchMembers(where: Filter, { role, created, changed, any, all, not, ...user }: MembersWanted): void {
  matchRowUsers(where, user);
  if (created) where.push(eb("m.createdAt", created.sign, created.at));
  if (changed) where.push(eb(lastGiven, changed.sign, changed.at));
  if (role !== undefined) where.push(eb.exists(rolesOfSame.select("r.role").where("r.role", "=", role)));
  if (any) where.push(eb.or(any.map(conditionOf)));
  if (all) where.push(eb.and(all.map(conditionOf)));
  if (not) where.push(eb.not(conditionOf(not)));
}

function conditionOf(wanted: MembersWanted) {
  const where: Filter = [];
  matchMembers(where, wanted);
  // A row of another kind has no such value, and neither it nor its opposite must be unknown.
  return eb.fn.coalesce(eb.and(where), eb.val(false));
}

/** The roles `r` of the user of `m` on the same object. */
const rolesOfSame = tables
  .selectFrom("Membership as r")
  .where(eb("r.userId", "=", eb.ref("m.userId")))
  .where(eb("r.level", "=", eb.ref("m.level")))
  .where(eb("r.levelId", "=", eb.ref("m.levelId")));
const lastGiven = rolesOfSame.select((of) => of.fn.max("r.createdAt").as("at"));

const select = (where: Filter) =>
  tables
    .selectFrom("Membership as m")
    .innerJoin("User as u", "u.id", "m.userId")
    .select(["m.userId", "m.level", "m.levelId", "m.createdAt", "u.kind", "u.email"])
    .select(["u.firstName", "u.lastName", "u.organizationId as userOrganizationId"])
    .select([
      eb.fn.coalesce("u.displayName", "u.name", "u.userName").as("displayName"),
      shownLoginName().as("loginName"),
    ])
    .where(eb.and(where))
    .$narrowType<Pick<ShownMember, "kind">>();

/** Returns the list of the members of an object, ordered by user id. */
export const memberList = (at: LevelRef) =>
  rowList(select, { sort: "m.userId", unique: "m.role" }, (db, rows) => withRoles(db, rows, rolesAt(at)));

/** With the objects that the memberships are on. */
const selectOn = (where: Filter) =>
  select(where)
    .leftJoin("Organization as o", (join) => join.onRef("o.id", "=", "m.levelId").on("m.level", "=", "organization"))
    .leftJoin("ProjectGrant as pg", (join) => join.onRef("pg.id", "=", "m.levelId").on("m.level", "=", "project_grant"))
    .leftJoin("Project as p", (join) => join.onRef("p.id", "=", "m.levelId").on("m.level", "=", "project"))
    .leftJoin("Project as gp", "gp.id", "pg.projectId")
    .select("pg.grantedOrganizationId")
    .select((of) => [
      of.fn.coalesce("o.name", "p.name", "gp.name").as("objectName"),
      of.fn.coalesce("p.id", "gp.id").as("projectId"),
      of.fn.coalesce("p.organizationId", "gp.organizationId").as("ownerId"),
    ]);

/** Members of several objects, ordered by user id and object. */
export const membersOnObjects = rowList(
  (where: Filter) => selectOn(where).$narrowType<Pick<MemberOnObject, "level">>(),
  { sort: "m.userId", unique: sql<string>`${eb.ref("m.level")} || ' ' || ${eb.ref("m.levelId")}` },
  (db, rows) => withRoles(db, rows, anyRoles()),
);

const memberKey = (row: { userId: string; level: string; levelId: string }) =>
  `${row.userId} ${row.level} ${row.levelId}`;

/** @param among the roles, of which those of the rows are read */
async function withRoles<Row extends { userId: string; level: string; levelId: string }>(
  db: Database,
  rows: readonly Row[],
  among: ReturnType<typeof anyRoles>,
) {
  const none: Pick<ShownMember, "roles" | "languages" | "changedAt"> = { roles: [], languages: null, changedAt: 0 };
  const found = new Map(rows.map((row) => [memberKey(row), none]));
  if (rows.length === 0) return [];
  const users = [...new Set(rows.map(({ userId }) => userId))];
  const roles = among.select(["userId", "level", "levelId", "createdAt"]).where("userId", "in", users).orderBy("role");
  for (const { role, languages, createdAt, ...member } of await db.all(bind(roles))) {
    const known = found.get(memberKey(member));
    if (!known) continue;
    found.set(memberKey(member), {
      roles: [...known.roles, role],
      languages: languages ?? known.languages,
      changedAt: Math.max(createdAt, known.changedAt),
    });
  }
  return rows.map((row) => ({ ...row, ...(found.get(memberKey(row)) ?? none) }));
}

const anyRoles = () =>
  tables
    .selectFrom("Membership")
    .select("role")
    .select((of) => of.ref("languages").$castTo<readonly string[] | null>().as("languages"));

const rolesAt = ({ level, levelId }: LevelRef) => anyRoles().where("level", "=", level).where("levelId", "=", levelId);

/** Returns the roles that a user holds on the object, with the languages that each is limited to. */
export function readRolesAt(tx: Transaction, at: LevelRef, userId: string): Promise<RoleInLanguages[]> {
  return readAll(tx, bind(rolesAt(at).where("userId", "=", userId)));
}

export async function writeMemberLanguages(
  tx: Transaction,
  { level, levelId }: LevelRef,
  { userId, role, languages }: RoleInLanguages & { userId: string },
): Promise<void> {
  const own = tables.updateTable("Membership").set({ languages: languages as never });
  await writeOne(tx, bind(own.where((of) => of.and({ userId, role, level, levelId }))));
}

export async function deleteMembership(
  tx: Transaction,
  { level, levelId }: LevelRef,
  userId: string,
  role: string,
): Promise<void> {
  const own = tables.deleteFrom("Membership").where("userId", "=", userId).where("role", "=", role);
  await writeOne(tx, bind(own.where("level", "=", level).where("levelId", "=", levelId)));
}
