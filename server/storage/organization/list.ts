/** Organizations and their domains, for lists. */
import type { Database } from "../database";
import type { AggregateRow } from "../event/event";
import type { TextWanted } from "../listing";
import {
  closenessTo,
  countSelected,
  type Filter,
  type RowList,
  rowList,
  type SearchedColumns,
  type SearchedText,
  textFinds,
  textMatches,
} from "../pages";
import { bind, columnsIn, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface ShownOrganization extends AggregateRow {
  id: string;
  name: string;
  state: "active" | "inactive";
  defaultLanguage: string | null;
  primaryDomain: string | null;
}

/** The tables of the conditions: `o` is an organization, `d` a domain. */
const eb = columnsIn<{ o: "Organization"; d: "Domain" }>();

const organizations = (where: Filter) =>
  tables
    .selectFrom("Organization as o")
    .innerJoin("Aggregate as a", (join) => join.onRef("a.id", "=", "o.id").on("a.type", "=", "organization"))
    .select(["o.id", "o.name", "o.state", "o.defaultLanguage"])
    .select(["a.sequence", "a.resourceOwner", "a.createdAt", "a.changedAt"])
    .select((of) =>
      of
        .selectFrom("Domain as d")
        .select("d.domain")
        .whereRef("d.organizationId", "=", "o.id")
        .where("d.isPrimary", "=", true)
        .limit(1)
        .as("primaryDomain"),
    )
    .where(eb.and(where))
    .$castTo<ShownOrganization>();

export function findOrganization(db: Database, id: string): Promise<ShownOrganization | undefined> {
  return db.one(bind(organizations([eb("o.id", "=", id)])));
}

const verifiedDomains = tables.selectFrom("Domain as d").select("d.organizationId").where("d.isVerified", "=", true);

export function findOrganizationByDomain(db: Database, domain: string): Promise<ShownOrganization | undefined> {
  const owner = verifiedDomains.where("d.domain", "=", domain).limit(1);
  return db.one(bind(organizations([eb("o.id", "=", owner)])));
}

/** Returns whether no organization has this name or has verified this domain. */
export async function isOrganizationFree(
  db: Database,
  { nameKey = "", domain = "" }: { nameKey?: string; domain?: string },
): Promise<boolean> {
  const named = tables.selectFrom("Organization").select("id").where("nameKey", "=", nameKey).limit(1);
  const found = await db.one(bind(named));
  return !found && !(await db.one(bind(verifiedDomains.where("d.domain", "=", domain).limit(1))));
}

export interface OrganizationMatch {
  id?: string;
  /** Only organizations with one of these ids. */
  ids?: readonly string[];
  name?: TextWanted;
  domain?: TextWanted;
  state?: ShownOrganization["state"];
  /** An id, a primary domain, or words of the name. */
  searched?: SearchedText;
}

const primaryDomain = tables
  .selectFrom("Domain as d")
  .select("d.domain")
  .where("d.organizationId", "=", eb.ref("o.id"))
  .where("d.isPrimary", "=", true)
  .limit(1);

const SEARCHED: SearchedColumns = {
  ids: [eb.ref("o.id")],
  names: [eb.fn.coalesce("o.nameKey", "o.name"), primaryDomain.$asScalar()],
};

export const allOrganizations = (): Filter => [];

export function matchOrganizations(where: Filter, { id, ids, name, domain, state, searched }: OrganizationMatch): void {
  if (id !== undefined) where.push(eb("o.id", "=", id));
  if (ids) where.push(ids.length === 0 ? eb.lit(false) : eb("o.id", "in", ids));
  if (name) where.push(textMatches(eb.ref(name.ignoreCase ? "o.nameKey" : "o.name"), name));
  if (domain) {
    const own = verifiedDomains.where("d.organizationId", "=", eb.ref("o.id"));
    where.push(eb.exists(own.where(textMatches(eb.ref("d.domain"), domain))));
  }
  if (state) where.push(eb("o.state", "=", state));
  if (searched) where.push(textFinds(searched, SEARCHED));
}

/**
 * Returns the list of organizations, ordered by name.
 * @param searched orders by closeness to it first
 */
export const organizationList = (searched?: SearchedText): RowList<ShownOrganization> => ({
  ...rowList(organizations, { sort: searched ? closenessTo(searched, SEARCHED) : "o.nameKey", unique: "o.id" }),
  count: (db, where) => countSelected(db, tables.selectFrom("Organization as o").where(eb.and(where))),
});

/** Times are epoch milliseconds. */
export interface ShownDomain {
  organizationId: string;
  domain: string;
  isVerified: boolean;
  isPrimary: boolean;
  challengeType: "dns" | "http" | null;
  challengeToken: string | null;
  createdAt: number;
}

const domains = (where: Filter) =>
  tables
    .selectFrom("Domain as d")
    .select(["d.organizationId", "d.domain", "d.isVerified", "d.isPrimary", "d.challengeType", "d.challengeToken"])
    .select("d.createdAt")
    .where(eb.and(where))
    .$castTo<ShownDomain>();

export function findDomain(db: Database, organizationId: string, domain: string): Promise<ShownDomain | undefined> {
  return db.one(bind(domains([eb.and({ "d.organizationId": organizationId, "d.domain": domain })])));
}

export const domainsOf = (organizationId: string): Filter => [eb("d.organizationId", "=", organizationId)];

export function matchDomains(where: Filter, name: TextWanted): void {
  where.push(textMatches(eb.ref("d.domain"), name));
}

/** Domains, ordered by name. */
export const domainList = rowList(domains, { sort: "d.domain", unique: "d.organizationId" });
