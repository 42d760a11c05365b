/** Rows of users, both persons and machine users. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables, truth } from "../statement";

type Json = Record<string, unknown>;
export type UserRow = Omit<Selectable<Tables["User"]>, "claims" | "address"> & {
  claims: Json | null;
  address: Json | null;
};
export type MachineKeyRow = Omit<Selectable<Tables["MachineKey"]>, "publicJwk"> & { publicJwk: Json };

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

const exchanging = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("User as u")
    .innerJoin("Organization as o", "o.id", "u.organizationId")
    .select(["u.id", "u.organizationId", "u.kind", "u.userName", "u.validFrom"])
    .select((eb) => truth(eb.and({ "u.state": "active", "o.state": "active" })).as("isActive"))
    .where("u.id", "=", $("id"))
    .$narrowType<{ kind: ExchangeUser["kind"] }>(),
);

/** Returns a user for token exchange; undefined also for text that cannot be an id. */
export async function findExchangeUser(db: Database, id: string): Promise<ExchangeUser | undefined> {
  return id.length > 200 || id.includes("\0") ? undefined : db.one(exchanging({ id }));
}

const users = tables.selectFrom("User").selectAll().$castTo<UserRow>();

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
    const query = users.where((eb) => {
      const named = eb.and([eb("organizationId", "=", organizationId), eb("userNameKey", "in", keys)]);
      return ids.length === 0 ? named : eb.or([eb("id", "in", ids), named]);
    });
    found.push(...(await withParts(tx, await readAll(tx, bind(query)))));
  }
  return found;
}

async function withParts(tx: Transaction, rows: readonly UserRow[]): Promise<UserWithParts[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const roles = tables
    .selectFrom("Membership")
    .select(["userId", "level", "levelId", "role"])
    .select((eb) => eb.ref("languages").$castTo<readonly string[] | null>().as("languages"));
  const memberships = await readAll(tx, bind(roles.where("userId", "in", ids)));
  const keys = tables
    .selectFrom("MachineKey as k")
    .selectAll("k")
    .where("k.userId", "in", ids)
    .$castTo<MachineKeyRow>();
  const machineKeys = await readAll(tx, bind(keys));
  return rows.map((row) => ({
    ...row,
    memberships: memberships.filter(({ userId }) => userId === row.id),
    machineKeys: machineKeys.filter(({ userId }) => userId === row.id),
  }));
}

export type UserWithParts = UserRow & {
  memberships: { level: string; levelId: string; role: string; languages: readonly string[] | null }[];
  machineKeys: MachineKeyRow[];
};

/** The user with this login name, if any. */
export async function readLoginNameOwner(tx: Transaction, loginNameKey: string): Promise<string | undefined> {
  return (await readOne(tx, bind(tables.selectFrom("User").select("id").where("loginNameKey", "=", loginNameKey))))?.id;
}

const withId = statement(($: Params<{ id: string }>) => users.where("id", "=", $("id")));

export function readUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  return readOne(tx, withId({ id }));
}

export type NewUser = Pick<UserRow, "id" | "organizationId" | "kind" | "userName" | "loginNameKey" | "userNameKey"> &
  Partial<Omit<UserRow, "createdAt" | "changedAt" | "validFrom">>;

/** Returns the complete row of a new user, for whom nothing was invalidated, whatever the clock of the process says. */
export const newUserRow = (user: NewUser, now: number) => ({
  ...user,
  state: user.state ?? "active",
  validFrom: 0,
  createdAt: now,
  changedAt: now,
});

export async function insertUser(tx: Transaction, user: NewUser, now: number): Promise<void> {
  await write(tx, bind(tables.insertInto("User").values(newUserRow(user, now))));
}

export async function updateUser(tx: Transaction, id: string, data: Partial<UserRow>, now: number): Promise<void> {
  await writeOne(
    tx,
    bind(
      tables
        .updateTable("User")
        .set({ ...data, changedAt: now })
        .where("id", "=", id),
    ),
  );
}

export async function insertMachineKey(tx: Transaction, row: MachineKeyRow): Promise<void> {
  await write(tx, bind(tables.insertInto("MachineKey").values(row)));
}

export async function updateMachineKey(
  tx: Transaction,
  userId: string,
  id: string,
  data: Partial<MachineKeyRow>,
): Promise<void> {
  const update = tables.updateTable("MachineKey").set(data);
  await writeOne(tx, bind(update.where((eb) => eb.and({ userId, id }))));
}

export async function insertMembership(
  tx: Transaction,
  row: { userId: string; level: string; levelId: string; role: string; languages?: readonly string[] | null },
  now: number,
): Promise<void> {
  const values = { ...row, languages: (row.languages ?? null) as never, createdAt: now };
  await write(tx, bind(tables.insertInto("Membership").values(values)));
}

/** Deletes a user with all dependent rows. */
export async function deleteUser(tx: Transaction, id: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("OneTimeToken").where("subjectId", "=", id)));
  const queued = tables.deleteFrom("OutboxMessage").where((eb) => eb.and({ userId: id, state: "queued" }));
  await write(tx, bind(queued));
  await writeOne(tx, bind(tables.deleteFrom("User").where("id", "=", id)));
}

/** Replaces a password hash with another one of the same password, unless it has changed since it was read. */
export async function replacePasswordHash(db: Database, id: string, old: string, replacement: string): Promise<void> {
  const update = tables.updateTable("User").set({ passwordHash: replacement });
  await db.run(bind(update.where((eb) => eb.and({ id, passwordHash: old }))));
}

/**
 * Locks the user against other callers until the transaction ends: for limits on how many objects a user has, and for
 * code that depends on whether one exists. Rows that only refer to the user can be written meanwhile.
 */
export async function lockUser(db: Database, tx: Transaction, id: string): Promise<void> {
  // SQLite has only one writer anyway.
  if (db.kind !== "postgresql") return;
  await readOne(tx, bind(tables.selectFrom("User").select("id").where("id", "=", id).forNoKeyUpdate()));
}
