/** The members of an object with all their roles on it, for lists. */
import type { Database, Transaction } from "../database";
import { readAll, writeOne } from "../in-transaction";
import type { ListReading, Page, TimeWanted } from "../listing";
import { countSelected, type Filter, listRows } from "../pages";
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

/** The tables of the conditions: `m` is the membership, `u` the user; `f` and `r` are others of the same user. */
const eb = columnsIn<{ m: "Membership"; u: "User"; f: "Membership"; r: "Membership" }>();

/** Each user once, with their first role. */
export function membersOf({ level, levelId }: LevelRef): Filter {
  const earlier = tables
    .selectFrom("Membership as f")
    .select(eb.lit(1).as("one"))
    .where(eb("f.userId", "=", eb.ref("m.userId")))
    .where(eb("f.level", "=", eb.ref("m.level")))
    .where(eb("f.levelId", "=", eb.ref("m.levelId")))
    .where(eb("f.role", "<", eb.ref("m.role")));
  return [eb("m.level", "=", level), eb("m.levelId", "=", levelId), eb.not(eb.exists(earlier))];
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

/** Returns members, ordered by user id. */
export async function listMembers(
  db: Database,
  at: LevelRef,
  where: Filter,
  reading: ListReading,
): Promise<Page<ShownMember>> {
  const { rows, next } = await listRows(db, select(where), { sort: "m.userId", unique: "m.role", ...reading });
  const roles = await rolesOf(
    db,
    at,
    rows.map(({ userId }) => userId),
  );
  const none = { roles: [], languages: null, changedAt: 0 };
  return { rows: rows.map((row) => ({ ...row, ...(roles.get(row.userId) ?? none) })), next };
}

async function rolesOf(db: Database, at: LevelRef, userIds: readonly string[]) {
  const found = new Map<string, Pick<ShownMember, "roles" | "languages" | "changedAt">>();
  if (userIds.length === 0) return found;
  const roles = rolesAt(at).select(["userId", "createdAt"]).where("userId", "in", userIds).orderBy("role");
  for (const { userId, role, languages, createdAt } of await db.all(bind(roles))) {
    const known = found.get(userId);
    found.set(userId, {
      roles: [...(known?.roles ?? []), role],
      languages: languages ?? known?.languages ?? null,
      changedAt: Math.max(createdAt, known?.changedAt ?? 0),
    });
  }
  return found;
}

const rolesAt = ({ level, levelId }: LevelRef) =>
  tables
    .selectFrom("Membership")
    .select("role")
    .select((of) => of.ref("languages").$castTo<readonly string[] | null>().as("languages"))
    .where("level", "=", level)
    .where("levelId", "=", levelId);

export const countMembers = (db: Database, where: Filter): Promise<number> => countSelected(db, select(where));

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
