/** Rows of users, both persons and machine users. */
import type { Database, Transaction } from "../database";
import type { MachineKey, User } from "../generated/sqlite/client";
import { readJson } from "../json-column";

export type UserRow = User;
export type MachineKeyRow = MachineKey;

/** A user named in a token exchange. */
export interface ExchangeUser {
  id: string;
  organizationId: string;
  kind: "human" | "machine";
  userName: string;
  /** Whether both the user and the organization are active. */
  isActive: boolean;
  /** Epoch milliseconds. */
  validFrom: number;
}

/** Returns a user for token exchange; undefined also for text that cannot be an id. */
export async function findExchangeUser(db: Database, id: string): Promise<ExchangeUser | undefined> {
  if (id.length > 200 || id.includes("\0")) return undefined;
  const row = await db.one<Omit<ExchangeUser, "isActive"> & { isActive: number }>(
    `SELECT u."id", u."organizationId", u."kind", u."userName", u."validFrom",
            (CASE WHEN u."state" = 'active' AND o."state" = 'active' THEN 1 ELSE 0 END) AS "isActive"
       FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId" WHERE u."id" = $1`,
    [id],
  );
  return row && { ...row, isActive: row.isActive === 1 };
}

/** An active machine user in an active organization. */
export interface MachineClientRow {
  id: string;
  organizationId: string;
  clientId: string;
  accessTokenType: string | null;
  /** SQLite has no booleans. */
  legacyAssertionAudience: boolean | number;
}

const CLIENT_ID = `COALESCE(u."clientId", u."userName") AS "clientId"`;

/**
 * Returns the machine users that authenticate with this client id or user name and one of these secrets; none if an app
 * has that client id. At most two, enough to tell whether the result is unambiguous.
 * @param key the client id in comparable form
 */
export async function listMachinesWithSecret(
  db: Database,
  { clientId, key }: { clientId: string; key: string },
  secretDigests: readonly string[],
): Promise<MachineClientRow[]> {
  const placeholders = secretDigests.map((_, index) => `$${index + 3}`).join(", ");
  return db.all<MachineClientRow>(
    `SELECT u."id", u."organizationId", ${CLIENT_ID}, u."accessTokenType", u."legacyAssertionAudience"
       FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE (u."userNameKey" = $1 OR (u."id" = $2 AND u."clientId" = $2)) AND u."kind" = 'machine' AND u."secretDigest" IN (${placeholders})
        AND u."state" = 'active' AND o."state" = 'active'
        AND NOT EXISTS (SELECT 1 FROM "App" a WHERE a."clientId" = $2) LIMIT 2`,
    [key, clientId, ...secretDigests],
  );
}

const MAX_SHARED = 20;

/** Returns the first few user names that are the client id of several machine users, with their number. */
export function listSharedClientIds(db: Database): Promise<{ userNameKey: string; many: number | string }[]> {
  return db.all(
    `SELECT "userNameKey", COUNT(*) AS "many" FROM "User" WHERE "kind" = 'machine' AND "clientId" IS NULL
      GROUP BY "userNameKey" HAVING COUNT(*) > 1 ORDER BY "userNameKey" LIMIT ${MAX_SHARED}`,
    [],
  );
}

/** Returns an active machine user in an active organization with one of its keys that has not expired. */
export async function findMachineWithKey(
  db: Database,
  id: string,
  keyId: string,
  now: number,
): Promise<(MachineClientRow & { publicJwk: Record<string, unknown> }) | undefined> {
  const row = await db.one<MachineClientRow & { publicJwk: unknown }>(
    `SELECT u."id", u."organizationId", ${CLIENT_ID}, u."accessTokenType",
            u."legacyAssertionAudience", k."publicJwk"
       FROM "MachineKey" k
       JOIN "User" u ON u."id" = k."userId"
       JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE k."userId" = $1 AND k."id" = $2 AND (k."expiresAt" IS NULL OR k."expiresAt" > $3)
        AND u."kind" = 'machine' AND u."state" = 'active' AND o."state" = 'active'`,
    [id, keyId, new Date(now)],
  );
  return row && { ...row, publicJwk: readJson(row.publicJwk) };
}

/** Returns an active machine user in an active organization that publishes its keys itself. */
export function findPublishingMachine(
  db: Database,
  id: string,
): Promise<(MachineClientRow & { jwksUri: string }) | undefined> {
  return db.one<MachineClientRow & { jwksUri: string }>(
    `SELECT u."id", u."organizationId", ${CLIENT_ID}, u."accessTokenType", u."legacyAssertionAudience", u."jwksUri"
       FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE u."id" = $1 AND u."jwksUri" IS NOT NULL AND u."kind" = 'machine' AND u."state" = 'active'
        AND o."state" = 'active'`,
    [id],
  );
}

const CHUNK = 300;

/** Returns the existing users among these, by id or comparable user name in the organization, with roles and keys. */
export async function readUsers(
  tx: Transaction,
  organizationId: string,
  wanted: readonly { id?: string; userNameKey: string }[],
): Promise<UserWithParts[]> {
  const found: UserWithParts[] = [];
  for (let start = 0; start < wanted.length; start += CHUNK) {
    const chunk = wanted.slice(start, start + CHUNK);
    const ids = chunk.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const keys = chunk.map(({ userNameKey }) => userNameKey);
    found.push(
      ...(await tx.user.findMany({
        where: { OR: [{ id: { in: ids } }, { organizationId, userNameKey: { in: keys } }] },
        include: { memberships: true, machineKeys: true },
      })),
    );
  }
  return found;
}

export type UserWithParts = UserRow & {
  memberships: { level: string; levelId: string; role: string }[];
  machineKeys: MachineKeyRow[];
};

/** The user with this login name, if any. */
export async function readLoginNameOwner(tx: Transaction, loginNameKey: string): Promise<string | undefined> {
  return (await tx.user.findUnique({ where: { loginNameKey }, select: { id: true } }))?.id;
}

export async function readUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  return (await tx.user.findUnique({ where: { id } })) ?? undefined;
}

export type NewUser = Pick<UserRow, "id" | "organizationId" | "kind" | "userName" | "loginNameKey" | "userNameKey"> &
  Partial<Omit<UserRow, "createdAt" | "changedAt" | "validFrom" | "state">>;

/** The `validFrom` of a new user, for whom nothing was invalidated, whatever the clock of the process says. */
export const NEVER_VOIDED = new Date(0);

export async function insertUser(tx: Transaction, user: NewUser, now: number): Promise<void> {
  const at = new Date(now);
  const data = { ...user, state: "active", validFrom: NEVER_VOIDED, createdAt: at, changedAt: at };
  await tx.user.create({ data: data as Parameters<Transaction["user"]["create"]>[0]["data"] });
}

export async function updateUser(tx: Transaction, id: string, data: Partial<UserRow>, now: number): Promise<void> {
  await tx.user.update({ where: { id }, data: { ...data, changedAt: new Date(now) } as object });
}

export async function insertMachineKey(tx: Transaction, row: MachineKeyRow): Promise<void> {
  await tx.machineKey.create({ data: { ...row, publicJwk: row.publicJwk as object } });
}

export async function updateMachineKey(
  tx: Transaction,
  userId: string,
  id: string,
  data: Partial<MachineKeyRow>,
): Promise<void> {
  await tx.machineKey.update({ where: { userId_id: { userId, id } }, data: data as object });
}

export async function insertMembership(
  tx: Transaction,
  row: { userId: string; level: string; levelId: string; role: string },
  now: number,
): Promise<void> {
  await tx.membership.create({ data: { ...row, createdAt: new Date(now) } });
}

/** Deletes a user with all dependent rows. */
export async function deleteUser(tx: Transaction, id: string): Promise<void> {
  await tx.oneTimeToken.deleteMany({ where: { subjectId: id } });
  await tx.outboxMessage.deleteMany({ where: { userId: id, state: "queued" } });
  await tx.user.delete({ where: { id } });
}

/** Replaces a password hash with another one of the same password, unless it has changed since it was read. */
export async function replacePasswordHash(db: Database, id: string, old: string, replacement: string): Promise<void> {
  await db.run(`UPDATE "User" SET "passwordHash" = $1 WHERE "id" = $2 AND "passwordHash" = $3`, [replacement, id, old]);
}

/**
 * Locks the user against other callers until the transaction ends: for limits on how many objects a user has, and for
 * code that depends on whether one exists. Rows that only refer to the user can be written meanwhile.
 */
export async function lockUser(db: Database, tx: Transaction, id: string): Promise<void> {
  // SQLite has only one writer anyway.
  if (db.kind === "postgresql") await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${id} FOR NO KEY UPDATE`;
}
