/**
 * Rows of role grants and user metadata, which become claims of the reserved scopes. A grant is effective only while
 * it, its project and the granting organization are active. A grant of a granted project is effective only while the
 * project grant is active and includes the role.
 */
import type { Database, Transaction } from "../database";
import type { UserGrant } from "../generated/sqlite/client";
import { readJson } from "../json-column";

/** Condition for a user grant `g` of the project `p`: the project grant that it depends on, if any, is active. */
export const COUNTS_BY_PROJECT_GRANT = `(g."projectGrantId" IS NULL OR EXISTS (
  SELECT 1 FROM "ProjectGrant" pg JOIN "Organization" po ON po."id" = p."organizationId" AND po."state" = 'active'
   WHERE pg."id" = g."projectGrantId" AND pg."projectId" = g."projectId"
     AND pg."grantedOrganizationId" = g."organizationId" AND pg."state" = 'active'))`;

export type UserGrantRow = UserGrant;

/** The roles of one project that one organization gave a user. */
export interface GrantedRoles {
  projectId: string;
  organizationId: string;
  /** The organization's primary domain; null if it has none. */
  primaryDomain: string | null;
  roleKeys: string[];
}

/** A user's active grants in these projects. Roles that the project no longer has are left out. */
export async function listGrantedRoles(
  db: Database,
  userId: string,
  projectIds: readonly string[],
): Promise<GrantedRoles[]> {
  if (projectIds.length === 0) return [];
  const placeholders = projectIds.map((_, index) => `$${index + 2}`).join(", ");
  const [grants, roles] = await Promise.all([
    db.all<GrantedRoles & { grantable: string[] | null }>(
      `SELECT g."projectId", g."organizationId", g."roleKeys", d."domain" AS "primaryDomain",
             (SELECT pg."roleKeys" FROM "ProjectGrant" pg WHERE pg."id" = g."projectGrantId") AS "grantable"
         FROM "UserGrant" g
         JOIN "Project" p ON p."id" = g."projectId"
         JOIN "Organization" o ON o."id" = g."organizationId"
         LEFT JOIN "Domain" d ON d."organizationId" = g."organizationId" AND d."isPrimary"
        WHERE g."userId" = $1 AND g."projectId" IN (${placeholders})
          AND g."state" = 'active' AND p."state" = 'active' AND o."state" = 'active'
          AND ${COUNTS_BY_PROJECT_GRANT}
        ORDER BY g."createdAt", g."id"`,
      [userId, ...projectIds],
    ),
    db.all<{ projectId: string; roleKey: string }>(
      `SELECT "projectId", "roleKey" FROM "ProjectRole"
        WHERE "projectId" IN (${projectIds.map((_, index) => `$${index + 1}`).join(", ")})`,
      [...projectIds],
    ),
  ]);
  const known = new Set(roles.map(({ projectId, roleKey }) => `${projectId}\n${roleKey}`));
  return grants.map(({ grantable, ...grant }) => {
    const most = grantable === null ? undefined : readJson<string[]>(grantable);
    const counts = (key: string) => known.has(`${grant.projectId}\n${key}`) && (most?.includes(key) ?? true);
    return { ...grant, roleKeys: readJson<string[]>(grant.roleKeys).filter(counts) };
  });
}

/** Whether the user has an active grant of the project, whatever its roles. */
export async function hasUserGrant(db: Database, userId: string, projectId: string): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS "found" FROM "UserGrant" g JOIN "Project" p ON p."id" = g."projectId"
      WHERE g."userId" = $1 AND g."projectId" = $2 AND g."state" = 'active' AND ${COUNTS_BY_PROJECT_GRANT} LIMIT 1`,
    [userId, projectId],
  );
  return row !== undefined;
}

export interface MetadataRow {
  key: string;
  /** base64url. */
  value: string;
}

/** Times are epoch milliseconds. */
export interface ShownMetadataRow extends MetadataRow {
  createdAt: number;
  changedAt: number;
}

export function listMetadata(db: Database, userId: string): Promise<ShownMetadataRow[]> {
  return db.all<ShownMetadataRow>(
    `SELECT "key", "value", "createdAt", "changedAt" FROM "UserMetadata" WHERE "userId" = $1 ORDER BY "key"`,
    [userId],
  );
}

/** The organization a user belongs to, for claims about it. */
export interface HomeOrganization {
  id: string;
  name: string;
  primaryDomain: string | null;
}

export function findHomeOrganization(db: Database, userId: string): Promise<HomeOrganization | undefined> {
  return db.one<HomeOrganization>(
    `SELECT o."id", o."name", d."domain" AS "primaryDomain"
       FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId"
       LEFT JOIN "Domain" d ON d."organizationId" = o."id" AND d."isPrimary"
      WHERE u."id" = $1`,
    [userId],
  );
}

export async function readUserGrant(
  tx: Transaction,
  key: Pick<UserGrantRow, "userId" | "projectId" | "organizationId">,
): Promise<UserGrantRow | undefined> {
  return (await tx.userGrant.findUnique({ where: { userId_projectId_organizationId: key } })) ?? undefined;
}

/** All grants of a project that include the role, with their users. */
export async function readGrantsWithRole(
  db: Database,
  tx: Transaction,
  projectId: string,
  roleKey: string,
): Promise<(UserGrantRow & { user: { id: string; organizationId: string } })[]> {
  const holding =
    db.kind === "sqlite"
      ? await tx.$queryRaw<{ id: string }[]>`
          SELECT g."id" FROM "UserGrant" g, json_each(g."roleKeys") k
           WHERE g."projectId" = ${projectId} AND k."value" = ${roleKey}`
      : await tx.$queryRaw<{ id: string }[]>`
          SELECT g."id" FROM "UserGrant" g
           WHERE g."projectId" = ${projectId} AND g."roleKeys" @> jsonb_build_array(${roleKey}::text)`;
  return tx.userGrant.findMany({
    where: { id: { in: holding.map(({ id }) => id) } },
    include: { user: { select: { id: true, organizationId: true } } },
  });
}

export async function insertUserGrant(tx: Transaction, row: UserGrantRow): Promise<void> {
  await tx.userGrant.create({ data: { ...row, roleKeys: row.roleKeys as string[] } });
}

export async function updateUserGrant(
  tx: Transaction,
  id: string,
  data: { roleKeys?: readonly string[]; state?: string },
  now: number,
): Promise<void> {
  const { roleKeys, state } = data;
  await tx.userGrant.update({
    where: { id },
    data: { state, changedAt: new Date(now), ...(roleKeys === undefined ? {} : { roleKeys: [...roleKeys] }) },
  });
}

export async function deleteUserGrant(tx: Transaction, id: string): Promise<void> {
  await tx.userGrant.deleteMany({ where: { id } });
}

export async function readMetadata(tx: Transaction, userId: string, key: string): Promise<string | undefined> {
  return (await tx.userMetadata.findUnique({ where: { userId_key: { userId, key } } }))?.value;
}

export async function writeMetadata(tx: Transaction, userId: string, row: MetadataRow, now: number): Promise<void> {
  const at = new Date(now);
  const { key, value } = row;
  await tx.userMetadata.upsert({
    where: { userId_key: { userId, key } },
    create: { userId, key, value, createdAt: at, changedAt: at },
    update: { value, changedAt: at },
  });
}

export async function deleteMetadata(tx: Transaction, userId: string, key: string): Promise<void> {
  await tx.userMetadata.delete({ where: { userId_key: { userId, key } } });
}

export async function readMetadataKeys(tx: Transaction, userId: string): Promise<string[]> {
  return (await tx.userMetadata.findMany({ where: { userId }, select: { key: true } })).map(({ key }) => key);
}
