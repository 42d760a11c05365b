/** Rows of organizations and their domains. */
import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import { bind, listStatement, type Params, statement, tables } from "../statement";
import { deleteUsersOf } from "../user/bulk";

export type OrganizationRow = Selectable<Tables["Organization"]>;
export type DomainRow = Selectable<Tables["Domain"]>;
export type OrganizationWithDomains = OrganizationRow & { domains: DomainRow[] };

const anyId = tables.selectFrom("Organization").select("id").limit(1);

export async function anyOrganization(db: Database): Promise<boolean> {
  return (await db.one(bind(anyId))) !== undefined;
}

const nameOf = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("Organization").select("name").where("id", "=", $("id")),
);

/** Returns the name of an organization; undefined if it does not exist. */
export async function findOrganizationName(db: Database, organizationId: string): Promise<string | undefined> {
  return (await db.one(nameOf({ id: organizationId })))?.name;
}

/** Whether there are rows without a sort key, from before the column existed. */
export async function anyOrganizationWithoutKey(db: Database): Promise<boolean> {
  return (await db.one(bind(anyId.where("nameKey", "is", null)))) !== undefined;
}

export function readOrganizationsWithoutKey(tx: Transaction): Promise<OrganizationRow[]> {
  return readAll(tx, bind(tables.selectFrom("Organization").selectAll().where("nameKey", "is", null)));
}

const activeWithId = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("Organization").select("id").where("id", "=", $("id")).where("state", "=", "active"),
);
const activeWithDomain = statement(($: Params<{ primaryDomain: string }>) =>
  tables
    .selectFrom("Domain as d")
    .innerJoin("Organization as o", "o.id", "d.organizationId")
    .select("o.id")
    .where("d.domain", "=", $("primaryDomain"))
    .where((eb) => eb.and({ "d.isPrimary": true, "d.isVerified": true, "o.state": "active" })),
);

/** The id of the active organization with this id or verified primary domain; at most one. */
export async function findActiveOrganizations(
  db: Database,
  by: { id: string } | { primaryDomain: string },
): Promise<string[]> {
  const rows = await db.all("id" in by ? activeWithId(by) : activeWithDomain(by));
  return rows.map(({ id }) => id);
}

const ownersOf = statement(($: Params<{ domain: string }>) =>
  tables
    .selectFrom("Domain")
    .select(["organizationId", "isVerified"])
    .where("domain", "=", $("domain"))
    .where((eb) => eb.or([eb("isVerified", "=", true), eb("isPrimary", "=", true)]))
    .orderBy("isVerified", "desc")
    .limit(2),
);

/**
 * Returns the organization that has a domain, preferably as a verified one; undefined if no organization or more than
 * one without verification has it.
 */
export async function findDomainOwner(db: Database, domain: string): Promise<string | undefined> {
  const [best, next] = await db.all(ownersOf({ domain }));
  return best && (best.isVerified || !next) ? best.organizationId : undefined;
}

const primaryDomainOf = statement(($: Params<{ organizationId: string }>) =>
  tables
    .selectFrom("Domain")
    .select("domain")
    .where("organizationId", "=", $("organizationId"))
    .where("isPrimary", "=", true)
    .limit(1),
);

/** Returns the domain that completes user names of the organization. */
export async function findPrimaryDomain(db: Database, organizationId: string): Promise<string | undefined> {
  return (await db.one(primaryDomainOf({ organizationId })))?.domain;
}

const organizations = tables.selectFrom("Organization").selectAll();

async function withDomains(tx: Transaction, rows: readonly OrganizationRow[]): Promise<OrganizationWithDomains[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const domains = await readAll(tx, bind(tables.selectFrom("Domain").selectAll().where("organizationId", "in", ids)));
  return rows.map((row) => ({ ...row, domains: domains.filter(({ organizationId }) => organizationId === row.id) }));
}

export async function readOrganization(tx: Transaction, id: string): Promise<OrganizationWithDomains | undefined> {
  const [found] = await withDomains(tx, await readAll(tx, bind(organizations.where("id", "=", id))));
  return found;
}

/** The organization, locked against removal until the transaction ends. SQLite has only one writer anyway. */
export async function lockOrganization(
  db: Database,
  tx: Transaction,
  id: string,
): Promise<OrganizationWithDomains | undefined> {
  if (db.kind === "postgresql") await readOne(tx, bind(anyId.where("id", "=", id).forUpdate()));
  return readOrganization(tx, id);
}

/** Returns at most two organizations with this name: enough to tell whether the name is unambiguous. */
export async function readOrganizationsByName(tx: Transaction, name: string): Promise<OrganizationWithDomains[]> {
  return withDomains(tx, await readAll(tx, bind(organizations.where("name", "=", name).limit(2))));
}

/**
 * Waits for transactions that verify one of the domains, and prevents others from verifying it until this transaction
 * ends. SQLite has only one writer anyway.
 */
export async function lockDomains(db: Database, tx: Transaction, domains: readonly string[]): Promise<void> {
  if (db.kind !== "postgresql" || domains.length === 0) return;
  await readAll(tx, bind(tables.selectFrom("Domain").select("domain").where("domain", "in", domains).forShare()));
}

const verified = tables.selectFrom("Domain").where("isVerified", "=", true);

/** The organization that has verified a domain, if there is one. */
export async function readVerifiedOwner(tx: Transaction, domain: string): Promise<string | undefined> {
  const owner = verified.select("organizationId").where("domain", "=", domain).limit(1);
  return (await readOne(tx, bind(owner)))?.organizationId;
}

const closestOwner = listStatement((_: Params<object>, domains) =>
  verified
    .select("organizationId")
    .where("domain", "in", domains)
    .orderBy((eb) => eb.fn("length", ["domain"]), "desc")
    .limit(1),
);

/** The organization that has verified the longest of these domains, if one has verified any. */
export async function findVerifiedOwner(db: Database, domains: readonly string[]): Promise<string | undefined> {
  return (await db.one(closestOwner({}, domains)))?.organizationId;
}

/** Returns the organization that has verified the longest of these domains, including changes of the transaction. */
export async function readClosestOwner(tx: Transaction, domains: readonly string[]): Promise<string | undefined> {
  return domains.length === 0 ? undefined : (await readOne(tx, closestOwner({}, domains)))?.organizationId;
}

/** The domains that an organization has verified, including what the transaction wrote. */
export async function readVerifiedDomains(tx: Transaction, organizationId: string): Promise<string[]> {
  const rows = await readAll(tx, bind(verified.select("domain").where("organizationId", "=", organizationId)));
  return rows.map(({ domain }) => domain);
}

export async function insertOrganization(tx: Transaction, row: OrganizationRow): Promise<void> {
  await write(tx, bind(tables.insertInto("Organization").values(row)));
}

export async function updateOrganizationRow(
  tx: Transaction,
  id: string,
  data: Partial<Omit<OrganizationRow, "id">>,
): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("Organization").set(data).where("id", "=", id)));
}

export async function insertDomain(tx: Transaction, row: DomainRow): Promise<void> {
  await write(tx, bind(tables.insertInto("Domain").values(row)));
}

export async function updateDomain(
  tx: Transaction,
  organizationId: string,
  domain: string,
  data: Partial<Omit<DomainRow, "organizationId" | "domain" | "createdAt">>,
): Promise<void> {
  const update = tables.updateTable("Domain").set(data);
  await writeOne(tx, bind(update.where((eb) => eb.and({ organizationId, domain }))));
}

export function markDomainVerified(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  return updateDomain(tx, organizationId, domain, { isVerified: true });
}

/** Makes a domain the only primary one of its organization. */
export async function markDomainPrimary(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  const others = tables
    .updateTable("Domain")
    .set({ isPrimary: false })
    .where((eb) => eb.and({ organizationId, isPrimary: true }))
    .where("domain", "<>", domain);
  await write(tx, bind(others));
  await updateDomain(tx, organizationId, domain, { isPrimary: true });
}

/** Changes the login names of all users of the organization without `@` in their user name to `domain`. */
export async function moveLoginNames(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  const move = tables
    .updateTable("User")
    .set((eb) => ({ loginNameKey: sql<string>`${eb.ref("userNameKey")} || '@' || ${domain}` }))
    .where("organizationId", "=", organizationId)
    .where("userNameKey", "not like", "%@%");
  await write(tx, bind(move));
}

/**
 * Returns a login name that `moveLoginNames` would take from a user of another organization; undefined if all are free.
 */
export async function readTakenLoginName(
  tx: Transaction,
  organizationId: string,
  domain: string,
): Promise<string | undefined> {
  const taken = tables
    .selectFrom("User as u")
    .innerJoin("User as o", (join) =>
      join.on((eb) => eb("o.loginNameKey", "=", sql<string>`${eb.ref("u.userNameKey")} || '@' || ${domain}`)),
    )
    .select("o.loginNameKey")
    .where("u.organizationId", "=", organizationId)
    .where("u.userNameKey", "not like", "%@%")
    .whereRef("o.organizationId", "<>", "u.organizationId")
    .limit(1);
  return (await readOne(tx, bind(taken)))?.loginNameKey;
}

const OWNED = [
  ...(["MessageText", "LoginText", "TextDraft", "Policy", "Asset"] as const),
  ...(["EmailProvider", "SmsProvider", "IdentityProvider"] as const),
];

/** Deletes an organization with everything in it, users included. The audit trail stays. */
export async function deleteOrganization(tx: Transaction, id: string): Promise<void> {
  const projects = tables.selectFrom("Project").select("id").where("organizationId", "=", id);
  const grants = tables
    .selectFrom("ProjectGrant")
    .select("id")
    .where((eb) => eb.or([eb("grantedOrganizationId", "=", id), eb("projectId", "in", projects)]));
  const users = tables.selectFrom("User").select("id").where("organizationId", "=", id);
  const memberships = tables
    .deleteFrom("Membership")
    .where((eb) =>
      eb.or([
        eb.and([eb("level", "=", "project"), eb("levelId", "in", projects)]),
        eb.and([eb("level", "=", "project_grant"), eb("levelId", "in", grants)]),
        eb.and({ level: "organization", levelId: id }),
      ]),
    );
  await write(tx, bind(memberships));
  await write(tx, bind(tables.deleteFrom("OneTimeToken").where("subjectId", "in", users)));
  for (const table of OWNED) await write(tx, bind(tables.deleteFrom(table).where("ownerId", "=", id)));
  await write(tx, bind(tables.deleteFrom("MailSettings").where("organizationId", "=", id)));
  await write(tx, bind(tables.deleteFrom("OutboxMessage").where("organizationId", "=", id)));
  await deleteUsersOf(tx, id);
  await writeOne(tx, bind(tables.deleteFrom("Organization").where("id", "=", id)));
}

export async function deleteDomain(tx: Transaction, organizationId: string, domain: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("Domain").where((eb) => eb.and({ organizationId, domain }))));
}
