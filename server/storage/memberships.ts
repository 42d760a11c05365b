/** Rows of memberships, from which permissions are derived: always the committed state, never a cached one. */
import type { Database, Transaction } from "./database";

/** The roles of a user on the instance. */
export async function readInstanceRoles(tx: Transaction, userId: string): Promise<string[]> {
  const rows = await tx.membership.findMany({ where: { userId, level: "instance" }, select: { role: true } });
  return rows.map(({ role }) => role);
}

/**
 * The roles of a user on the instance and, if given, on the organization and its project. None if there is no such
 * organization, so that it looks like one in which the user has no role.
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

/** Whether the user has a manager role anywhere, and so counts as an administrator for impersonation. */
export async function hasAnyRole(db: Database, userId: string): Promise<boolean> {
  const row = await db.one(`SELECT 1 AS "found" FROM "Membership" WHERE "userId" = $1 LIMIT 1`, [userId]);
  return row !== undefined;
}

/** The instance's owners who can sign in, with their organizations. */
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
 * The distinct manager roles of an organization's users, on any object.
 * @param whose `completed`: only of users whose names the primary domain completes
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
