/** The permissions of a user as shown to the user: effective role grants and manager roles. */
import type { Database } from "../database";
import type { MemberLevelName } from "../member/membership";
import { type Filter, rowList } from "../pages";
import { columnsIn, type Params, statement, tables } from "../statement";
import { countsByProjectGrant } from "./user-grant";

/** Times are epoch milliseconds. */
export interface OwnGrant {
  id: string;
  userId: string;
  /** The organization that granted the roles. */
  organizationId: string;
  organizationName: string;
  organizationDomain: string | null;
  projectId: string;
  projectName: string;
  roleKeys: string[];
  createdAt: number;
  changedAt: number;
}

/** The tables of the conditions: `g` is the grant, `p` its project, `o` the organization that granted it. */
const eb = columnsIn<{ g: "UserGrant"; p: "Project"; o: "Organization" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("UserGrant as g")
    .innerJoin("Project as p", "p.id", "g.projectId")
    .innerJoin("Organization as o", "o.id", "g.organizationId")
    .select(["g.id", "g.userId", "g.organizationId", "o.name as organizationName", "p.id as projectId"])
    .select(["p.name as projectName", "g.roleKeys", "g.createdAt", "g.changedAt"])
    .select((of) =>
      of
        .selectFrom("Domain as d")
        .select("d.domain")
        .whereRef("d.organizationId", "=", "o.id")
        .where("d.isPrimary", "=", true)
        .limit(1)
        .as("organizationDomain"),
    )
    .where(eb.and(where))
    .$castTo<OwnGrant>();

/**
 * Conditions for the effective grants of a user: those of active projects and organizations.
 * @param projectId undefined: of all projects
 */
export function grantsTo(userId: string, projectId?: string): Filter {
  const own = eb.and({ "g.userId": userId, "g.state": "active", "p.state": "active", "o.state": "active" });
  const where = [own, countsByProjectGrant()];
  return projectId === undefined ? where : [...where, eb("g.projectId", "=", projectId)];
}

/** Grants, newest first. */
export const ownGrantList = rowList(select, { sort: "g.id", unique: "g.organizationId", isDescending: true });

/** The number of apps that are looked at. */
const MOST_APPS = 20;

const clientsOf = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("UserGrant as g")
    .innerJoin("Project as p", "p.id", "g.projectId")
    .innerJoin("Organization as o", "o.id", "g.organizationId")
    .innerJoin("App as a", "a.projectId", "p.id")
    .select("a.clientId")
    .where("g.userId", "=", $("userId"))
    .where("g.state", "=", "active")
    .where("p.state", "=", "active")
    .where("o.state", "=", "active")
    .where("a.state", "=", "active")
    .where(countsByProjectGrant())
    .orderBy("g.createdAt")
    .orderBy("a.createdAt")
    .orderBy("a.id")
    .limit(MOST_APPS),
);

/** Returns the clients of the projects in which the user has roles, in the order of the grants. */
export const listClientsOfGrants = (db: Database, userId: string): Promise<{ clientId: string }[]> =>
  db.all(clientsOf({ userId }));

const projectOf = statement(($: Params<{ clientId: string }>) =>
  tables.selectFrom("App").select("projectId").where("clientId", "=", $("clientId")),
);

/** Returns the project of an app; undefined for clients that are not apps. */
export async function findProjectOfClient(db: Database, clientId: string): Promise<string | undefined> {
  return (await db.one(projectOf({ clientId })))?.projectId;
}

export interface OwnRole {
  level: MemberLevelName;
  levelId: string;
  role: string;
  /** The project, if the role is held on it or on a grant of it. */
  projectId: string | null;
  /** The organization, the owner of the project, or the one that it is granted to; null on the instance. */
  organizationId: string | null;
  /** The name of the organization or project; null on the instance. */
  name: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

const rolesOf = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("Membership as m")
    .leftJoin("Organization as o", (join) => join.onRef("o.id", "=", "m.levelId").on("m.level", "=", "organization"))
    .leftJoin("ProjectGrant as pg", (join) => join.onRef("pg.id", "=", "m.levelId").on("m.level", "=", "project_grant"))
    .leftJoin("Project as p", (join) => join.onRef("p.id", "=", "m.levelId").on("m.level", "=", "project"))
    .leftJoin("Project as gp", "gp.id", "pg.projectId")
    .select(["m.level", "m.levelId", "m.role", "m.createdAt"])
    .select((of) => [
      of.fn.coalesce("o.name", "p.name", "gp.name").as("name"),
      of.fn.coalesce("p.id", "gp.id").as("projectId"),
      of.fn.coalesce("o.id", "p.organizationId", "pg.grantedOrganizationId").as("organizationId"),
    ])
    .where("m.userId", "=", $("userId"))
    .orderBy("m.level")
    .orderBy("m.levelId")
    .orderBy("m.role")
    .$castTo<OwnRole>(),
);

/** Returns the manager roles of a user, ordered by level and object. */
export function listOwnRoles(db: Database, userId: string): Promise<OwnRole[]> {
  return db.all(rolesOf({ userId }));
}
