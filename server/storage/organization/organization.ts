/** Rows of organizations and their domains. */
import type { Database, Transaction } from "../database";
import type { Domain, Organization } from "../generated/sqlite/client";
import { deleteUsersOf } from "../user/bulk";

export type OrganizationRow = Organization;
export type DomainRow = Domain;
export type OrganizationWithDomains = OrganizationRow & { domains: DomainRow[] };

export async function anyOrganization(db: Database): Promise<boolean> {
  return (await db.one(`SELECT 1 AS "found" FROM "Organization" LIMIT 1`, [])) !== undefined;
}

/** Returns the name of an organization; undefined if it does not exist. */
export async function findOrganizationName(db: Database, organizationId: string): Promise<string | undefined> {
  const row = await db.one<{ name: string }>(`SELECT "name" FROM "Organization" WHERE "id" = $1`, [organizationId]);
  return row?.name;
}

/** Whether there are rows without a sort key, from before the column existed. */
export async function anyOrganizationWithoutKey(db: Database): Promise<boolean> {
  return (await db.one(`SELECT 1 AS "found" FROM "Organization" WHERE "nameKey" IS NULL LIMIT 1`, [])) !== undefined;
}

export function readOrganizationsWithoutKey(tx: Transaction): Promise<OrganizationRow[]> {
  return tx.organization.findMany({ where: { nameKey: null } });
}

/** The id of the active organization with this id or verified primary domain; at most one. */
export async function findActiveOrganizations(
  db: Database,
  by: { id: string } | { primaryDomain: string },
): Promise<string[]> {
  const rows = await ("id" in by
    ? db.all<{ id: string }>(`SELECT "id" FROM "Organization" WHERE "id" = $1 AND "state" = 'active'`, [by.id])
    : db.all<{ id: string }>(
        `SELECT o."id" FROM "Domain" d JOIN "Organization" o ON o."id" = d."organizationId"
          WHERE d."domain" = $1 AND d."isPrimary" AND d."isVerified" AND o."state" = 'active'`,
        [by.primaryDomain],
      ));
  return rows.map(({ id }) => id);
}

/**
 * Returns the organization that has a domain, preferably as a verified one; undefined if no organization or more than
 * one without verification has it.
 */
export async function findDomainOwner(db: Database, domain: string): Promise<string | undefined> {
  const rows = await db.all<{ organizationId: string; isVerified: boolean | number }>(
    `SELECT "organizationId", "isVerified" FROM "Domain" WHERE "domain" = $1 AND ("isVerified" OR "isPrimary")
      ORDER BY "isVerified" DESC LIMIT 2`,
    [domain],
  );
  const [best, next] = rows;
  return best && (best.isVerified || !next) ? best.organizationId : undefined;
}

/** Returns the domain that completes user names of the organization. */
export async function findPrimaryDomain(db: Database, organizationId: string): Promise<string | undefined> {
  const sql = `SELECT "domain" FROM "Domain" WHERE "organizationId" = $1 AND "isPrimary" LIMIT 1`;
  return (await db.one<{ domain: string }>(sql, [organizationId]))?.domain;
}

export async function readOrganization(tx: Transaction, id: string): Promise<OrganizationWithDomains | undefined> {
  return (await tx.organization.findUnique({ where: { id }, include: { domains: true } })) ?? undefined;
}

/** The organization, locked against removal until the transaction ends. SQLite has only one writer anyway. */
export async function lockOrganization(
  db: Database,
  tx: Transaction,
  id: string,
): Promise<OrganizationWithDomains | undefined> {
  if (db.kind === "postgresql") await tx.$queryRaw`SELECT 1 FROM "Organization" WHERE "id" = ${id} FOR UPDATE`;
  return readOrganization(tx, id);
}

/** Returns at most two organizations with this name: enough to tell whether the name is unambiguous. */
export function readOrganizationsByName(tx: Transaction, name: string): Promise<OrganizationWithDomains[]> {
  return tx.organization.findMany({ where: { name }, include: { domains: true }, take: 2 });
}

/**
 * Waits for transactions that verify one of the domains, and prevents others from verifying it until this transaction
 * ends. SQLite has only one writer anyway.
 */
export async function lockDomains(db: Database, tx: Transaction, domains: readonly string[]): Promise<void> {
  if (db.kind !== "postgresql") return;
  await tx.$queryRaw`SELECT 1 FROM "Domain" WHERE "domain" = ANY(${[...domains]}) FOR SHARE`;
}

/** The organization that has verified a domain, if there is one. */
export async function readVerifiedOwner(tx: Transaction, domain: string): Promise<string | undefined> {
  const row = await tx.domain.findFirst({ where: { domain, isVerified: true }, select: { organizationId: true } });
  return row?.organizationId;
}

/** The organization that has verified the longest of these domains, if one has verified any. */
export async function findVerifiedOwner(db: Database, domains: readonly string[]): Promise<string | undefined> {
  const placeholders = domains.map((_, index) => `$${index + 1}`);
  const row = await db.one<{ organizationId: string }>(
    `SELECT "organizationId" FROM "Domain" WHERE "isVerified" AND "domain" IN (${placeholders.join(", ")})
      ORDER BY length("domain") DESC LIMIT 1`,
    [...domains],
  );
  return row?.organizationId;
}

/** Returns the organization that has verified the longest of these domains, including changes of the transaction. */
export async function readClosestOwner(tx: Transaction, domains: readonly string[]): Promise<string | undefined> {
  const rows = await tx.domain.findMany({ where: { domain: { in: [...domains] }, isVerified: true } });
  const [closest] = rows.sort((one, other) => other.domain.length - one.domain.length);
  return closest?.organizationId;
}

/** The domains that an organization has verified, including what the transaction wrote. */
export async function readVerifiedDomains(tx: Transaction, organizationId: string): Promise<string[]> {
  const rows = await tx.domain.findMany({ where: { organizationId, isVerified: true }, select: { domain: true } });
  return rows.map(({ domain }) => domain);
}

export async function insertOrganization(tx: Transaction, row: OrganizationRow): Promise<void> {
  await tx.organization.create({ data: row });
}

export async function updateOrganizationRow(
  tx: Transaction,
  id: string,
  data: Partial<Omit<OrganizationRow, "id">>,
): Promise<void> {
  await tx.organization.update({ where: { id }, data });
}

export async function insertDomain(tx: Transaction, row: DomainRow): Promise<void> {
  await tx.domain.create({ data: row });
}

export async function markDomainVerified(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  await tx.domain.update({ where: { organizationId_domain: { organizationId, domain } }, data: { isVerified: true } });
}

/** Makes a domain the only primary one of its organization. */
export async function markDomainPrimary(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  await tx.domain.updateMany({
    where: { organizationId, isPrimary: true, NOT: { domain } },
    data: { isPrimary: false },
  });
  await tx.domain.update({ where: { organizationId_domain: { organizationId, domain } }, data: { isPrimary: true } });
}

/** Changes the login names of all users of the organization without `@` in their user name to `domain`. */
export async function moveLoginNames(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "User" SET "loginNameKey" = "userNameKey" || '@' || ${domain}
     WHERE "organizationId" = ${organizationId} AND "userNameKey" NOT LIKE '%@%'`;
}

/**
 * Returns a login name that `moveLoginNames` would take from a user of another organization; undefined if all are free.
 */
export async function readTakenLoginName(
  tx: Transaction,
  organizationId: string,
  domain: string,
): Promise<string | undefined> {
  const [taken] = await tx.$queryRaw<{ loginNameKey: string }[]>`
    SELECT o."loginNameKey" FROM "User" u JOIN "User" o ON o."loginNameKey" = u."userNameKey" || '@' || ${domain}
     WHERE u."organizationId" = ${organizationId} AND u."userNameKey" NOT LIKE '%@%'
       AND o."organizationId" <> u."organizationId" LIMIT 1`;
  return taken?.loginNameKey;
}

/** Deletes an organization with everything in it, users included. The audit trail stays. */
export async function deleteOrganization(tx: Transaction, id: string): Promise<void> {
  const own = { where: { ownerId: id } };
  await tx.$executeRaw`DELETE FROM "Membership" WHERE "level" = 'project'
      AND "levelId" IN (SELECT "id" FROM "Project" WHERE "organizationId" = ${id})`;
  await tx.membership.deleteMany({ where: { level: "organization", levelId: id } });
  await tx.$executeRaw`DELETE FROM "OneTimeToken"
      WHERE "subjectId" IN (SELECT "id" FROM "User" WHERE "organizationId" = ${id})`;
  await tx.messageText.deleteMany(own);
  await tx.loginText.deleteMany(own);
  await tx.textDraft.deleteMany(own);
  await tx.policy.deleteMany(own);
  await tx.asset.deleteMany(own);
  await tx.emailProvider.deleteMany(own);
  await tx.smsProvider.deleteMany(own);
  await tx.mailSettings.deleteMany({ where: { organizationId: id } });
  await tx.outboxMessage.deleteMany({ where: { organizationId: id } });
  await deleteUsersOf(tx, id);
  await tx.organization.delete({ where: { id } });
}

export async function updateDomain(
  tx: Transaction,
  organizationId: string,
  domain: string,
  data: Partial<Pick<DomainRow, "challengeType" | "challengeToken">>,
): Promise<void> {
  await tx.domain.update({ where: { organizationId_domain: { organizationId, domain } }, data });
}

export async function deleteDomain(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  await tx.domain.delete({ where: { organizationId_domain: { organizationId, domain } } });
}
