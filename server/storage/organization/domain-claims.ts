/** Users of other organizations whose user name ends in a verified domain or one of its subdomains. */
import type { Transaction } from "../database";
import { Prisma } from "../generated/sqlite/client";
import type { UserRow } from "../user/user";

/** Returns the subdomains of a domain that user names of any organization end in. */
export async function readUsedSubdomains(tx: Transaction, domain: string): Promise<string[]> {
  const below = `.${domain}`;
  const pattern = `%${below}`;
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT "userNameDomain" AS "name" FROM "User" WHERE "userNameDomain" LIKE ${pattern}`;
  // An underscore in the LIKE pattern matches any character, so the results are filtered again.
  return rows.map(({ name }) => name).filter((name) => name.endsWith(below));
}

/** Returns the subdomains of a domain that other organizations have verified. */
export async function readForeignSubdomains(
  tx: Transaction,
  organizationId: string,
  domain: string,
): Promise<string[]> {
  const where = { domain: { endsWith: `.${domain}` }, isVerified: true, NOT: { organizationId } };
  return (await tx.domain.findMany({ where, select: { domain: true } })).map((row) => row.domain);
}

const inDomains = (organizationId: string, domains: readonly string[]) => ({
  userNameDomain: { in: [...domains] },
  kind: "human" as const,
  NOT: { organizationId },
});

/**
 * Returns the users outside the organization whose name ends in `@` and one of the domains. The query uses an index.
 */
export function readUsersUnder(
  tx: Transaction,
  organizationId: string,
  domains: readonly string[],
): Promise<UserRow[]> {
  return tx.user.findMany({ where: inDomains(organizationId, domains), orderBy: { id: "asc" } });
}

/** Gives machine users outside the organization with names in these domains login names in another domain. */
export async function releaseLoginNames(
  tx: Transaction,
  of: { organizationId: string; domains: readonly string[]; temporaryDomain: string },
): Promise<void> {
  for (let start = 0; start < of.domains.length; start += CHUNK) {
    const domains = Prisma.join(of.domains.slice(start, start + CHUNK));
    await tx.$executeRaw`
      UPDATE "User" SET "loginNameKey" = "id" || '@' || ${of.temporaryDomain}
       WHERE "userNameDomain" IN (${domains}) AND "kind" = 'machine' AND "organizationId" <> ${of.organizationId}`;
  }
}

export type Renamed = Pick<UserRow, "id" | "userName" | "userNameKey" | "userNameDomain" | "loginNameKey">;

const CHUNK = 500;

/** Renames the users, with one statement per 500 users. */
export async function renameUsers(tx: Transaction, renamed: readonly Renamed[], now: number): Promise<void> {
  const at = new Date(now);
  for (let start = 0; start < renamed.length; start += CHUNK) {
    const rows = renamed
      .slice(start, start + CHUNK)
      .map(
        (row) =>
          Prisma.sql`(${row.id}, ${row.userName}, ${row.userNameKey}, ${row.userNameDomain}, ${row.loginNameKey})`,
      );
    // Both databases name the columns of VALUES column1, column2 and so on.
    await tx.$executeRaw`
      UPDATE "User" SET "userName" = v.column2, "userNameKey" = v.column3, "userNameDomain" = v.column4,
             "loginNameKey" = v.column5, "changedAt" = ${at}
        FROM (VALUES ${Prisma.join(rows)}) AS v WHERE "User"."id" = v.column1`;
  }
}

export interface UserUnderDomain {
  userId: string;
  userName: string;
  organizationId: string;
  organizationName: string;
  /** The address that the message would be sent to; null without one. */
  email: string | null;
}

/** Returns the first `limit` of the users that `readUsersUnder` finds. */
export async function listUsersUnder(
  tx: Transaction,
  { organizationId, domains, limit }: { organizationId: string; domains: readonly string[]; limit: number },
): Promise<UserUnderDomain[]> {
  const rows = await tx.user.findMany({
    where: inDomains(organizationId, domains),
    select: { id: true, userName: true, organizationId: true, organization: { select: { name: true } }, email: true },
    orderBy: { id: "asc" },
    take: limit,
  });
  return rows.map(({ id, organization, ...row }) => ({ ...row, userId: id, organizationName: organization.name }));
}

export function countUsersUnder(tx: Transaction, organizationId: string, domains: readonly string[]): Promise<number> {
  return tx.user.count({ where: inDomains(organizationId, domains) });
}
