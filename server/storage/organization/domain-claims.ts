/** Users of other organizations whose user name ends in a verified domain or one of its subdomains. */
import { sql } from "kysely";
import type { Transaction } from "../database";
import { readAll, readCount, write } from "../in-transaction";
import { bind, tables } from "../statement";
import type { UserRow } from "../user/user";

/** Returns the subdomains of a domain that user names of any organization end in. */
export async function readUsedSubdomains(tx: Transaction, domain: string): Promise<string[]> {
  const below = `.${domain}`;
  const used = tables.selectFrom("User").select("userNameDomain as name").distinct();
  const rows = await readAll(tx, bind(used.where("userNameDomain", "like", `%${below}`)));
  // An underscore in the LIKE pattern matches any character, so the results are filtered again.
  return rows.flatMap(({ name }) => (name?.endsWith(below) ? name : []));
}

/** Returns the subdomains of a domain that other organizations have verified. */
export async function readForeignSubdomains(
  tx: Transaction,
  organizationId: string,
  domain: string,
): Promise<string[]> {
  const below = `.${domain}`;
  const foreign = tables
    .selectFrom("Domain")
    .select("domain")
    .where("domain", "like", `%${below}`)
    .where("isVerified", "=", true)
    .where("organizationId", "<>", organizationId);
  return (await readAll(tx, bind(foreign))).map((row) => row.domain).filter((name) => name.endsWith(below));
}

const usersUnder = (organizationId: string, domains: readonly string[]) =>
  tables
    .selectFrom("User as u")
    .where("u.userNameDomain", "in", domains)
    .where("u.kind", "=", "human")
    .where("u.organizationId", "<>", organizationId);

/**
 * Returns the users outside the organization whose name ends in `@` and one of the domains. The query uses an index.
 */
export function readUsersUnder(
  tx: Transaction,
  organizationId: string,
  domains: readonly string[],
): Promise<UserRow[]> {
  return readAll(tx, bind(usersUnder(organizationId, domains).selectAll("u").orderBy("u.id").$castTo<UserRow>()));
}

/** Gives machine users outside the organization with names in these domains login names in another domain. */
export async function releaseLoginNames(
  tx: Transaction,
  of: { organizationId: string; domains: readonly string[]; temporaryDomain: string },
): Promise<void> {
  for (let start = 0; start < of.domains.length; start += CHUNK) {
    const release = tables
      .updateTable("User")
      .set((eb) => ({ loginNameKey: sql<string>`${eb.ref("id")} || '@' || ${of.temporaryDomain}` }))
      .where("userNameDomain", "in", of.domains.slice(start, start + CHUNK))
      .where("kind", "=", "machine")
      .where("organizationId", "<>", of.organizationId);
    await write(tx, bind(release));
  }
}

export type Renamed = Pick<UserRow, "id" | "userName" | "userNameKey" | "userNameDomain" | "loginNameKey">;

const CHUNK = 500;

/** Renames the users, with one statement per 500 users. */
export async function renameUsers(tx: Transaction, renamed: readonly Renamed[], now: number): Promise<void> {
  for (let start = 0; start < renamed.length; start += CHUNK) {
    const rows = renamed
      .slice(start, start + CHUNK)
      .map((row) => sql`(${row.id}, ${row.userName}, ${row.userNameKey}, ${row.userNameDomain}, ${row.loginNameKey})`);
    // Both databases name the columns of VALUES column1, column2 and so on.
    const update = tables
      .updateTable("User")
      .from(sql<Record<`column${1 | 2 | 3 | 4 | 5}`, string>>`(values ${sql.join(rows)})`.as("v"))
      .set((eb) => ({
        userName: eb.ref("v.column2"),
        userNameKey: eb.ref("v.column3"),
        userNameDomain: eb.ref("v.column4"),
        loginNameKey: eb.ref("v.column5"),
        changedAt: now,
      }))
      .whereRef("User.id", "=", "v.column1");
    await write(tx, bind(update));
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
export function listUsersUnder(
  tx: Transaction,
  { organizationId, domains, limit }: { organizationId: string; domains: readonly string[]; limit: number },
): Promise<UserUnderDomain[]> {
  const first = usersUnder(organizationId, domains)
    .innerJoin("Organization as o", "o.id", "u.organizationId")
    .select(["u.id as userId", "u.userName", "u.organizationId", "o.name as organizationName", "u.email"])
    .orderBy("u.id")
    .limit(limit);
  return readAll(tx, bind(first));
}

export function countUsersUnder(tx: Transaction, organizationId: string, domains: readonly string[]): Promise<number> {
  return readCount(tx, usersUnder(organizationId, domains));
}
