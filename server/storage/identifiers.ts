/**
 * Records every identifier that was ever assigned: of objects in the table of their aggregates, of clients and subjects
 * in a separate one. Rows are written by conditional inserts, so that only one of two concurrent creations gets an
 * identifier, and they are never deleted.
 */
import type { Transaction } from "./database";
import { readAll } from "./in-transaction";
import { bind, tables } from "./statement";

/** The id of an object; the claim starts the numbering of its events. */
export interface ObjectClaim {
  type: string;
  id: string;
  /** The organization that creates the object. */
  organizationId: string;
}

/** What happens if an id is claimed already: it is skipped, or the insert violates the constraint. */
type OnConflict = "skip" | "fail";

/**
 * Claims ids of objects. An aggregate of the same id may belong to a removed object.
 * @returns the ids that were free
 */
export async function insertObjectClaims(
  tx: Transaction,
  claims: readonly ObjectClaim[],
  now: number,
  on: OnConflict = "skip",
): Promise<Set<string>> {
  const free = new Set<string>();
  for (let start = 0; start < claims.length; start += CHUNK) {
    const rows = claims.slice(start, start + CHUNK).map(({ type, id, organizationId }) => ({
      ...{ type, id, resourceOwner: organizationId, sequence: 0, createdAt: now, changedAt: now },
    }));
    const inserted = tables.insertInto("Aggregate").values(rows).returning("id");
    const claimed = on === "skip" ? inserted.onConflict((conflict) => conflict.doNothing()) : inserted;
    for (const { id } of await readAll(tx, bind(claimed))) free.add(id);
  }
  return free;
}

const CHUNK = 500;

/** Returns those of the ids that an object of the type has or had. */
export async function readGivenIds(tx: Transaction, type: string, ids: readonly string[]): Promise<Set<string>> {
  const given = new Set<string>();
  for (let start = 0; start < ids.length; start += CHUNK) {
    const some = ids.slice(start, start + CHUNK);
    const found = tables.selectFrom("Aggregate").select("id").where("type", "=", type).where("id", "in", some);
    for (const { id } of await readAll(tx, bind(found))) given.add(id);
  }
  return given;
}

/** The namespace of an identifier: `client` in `aud` and at client authentication, `subject` in `sub`. */
export type IdentifierSpace = "client" | "subject";

export interface IdentifierClaim {
  space: IdentifierSpace;
  /** In comparable form. */
  key: string;
  kind: "app" | "project" | "machine" | "user";
  organizationId: string;
}

/**
 * Claims identifiers.
 * @returns the keys that were free, for claims of one namespace
 */
export async function insertIdentifierClaims(
  tx: Transaction,
  claims: readonly IdentifierClaim[],
  now: number,
  on: OnConflict = "skip",
): Promise<Set<string>> {
  const free = new Set<string>();
  for (let start = 0; start < claims.length; start += CHUNK) {
    const rows = claims.slice(start, start + CHUNK).map(({ space, key, kind, organizationId }) => ({
      ...{ space, key, kind, organizationId, createdAt: now },
    }));
    const inserted = tables.insertInto("ClaimedIdentifier").values(rows).returning("key");
    const claimed = on === "skip" ? inserted.onConflict((conflict) => conflict.doNothing()) : inserted;
    for (const { key } of await readAll(tx, bind(claimed))) free.add(key);
  }
  return free;
}

export type StoredClaim = Pick<IdentifierClaim, "key" | "kind" | "organizationId">;

export async function readIdentifierClaims(
  tx: Transaction,
  space: IdentifierSpace,
  keys: readonly string[],
): Promise<Map<string, StoredClaim>> {
  const found = new Map<string, StoredClaim>();
  for (let start = 0; start < keys.length; start += CHUNK) {
    const claims = tables
      .selectFrom("ClaimedIdentifier")
      .select(["key", "kind", "organizationId"])
      .where("space", "=", space)
      .where("key", "in", keys.slice(start, start + CHUNK))
      .$narrowType<Pick<StoredClaim, "kind">>();
    for (const row of await readAll(tx, bind(claims))) found.set(row.key, row);
  }
  return found;
}
