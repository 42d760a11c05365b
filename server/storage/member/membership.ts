/**
 * Rows of memberships, from which permissions are derived. They are always read from the database, never from a cache.
 */
import type { Database, Transaction } from "../database";
import { readAll } from "../in-transaction";
import { bind, columnsIn, type Params, statement, tables, truth } from "../statement";

/** Where roles of managers are held; `project_grant` is the grant of a project to an organization. */
export type MemberLevelName = "instance" | "organization" | "project" | "project_grant";

const eb = columnsIn<{
  m: "Membership";
  u: "User";
  o: "Organization";
  p: "Project";
  pg: "ProjectGrant";
  k: "Passkey";
}>();

/** Memberships with their users. */
const withUsers = () => tables.selectFrom("Membership as m").innerJoin("User as u", "u.id", "m.userId");

/** The roles of a user on the instance. */
export async function readInstanceRoles(tx: Transaction, userId: string): Promise<string[]> {
  const roles = tables.selectFrom("Membership").select("role").where("userId", "=", userId);
  return (await readAll(tx, bind(roles.where("level", "=", "instance")))).map(({ role }) => role);
}

const isOfInstance = ($: Params<{ instanceId: string }>) =>
  eb.and([eb("m.level", "=", "instance"), eb("m.levelId", "=", $("instanceId"))]);

/** The languages that a role is limited to; null: all. */
const roleLanguages = eb.ref("m.languages").$castTo<readonly string[] | null>().as("languages");

const heldAs = ["m.role", "m.level"] as const;

const instanceRoles = statement(($: Params<{ userId: string; instanceId: string }>) =>
  tables
    .selectFrom("Membership as m")
    .select([...heldAs, roleLanguages])
    .where("m.userId", "=", $("userId"))
    .where(isOfInstance($)),
);

const rolesDownTo = statement(
  ($: Params<{ userId: string; instanceId: string; organizationId: string; projectId: string }>) => {
    const own = tables
      .selectFrom("Project as p")
      .select(eb.lit(1).as("one"))
      .where("p.id", "=", $("projectId"))
      .where("p.organizationId", "=", $("organizationId"));
    const granted = tables
      .selectFrom("ProjectGrant as pg")
      .select("pg.id")
      .where("pg.projectId", "=", $("projectId"))
      .where("pg.grantedOrganizationId", "=", $("organizationId"));
    return tables
      .selectFrom(["Membership as m", "Organization as o"])
      .select([...heldAs, roleLanguages])
      .where("m.userId", "=", $("userId"))
      .where("o.id", "=", $("organizationId"))
      .where(
        eb.or([
          isOfInstance($),
          eb.and([eb("m.level", "=", "organization"), eb("m.levelId", "=", $("organizationId"))]),
          eb.and([eb("m.level", "=", "project"), eb("m.levelId", "=", $("projectId")), eb.exists(own)]),
          eb.and([eb("m.level", "=", "project_grant"), eb("m.levelId", "in", granted)]),
        ]),
      );
  },
);

export interface RoleInLanguages {
  role: string;
  /** Null: not limited. */
  languages: readonly string[] | null;
}

/**
 * Returns the roles of a user on the instance and, if given, on the organization and its project, or on the grant of
 * the project to it. Returns none if the organization does not exist, like for one in which the user has no role.
 */
export async function listRoles(
  db: Database,
  userId: string,
  instanceId: string,
  organizationId?: string,
  projectId?: string,
): Promise<(RoleInLanguages & { level: string })[]> {
  return db.all(
    organizationId === undefined
      ? instanceRoles({ userId, instanceId })
      : rolesDownTo({ userId, instanceId, organizationId, projectId: projectId ?? "" }),
  );
}

const anyRole = statement(($: Params<{ userId: string }>) =>
  tables.selectFrom("Membership").select("role").where("userId", "=", $("userId")).limit(1),
);

/** Returns whether the user has a manager role anywhere, and so counts as an administrator for impersonation. */
export async function hasAnyRole(db: Database, userId: string): Promise<boolean> {
  return (await db.one(anyRole({ userId }))) !== undefined;
}

/** Memberships with users who can sign in. */
const ofActiveUsers = () =>
  withUsers()
    .innerJoin("Organization as o", "o.id", "u.organizationId")
    .where("u.state", "=", "active")
    .where("o.state", "=", "active");

/** Returns the owners of the instance who can sign in, with their organizations. */
export function readActiveOwners(
  tx: Transaction,
  instanceId: string,
): Promise<{ userId: string; organizationId: string }[]> {
  const owners = ofActiveUsers().select(["u.id as userId", "u.organizationId"]).where("m.level", "=", "instance");
  return readAll(tx, bind(owners.where("m.levelId", "=", instanceId).where("m.role", "=", "IAM_OWNER")));
}

/**
 * Returns the owners of an organization or of the instance who can sign in and have a verified address, except one
 * user.
 */
export function readOwnersToTell(
  tx: Transaction,
  wanted: { level: "organization" | "instance"; levelId: string; except: string; limit: number },
): Promise<{ id: string; email: string }[]> {
  const { level, levelId, except, limit } = wanted;
  const role = level === "organization" ? "ORG_OWNER" : "IAM_OWNER";
  const owners = ofActiveUsers()
    .select(["u.id", "u.email"])
    .where("m.level", "=", level)
    .where("m.levelId", "=", levelId)
    .where("m.role", "=", role)
    .where("u.id", "<>", except)
    .where("u.kind", "=", "human")
    .where("u.email", "is not", null)
    .where(eb.ref("u.isEmailVerified"))
    .orderBy("u.id")
    .limit(limit)
    .$narrowType<{ email: string }>();
  return readAll(tx, bind(owners));
}

export interface HeldRole {
  level: MemberLevelName;
  levelId: string;
  role: string;
  /** The project's organization, or the one that the project is granted to, if the role is held on these. */
  organizationId: string | null;
  /** The project, if the role is held on it or on a grant of it. */
  projectId: string | null;
}

type HeldLevel = Pick<HeldRole, "level">;

/** Memberships with their users, and where they count. */
const heldRolesOfUsers = () =>
  withUsers()
    .leftJoin("Project as p", (join) => join.on("m.level", "=", "project").onRef("p.id", "=", "m.levelId"))
    .leftJoin("ProjectGrant as pg", (join) => join.on("m.level", "=", "project_grant").onRef("pg.id", "=", "m.levelId"))
    .select(["m.level", "m.levelId", "m.role"])
    .select([
      eb.fn.coalesce("p.organizationId", "pg.grantedOrganizationId").as("organizationId"),
      eb.fn.coalesce("p.id", "pg.projectId").as("projectId"),
    ])
    .$narrowType<HeldLevel>();

const heldRoles = statement(($: Params<{ userId: string }>) => heldRolesOfUsers().where("m.userId", "=", $("userId")));

/** Returns all manager roles of a user, on any object. */
export function listHeldRoles(db: Database, userId: string): Promise<HeldRole[]> {
  return db.all(heldRoles({ userId }));
}

/** Returns all manager roles of a user, as a transaction sees them. */
export function readHeldRoles(
  tx: Transaction,
  userId: string,
): Promise<Pick<HeldRole, "level" | "levelId" | "role">[]> {
  const roles = tables.selectFrom("Membership").select(["level", "levelId", "role"]).where("userId", "=", userId);
  return readAll(tx, bind(roles.$narrowType<HeldLevel>()));
}

/**
 * Returns the distinct manager roles of an organization's users, on any object.
 * @param whose `completed`: only of users whose login name is completed by the primary domain
 */
export function listHeldRolesIn(
  db: Database,
  organizationId: string,
  whose: "all" | "completed" = "all",
): Promise<HeldRole[]> {
  const roles = heldRolesOfUsers().distinct().where("u.organizationId", "=", organizationId);
  return db.all(bind(whose === "completed" ? roles.where("u.userNameKey", "not like", "%@%") : roles));
}

/** Memberships of people who may sign in. */
const ofActivePeople = () => withUsers().where("u.kind", "=", "human").where("u.state", "=", "active");

const hasPasskey = () =>
  eb.exists(
    tables
      .selectFrom("Passkey as k")
      .select(eb.lit(1).as("one"))
      .where(eb("k.userId", "=", eb.ref("u.id"))),
  );

/**
 * Returns the owners of the instance or of their own organization.
 * @param organizationId only users of that organization; undefined: the owners of the instance, of any organization
 */
export function listOwnersIn(
  db: Database,
  instanceId: string,
  organizationId: string | undefined,
): Promise<{ userId: string; hasPasskey: boolean }[]> {
  const owns = (level: "instance" | "organization", id: string, role: string) =>
    eb.and([eb("m.level", "=", level), eb("m.levelId", "=", id), eb("m.role", "=", role)]);
  const ofInstance = owns("instance", instanceId, "IAM_OWNER");
  const people = ofActivePeople().select("u.id as userId").select(truth(hasPasskey()).as("hasPasskey")).distinct();
  if (organizationId === undefined) return db.all(bind(people.where(ofInstance)));
  const either = eb.or([ofInstance, owns("organization", organizationId, "ORG_OWNER")]);
  return db.all(bind(people.where("u.organizationId", "=", organizationId).where(either)));
}

/** Returns the users with a manager role who have no passkey, of one organization or of all. */
export async function listManagersWithoutPasskey(db: Database, organizationId: string | undefined): Promise<string[]> {
  const people = ofActivePeople().select("m.userId").distinct().where(eb.not(hasPasskey()));
  const own = organizationId === undefined ? people : people.where("u.organizationId", "=", organizationId);
  return (await db.all(bind(own))).map(({ userId }) => userId);
}
