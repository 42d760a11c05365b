/**
 * Conditions of a search for users that no index decides. They are checked user by user and may be combined. Their text
 * comes from our own code; input is passed as values.
 */
import type { Database } from "../database";
import { type Conditions, conditions, matchesText, type TextMatch } from "../listing";
import { IS_INVITED } from "./invitations";

/** Columns of comparable names; each is the order of an index. */
export type NameKey = "userNameKey" | "displayNameKey" | "emailKey" | "loginNameKey";

export interface NameCondition {
  key: NameKey;
  match: TextMatch;
  /** Comparable. */
  text: string;
  /** For case-sensitive searches: the exact text in the displayed column. */
  exactly?: { column: "userName" | "displayName" | "email"; text: string };
}

export type MetadataCondition =
  | { text: string; match: TextMatch; ignoreCase: boolean }
  /** In base64url; `isOther` for any other value. */
  | { value: string; isOther: boolean };

export type UserFilter =
  | { any: readonly UserFilter[] }
  | { all: readonly UserFilter[] }
  | { not: UserFilter }
  | { name: NameCondition }
  /** A text of the user's, as displayed. */
  | { column: "firstName" | "lastName" | "nickName" | "phone"; text: string; match: TextMatch; ignoreCase: boolean }
  /** Users who never signed in, or last before `at` (ISO 8601, UTC, milliseconds). */
  | { signedIn: "never" }
  | { signedIn: "before"; at: string }
  | { hasSecondFactor: boolean }
  | { isInvited: boolean }
  /** Users with an entry of their metadata that meets all conditions. */
  | { metadata: readonly MetadataCondition[] }
  | { oneOf: "id" | "kind" | "state" | "organizationId" | "emailKey"; values: readonly string[] };

const OWNS_FACTOR = `(EXISTS (SELECT 1 FROM "SecondFactor" f WHERE f."userId" = u."id")
             OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = u."id"))`;

/** SQL: when the user `u` last signed in (ISO 8601); empty if never. */
export const LAST_SIGN_IN = `COALESCE((SELECT s."at" FROM "LastSignIn" s WHERE s."userId" = u."id"), u."lastSignIn")`;

export function filterSql(where: Conditions, filter: UserFilter): string {
  if ("any" in filter) return joined(where, filter.any, "OR", "1 = 0");
  if ("all" in filter) return joined(where, filter.all, "AND", "1 = 1");
  // A user without the value does not match, so the negation is true for that user.
  if ("not" in filter) return `(${filterSql(where, filter.not)}) IS NOT TRUE`;
  if ("name" in filter) return nameSql(where, filter.name).join(" AND ");
  if ("oneOf" in filter) return oneOf(where, `u."${filter.oneOf}"`, filter.values);
  if ("signedIn" in filter) {
    if (filter.signedIn === "never") return `u."lastSignIn" = ''`;
    return `u."lastSignIn" <> '' AND ${LAST_SIGN_IN} < ${where.parameter(filter.at)}`;
  }
  if ("hasSecondFactor" in filter) return filter.hasSecondFactor ? OWNS_FACTOR : `NOT ${OWNS_FACTOR}`;
  if ("isInvited" in filter) return filter.isInvited ? IS_INVITED : `NOT ${IS_INVITED}`;
  if ("metadata" in filter) {
    const entry = filter.metadata.map((one) =>
      "value" in one
        ? `m."value" ${one.isOther ? "<>" : "="} ${where.parameter(one.value)}`
        : matchesText(where, `m."key"`, one),
    );
    return `EXISTS (SELECT 1 FROM "UserMetadata" m WHERE ${[`m."userId" = u."id"`, ...entry].join(" AND ")})`;
  }
  return matchesText(where, `u."${filter.column}"`, filter);
}

function joined(where: Conditions, filters: readonly UserFilter[], word: "AND" | "OR", none: string): string {
  if (filters.length === 0) return none;
  return `(${filters.map((one) => `(${filterSql(where, one)})`).join(` ${word} `)})`;
}

export function oneOf(where: Conditions, column: string, values: readonly string[]): string {
  return values.length === 0 ? "1 = 0" : `${column} IN (${values.map((value) => where.parameter(value)).join(", ")})`;
}

/**
 * Returns the conditions for a name.
 * @param isDecided whether an index has compared the comparable name already
 */
export function nameSql(
  where: Conditions,
  { key, match, text, exactly }: NameCondition,
  { isDecided = false } = {},
): string[] {
  const found: string[] = [];
  if (!isDecided) found.push(matchesText(where, `u."${key}"`, { match, text, ignoreCase: false }));
  if (exactly) {
    found.push(matchesText(where, `u."${exactly.column}"`, { match, text: exactly.text, ignoreCase: false }));
  }
  return found.length > 0 ? found : ["1 = 1"];
}

/** A column with an index, and values of it. */
export interface Lookup {
  column: "id" | NameCondition["key"];
  values: readonly string[];
}

/**
 * Returns the users that an index finds, at most `limit` for each column.
 * @param wanted.organizationId undefined for all organizations
 */
export async function lookUpUsers(
  db: Database,
  { lookups, organizationId }: { lookups: readonly Lookup[]; organizationId: string | undefined },
  limit: number,
): Promise<string[]> {
  const columns = [...new Set(lookups.map(({ column }) => column))];
  const found = await Promise.all(
    columns.map((column) => {
      const where = conditions();
      const values = lookups.flatMap((one) => (one.column === column ? one.values : []));
      where.all.push(oneOf(where, `"${column}"`, values));
      if (organizationId !== undefined) where.all.push(`"organizationId" = ${where.parameter(organizationId)}`);
      const condition = where.all.join(" AND ");
      return db.all<{ id: string }>(`SELECT "id" FROM "User" WHERE ${condition} LIMIT ${limit}`, where.values);
    }),
  );
  return [...new Set(found.flat().map(({ id }) => id))];
}
