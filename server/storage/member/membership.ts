/**
 * Rows of memberships, from which permissions are derived. They are always read from the database, never from a cache.
 */
import type { Database, Transaction } from "../database";

/** The roles of a user on the instance. */
export async function readInstanceRoles(tx: Transaction, userId: string): Promise<string[]> {
  const rows = await tx.membership.findMany({ where: { userId, level: "instance" }, select: { role: true } });
  return rows.map(({ role }) => role);
}

/**
 * Returns the roles of a user on the instance and, if given, on the organization and its project. Returns none if the
 * organization does not exist, like for one in which the user has no role.
 */
export async function listRoles(
  db: Database,
  userId: string,
  instanceId: string,
  organizationId?: string,
  projectId?: string,
): Promise<string[]> {
  const rows = await db.all<{ role: string }>(
    organizationId === undefined
      ? `SELECT m."role" FROM "Membership" m WHERE m."userId" = $1 AND m."level" = 'instance' AND m."levelId" = $2`
      : `SELECT m."role" FROM "Membership" m, "Organization" o
          WHERE m."userId" = $1 AND o."id" = $3
            AND ((m."level" = 'instance' AND m."levelId" = $2)
              OR (m."level" = 'organization' AND m."levelId" = $3)
              OR (m."level" = 'project' AND m."levelId" = $4
                AND EXISTS (SELECT 1 FROM "Project" p WHERE p."id" = $4 AND p."organizationId" = $3)))`,
    organizationId === undefined ? [userId, instanceId] : [userId, instanceId, organizationId, projectId ?? ""],
  );
  return rows.map(({ role }) => role);
}

/** Returns whether the user has a manager role anywhere, and so counts as an administrator for impersonation. */
export async function hasAnyRole(db: Database, userId: string): Promise<boolean> {
  const row = await db.one(`SELECT 1 AS "found" FROM "Membership" WHERE "userId" = $1 LIMIT 1`, [userId]);
  return row !== undefined;
}

/** Returns the owners of the instance who can sign in, with their organizations. */
export function readActiveOwners(
  tx: Transaction,
  instanceId: string,
): Promise<{ userId: string; organizationId: string }[]> {
  return tx.$queryRaw`
    SELECT u."id" AS "userId", u."organizationId"
      FROM "Membership" m JOIN "User" u ON u."id" = m."userId" JOIN "Organization" o ON o."id" = u."organizationId"
     WHERE m."level" = 'instance' AND m."levelId" = ${instanceId} AND m."role" = 'IAM_OWNER'
       AND u."state" = 'active' AND o."state" = 'active'`;
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
  return tx.$queryRaw`
    SELECT u."id", u."email"
      FROM "Membership" m JOIN "User" u ON u."id" = m."userId" JOIN "Organization" o ON o."id" = u."organizationId"
     WHERE m."level" = ${level} AND m."levelId" = ${levelId} AND m."role" = ${role} AND u."id" <> ${except}
       AND u."kind" = 'human' AND u."state" = 'active' AND u."email" IS NOT NULL AND u."isEmailVerified"
       AND o."state" = 'active'
     ORDER BY u."id" LIMIT ${limit}`;
}

export interface HeldRole {
  level: "instance" | "organization" | "project";
  levelId: string;
  role: string;
  /** The project's organization, if the role is held on a project. */
  organizationId: string | null;
}

/** All manager roles of a user, on any object. */
export function listHeldRoles(db: Database, userId: string): Promise<HeldRole[]> {
  return db.all<HeldRole>(
    `SELECT m."level", m."levelId", m."role", p."organizationId"
       FROM "Membership" m LEFT JOIN "Project" p ON m."level" = 'project' AND p."id" = m."levelId"
      WHERE m."userId" = $1`,
    [userId],
  );
}

/** All manager roles of a user, as a transaction sees them. */
export function readHeldRoles(tx: Transaction, userId: string): Promise<Omit<HeldRole, "organizationId">[]> {
  return tx.$queryRaw`SELECT "level", "levelId", "role" FROM "Membership" WHERE "userId" = ${userId}`;
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
  return db.all<HeldRole>(
    `SELECT DISTINCT m."level", m."levelId", m."role", p."organizationId"
       FROM "User" u JOIN "Membership" m ON m."userId" = u."id"
       LEFT JOIN "Project" p ON m."level" = 'project' AND p."id" = m."levelId"
      WHERE u."organizationId" = $1${whose === "completed" ? ` AND u."userNameKey" NOT LIKE '%@%'` : ""}`,
    [organizationId],
  );
}

/** SQL: a user who may sign in, and whether the user has a passkey. */
const ACTIVE_PERSON = `u."kind" = 'human' AND u."state" = 'active'`;
const HAS_PASSKEY = `EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id")`;

/**
 * Returns the owners of the instance or of their own organization.
 * @param organizationId only users of that organization; undefined: the owners of the instance, of any organization
 */
export function listOwnersIn(
  db: Database,
  instanceId: string,
  organizationId: string | undefined,
): Promise<{ userId: string; hasPasskey: number }[]> {
  const columns = `SELECT DISTINCT u."id" AS "userId", CASE WHEN ${HAS_PASSKEY} THEN 1 ELSE 0 END AS "hasPasskey"
       FROM "Membership" m JOIN "User" u ON u."id" = m."userId" AND ${ACTIVE_PERSON}`;
  const ofInstance = `m."level" = 'instance' AND m."levelId" = $1 AND m."role" = 'IAM_OWNER'`;
  if (organizationId === undefined) return db.all(`${columns} WHERE ${ofInstance}`, [instanceId]);
  return db.all(
    `${columns} WHERE u."organizationId" = $2
        AND ((${ofInstance}) OR (m."level" = 'organization' AND m."levelId" = $2 AND m."role" = 'ORG_OWNER'))`,
    [instanceId, organizationId],
  );
}

/** Returns the users with a manager role who have no passkey, of one organization or of all. */
export async function listManagersWithoutPasskey(db: Database, organizationId: string | undefined): Promise<string[]> {
  const rows = await db.all<{ userId: string }>(
    `SELECT DISTINCT m."userId" FROM "Membership" m JOIN "User" u ON u."id" = m."userId" AND ${ACTIVE_PERSON}
      WHERE NOT ${HAS_PASSKEY}${organizationId === undefined ? "" : ` AND u."organizationId" = $1`}`,
    organizationId === undefined ? [] : [organizationId],
  );
  return rows.map(({ userId }) => userId);
}
