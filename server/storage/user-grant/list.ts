/** Role grants for lists, with their users and projects, and for changes. */
import type { Database, Transaction } from "../database";
import { readJson } from "../json-column";
import { type Conditions, conditions, countListed, type ListReading, listPage, type Page } from "../listing";
import type { UserGrantRow } from "./user-grant";

/** Times are epoch milliseconds. */
export interface ShownGrant {
  id: string;
  userId: string;
  userName: string;
  /** Null for machine users and for persons without one. */
  displayName: string | null;
  userOrganizationId: string;
  projectId: string;
  projectName: string;
  /** The project grant that it depends on; null if the organization owns the project. */
  projectGrantId: string | null;
  roleKeys: string[];
  state: "active" | "inactive";
  createdAt: number;
  changedAt: number;
}

const COLUMNS = `g."id", g."userId", u."userName", COALESCE(u."displayName", u."name") AS "displayName",
  u."organizationId" AS "userOrganizationId", g."projectId", p."name" AS "projectName", g."projectGrantId", g."roleKeys", g."state",
  g."createdAt", g."changedAt"`;
const FROM = `"UserGrant" g JOIN "User" u ON u."id" = g."userId" JOIN "Project" p ON p."id" = g."projectId"`;

/**
 * Conditions for the grants of an organization.
 * @param projectIds only of these projects; not empty
 */
export function grantsOf(organizationId: string, projectIds?: readonly string[]): Conditions {
  const where = conditions();
  where.all.push(`g."organizationId" = ${where.parameter(organizationId)}`);
  if (projectIds) where.all.push(`g."projectId" IN (${projectIds.map((id) => where.parameter(id)).join(", ")})`);
  return where;
}

export interface GrantsWanted {
  id?: string;
  userId?: string;
  projectId?: string;
  state?: "active" | "inactive";
  roleKey?: string;
}

export function matchGrants(db: Database, where: Conditions, wanted: GrantsWanted): void {
  for (const column of ["id", "userId", "projectId", "state"] as const) {
    const value = wanted[column];
    if (value !== undefined) where.all.push(`g."${column}" = ${where.parameter(value)}`);
  }
  if (wanted.roleKey === undefined) return;
  const key = where.parameter(wanted.roleKey);
  where.all.push(
    db.kind === "sqlite"
      ? `EXISTS (SELECT 1 FROM json_each(g."roleKeys") k WHERE k."value" = ${key})`
      : `g."roleKeys" @> jsonb_build_array(${key}::text)`,
  );
}

/** Returns grants, by default newest first. */
export async function listGrants(
  db: Database,
  where: Conditions,
  { descending, ...reading }: ListReading,
): Promise<Page<ShownGrant>> {
  const sort = { sql: `g."id"`, kind: "text", descending } as const;
  const page = await listPage<ShownGrant>(db, {
    columns: COLUMNS,
    from: FROM,
    where,
    sort,
    unique: `g."organizationId"`,
    ...reading,
  });
  return { ...page, rows: page.rows.map((row) => ({ ...row, roleKeys: readJson<string[]>(row.roleKeys) })) };
}

export const countGrants = (db: Database, where: Conditions): Promise<number> => countListed(db, { from: FROM, where });

/** Returns a grant of this organization to this user, with the user; undefined for any other. */
export async function readGrantOfUser(
  tx: Transaction,
  key: { organizationId: string; userId: string; id: string },
): Promise<(UserGrantRow & { user: { id: string; organizationId: string } }) | undefined> {
  const include = { user: { select: { id: true, organizationId: true } } };
  return (await tx.userGrant.findFirst({ where: key, include })) ?? undefined;
}

/**
 * Returns those of the grants that belong to this organization, locked in a fixed order, so that two concurrent
 * removals do not deadlock.
 */
export function readGrantsById(tx: Transaction, organizationId: string, ids: readonly string[]) {
  const include = { user: { select: { id: true, organizationId: true } } };
  return tx.userGrant.findMany({ where: { organizationId, id: { in: [...ids] } }, include, orderBy: { id: "asc" } });
}
