/** The members of an object with all their roles on it, for lists. */
import type { Database, Transaction } from "../database";
import { readAll, writeOne } from "../in-transaction";
import type { ListReading, Page, TimeWanted } from "../listing";
import { countSelected, type Filter, listRows } from "../pages";
import { bind, columnsIn, tables } from "../statement";
import { matchRowUsers, type RowUserWanted } from "../user/of-rows";
import { shownLoginName } from "../user/sign-in-names";
import type { RoleInLanguages } from "./membership";

export interface LevelRef {
  level: "instance" | "organization" | "project";
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

export interface MembersWanted extends RowUserWanted {
  role?: string;
  created?: TimeWanted;
}

export function matchMembers(where: Filter, { role, created, ...wanted }: MembersWanted): void {
  matchRowUsers(where, wanted);
  if (created) where.push(eb("m.createdAt", created.sign, created.at));
  if (role === undefined) return;
  const held = tables
    .selectFrom("Membership as r")
    .select(eb.lit(1).as("one"))
    .where(eb("r.userId", "=", eb.ref("m.userId")))
    .where(eb("r.level", "=", eb.ref("m.level")))
    .where(eb("r.levelId", "=", eb.ref("m.levelId")))
    .where("r.role", "=", role);
  where.push(eb.exists(held));
}

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
  const none = { roles: [], languages: null };
  return { rows: rows.map((row) => ({ ...row, ...(roles.get(row.userId) ?? none) })), next };
}

async function rolesOf(db: Database, at: LevelRef, userIds: readonly string[]) {
  const found = new Map<string, { roles: string[]; languages: readonly string[] | null }>();
  if (userIds.length === 0) return found;
  const roles = rolesAt(at).select("userId").where("userId", "in", userIds).orderBy("role");
  for (const { userId, role, languages } of await db.all(bind(roles))) {
    const known = found.get(userId);
    found.set(userId, { roles: [...(known?.roles ?? []), role], languages: languages ?? known?.languages ?? null });
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
