/**
 * Records every identifier that was ever assigned: of objects in the table of their aggregates, of clients and subjects
 * in a separate one. Rows are written by conditional inserts, so that only one of two concurrent creations gets an
 * identifier, and they are never deleted.
 */
import type { Transaction } from "./database";
import { Prisma } from "./generated/sqlite/client";

/** The id of an object; the claim starts the numbering of its events. */
export interface ObjectClaim {
  type: string;
  id: string;
  /** The organization that creates the object. */
  organizationId: string;
}

/** What happens if an id is claimed already: it is skipped, or the insert violates the constraint. */
type OnConflict = "skip" | "fail";

const conflict = (on: OnConflict) => (on === "skip" ? Prisma.sql`ON CONFLICT DO NOTHING` : Prisma.empty);

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
  const at = new Date(now);
  const free = new Set<string>();
  for (let start = 0; start < claims.length; start += CHUNK) {
    const rows = claims
      .slice(start, start + CHUNK)
      .map(({ type, id, organizationId }) => Prisma.sql`(${type}, ${id}, ${organizationId}, 0, ${at}, ${at})`);
    const inserted = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
      VALUES ${Prisma.join(rows)} ${conflict(on)} RETURNING "id"`;
    for (const { id } of inserted) free.add(id);
  }
  return free;
}

const CHUNK = 500;

/** Returns those of the ids that an object of the type has or had. */
export async function readGivenIds(tx: Transaction, type: string, ids: readonly string[]): Promise<Set<string>> {
  const given = new Set<string>();
  for (let start = 0; start < ids.length; start += CHUNK) {
    const where = { type, id: { in: ids.slice(start, start + CHUNK) } };
    for (const { id } of await tx.aggregate.findMany({ where, select: { id: true } })) given.add(id);
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
  const at = new Date(now);
  const free = new Set<string>();
  for (let start = 0; start < claims.length; start += CHUNK) {
    const rows = claims
      .slice(start, start + CHUNK)
      .map(({ space, key, kind, organizationId }) => Prisma.sql`(${space}, ${key}, ${kind}, ${organizationId}, ${at})`);
    const inserted = await tx.$queryRaw<{ key: string }[]>`
      INSERT INTO "ClaimedIdentifier" ("space", "key", "kind", "organizationId", "createdAt")
      VALUES ${Prisma.join(rows)} ${conflict(on)} RETURNING "key"`;
    for (const { key } of inserted) free.add(key);
  }
  return free;
}

export type StoredClaim = Pick<IdentifierClaim, "key" | "kind" | "organizationId">;

/** Returns the claims of these keys. */
export async function readIdentifierClaims(
  tx: Transaction,
  space: IdentifierSpace,
  keys: readonly string[],
): Promise<Map<string, StoredClaim>> {
  const found = new Map<string, StoredClaim>();
  for (let start = 0; start < keys.length; start += CHUNK) {
    const where = { space, key: { in: keys.slice(start, start + CHUNK) } };
    for (const row of await tx.claimedIdentifier.findMany({ where })) found.set(row.key, row as StoredClaim);
  }
  return found;
}
