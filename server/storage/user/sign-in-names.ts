/**
 * Finds users by what they type when they sign in. One statement looks a name up; all its branches use an index and are
 * bounded, so that a name used in thousands of organizations costs no more than any other.
 */
import type { Database } from "../database";
import { columnsIn, tables } from "../statement";

/** The data of a user that a sign-in needs. Times are epoch milliseconds; booleans may be 0 or 1. */
export interface PersonRow {
  id: string;
  organizationId: string;
  state: "active" | "inactive" | "locked";
  organizationState: "active" | "inactive";
  organizationName: string;
  userName: string;
  /** The displayed login name, with the primary domain. */
  loginName: string;
  firstName: string | null;
  lastName: string | null;
  displayName: string | null;
  preferredLanguage: string | null;
  email: string | null;
  isEmailVerified: boolean | number;
  phone: string | null;
  isPhoneVerified: boolean | number;
  passwordHash: string | null;
  passwordChangedAt: number | null;
  validFrom: number;
}

/** The displayed login name: the user name, completed by the primary domain if it has no `@`. */
const LOGIN_NAME = `CASE WHEN u."userName" LIKE '%@%' THEN u."userName"
            ELSE u."userName" || COALESCE((SELECT '@' || d."domain" FROM "Domain" d
                  WHERE d."organizationId" = u."organizationId" AND d."isPrimary" LIMIT 1), '') END AS "loginName"`;

/** The displayed login name of the user `u`. */
export function shownLoginName() {
  const eb = columnsIn<{ u: "User"; d: "Domain" }>();
  const primaryDomain = tables
    .selectFrom("Domain as d")
    .select(eb(eb.val("@"), "||", eb.ref("d.domain")).as("suffix"))
    .where(eb("d.organizationId", "=", eb.ref("u.organizationId")))
    .where(eb.ref("d.isPrimary"))
    .limit(1);
  const completed = eb("u.userName", "||", eb.fn.coalesce(primaryDomain, eb.val("")));
  return eb.case().when("u.userName", "like", "%@%").then(eb.ref("u.userName")).else(completed).end();
}

const SIGN_IN_COLUMNS = `u."id", u."organizationId", u."state", o."state" AS "organizationState",
       o."name" AS "organizationName", u."userName", u."firstName", u."lastName", u."displayName",
       u."preferredLanguage", u."email", u."isEmailVerified", u."phone", u."isPhoneVerified", u."passwordHash",
       u."passwordChangedAt", u."validFrom", ${LOGIN_NAME}`;

/**
 * The ways in which a typed name matches a user, best first. The organization of the sign-in comes before all others.
 * Elsewhere a verified address counts only if it is trusted by all organizations (directory/user/email-trust.ts), and
 * then comes before a name of that form, which any organization could assign.
 */
const RANK = {
  loginName: 0,
  userName: 1,
  email: 2,
  /** The login name elsewhere, in a domain (or subdomain) that its organization has verified. */
  provenName: 3,
  trustedEmail: 4,
  otherName: 5,
  /** The user name without a domain, in the default organization, or in any. */
  inDefault: 6,
  anywhere: 7,
} as const;

/** Maximum number of matches of one kind; with more, none of them is used. */
const MAX_MATCHES = 2;

/** $1: the name in comparable form, $2: the organization, from $3: the domain of the name and those above it. */
const IN_ORGANIZATION = `
    SELECT ${RANK.loginName} AS "rank", "id" FROM "User"
      WHERE "loginNameKey" = $1 AND "organizationId" = $2 AND "kind" = 'human'
    UNION ALL SELECT ${RANK.userName}, "id" FROM "User"
      WHERE "userNameKey" = $1 AND "organizationId" = $2 AND "kind" = 'human'
    UNION ALL SELECT * FROM (SELECT ${RANK.email}, "id" FROM "User"
      WHERE "emailKey" = $1 AND "organizationId" = $2 AND "isEmailVerified"
      LIMIT ${MAX_MATCHES + 1}) AS e`;

/** Number of domains in the usual statement. More, which do not occur by accident, need another statement. */
const USUAL_DOMAINS = 8;

/** SQL: the organization that has verified the closest of the domains, as for mail addresses (member/privileges.ts). */
const ownerOf = (domains: readonly string[]) => `(SELECT d."organizationId" FROM "Domain" d
          WHERE d."domain" IN (${domains.map((_, index) => `$${index + 3}`).join(", ")}) AND d."isVerified"
          ORDER BY length(d."domain") DESC LIMIT 1)`;

const elsewhere = (owner: string) => `
    UNION ALL SELECT CASE WHEN "userNameDomain" IS NULL OR "organizationId" = ${owner}
                          THEN ${RANK.provenName} ELSE ${RANK.otherName} END, "id" FROM "User"
      WHERE "loginNameKey" = $1 AND "kind" = 'human'
    UNION ALL SELECT * FROM (SELECT ${RANK.trustedEmail}, "id" FROM "User"
      WHERE "isEmailTrusted" = TRUE AND "emailKey" = $1 AND "isEmailVerified"
      LIMIT ${MAX_MATCHES + 1}) AS t
    UNION ALL SELECT * FROM (SELECT ${RANK.trustedEmail}, "id" FROM "User"
      WHERE "emailKey" = $1 AND "organizationId" = ${owner} AND "isEmailVerified"
      LIMIT ${MAX_MATCHES + 1}) AS o
    UNION ALL SELECT ${RANK.inDefault}, "id" FROM "User"
      WHERE "userNameKey" = $1 AND "kind" = 'human'
        AND "organizationId" = (SELECT "defaultOrganizationId" FROM "Instance" LIMIT 1)
    UNION ALL SELECT * FROM (SELECT ${RANK.anywhere}, "id" FROM "User"
      WHERE "userNameKey" = $1 AND "kind" = 'human'
      LIMIT ${MAX_MATCHES + 3}) AS a`; // those in the two organizations above are among them

/** SQL: each of the candidates once, by the best of their matches. */
const withPeople = (candidates: string) => `
  WITH c AS (SELECT "id", MIN("rank") AS "rank" FROM (${candidates}) AS f GROUP BY "id")
  SELECT c."rank", ${SIGN_IN_COLUMNS}
    FROM c JOIN "User" u ON u."id" = c."id" JOIN "Organization" o ON o."id" = u."organizationId"
   ORDER BY c."rank", u."createdAt", u."id"`;

/** The scope of the look-up of a typed name. */
export interface NameScope {
  /** Only in this organization. */
  organizationId?: string;
  /** In this organization first. */
  preferred?: string;
}

/** A user whom a typed name can mean, in any state. */
export interface NamedPerson extends PersonRow {
  /** A smaller rank is better; users with the same rank are equally good. */
  rank: number;
}

/**
 * Returns the users that a typed name can mean, each once, best first. Kinds of matches with too many users are left
 * out.
 * @param key the comparable name
 * @param above the domain of the name and its parent domains
 */
export async function listPeopleNamed(
  db: Database,
  key: string,
  above: readonly string[],
  { organizationId, preferred = "" }: NameScope,
): Promise<NamedPerson[]> {
  const domains = [...above, ...Array<string>(Math.max(0, USUAL_DOMAINS - above.length)).fill("")];
  const all = await (organizationId === undefined
    ? db.all<NamedPerson>(withPeople(IN_ORGANIZATION + elsewhere(ownerOf(domains))), [key, preferred, ...domains])
    : db.all<NamedPerson>(withPeople(IN_ORGANIZATION), [key, organizationId]));
  return all.filter(({ rank }) => all.filter((other) => other.rank === rank).length <= MAX_MATCHES);
}

export function findPerson(db: Database, id: string): Promise<PersonRow | undefined> {
  return db.one<PersonRow>(
    `SELECT ${SIGN_IN_COLUMNS} FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE u."id" = $1 AND u."kind" = 'human'`,
    [id],
  );
}
