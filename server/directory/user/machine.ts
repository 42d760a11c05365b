/**
 * Machines (service users): they authenticate with a secret or a key of their own. Their client id is their user name.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId } from "../../crypto/random";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { renameTokens } from "../../storage/machine-credentials";
import {
  findMachineWithKey,
  insertMachineKey,
  insertUser,
  listMachinesByUserName,
  type MachineClientRow,
  type MachineKeyRow,
  type UserRow,
  updateMachineKey,
  updateUser,
} from "../../storage/users";
import { createCache } from "../cache";
import { comparableLoginName } from "../names";
import { type PublicJwk, registeredJwk } from "../public-key";
import { nameKeys, userKeys } from "./user";
import { addWords, changeWords, displayNameKey } from "./words";

export interface MachineFields {
  userName?: string;
  name?: string | null;
  description?: string | null;
  accessTokenType?: "bearer" | "jwt";
}

export interface NewMachine extends MachineFields {
  id?: string;
  userName: string;
  organizationId: string;
  primaryDomain: string;
  /** In the clear; only its digest is kept. */
  secret?: string;
}

export interface NewMachineKey {
  /** The `kid` its assertions carry. */
  keyId: string;
  publicJwk: PublicJwk;
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/** A machine as client authentication sees it. */
export interface MachineClient {
  userId: string;
  organizationId: string;
  /** Its user name, as registered. */
  clientId: string;
  /** SHA-256 of the secret; null for a machine without one. */
  secretDigest: string | null;
  accessTokenFormat: "opaque" | "jwt";
}

/** Adds a machine; rejects (unique constraint) if the user name is taken in the organization. */
export async function addMachine(ctx: Context, tx: Transaction, machine: NewMachine, origin: Origin): Promise<string> {
  const { id = newId(), organizationId, primaryDomain, secret, ...fields } = machine;
  const change = { aggregateId: id, resourceOwner: organizationId, origin };
  await recordIn(ctx, tx, {
    ...change,
    type: "user.machine.added",
    async state(_, now) {
      const row = {
        accessTokenType: "bearer",
        ...fields,
        ...userKeys(fields.userName, primaryDomain),
        id,
        organizationId,
        displayNameKey: displayNameKey(fields),
      };
      const secretDigest = secret === undefined ? null : digest(secret);
      await insertUser(tx, { ...row, kind: "machine", secretDigest }, now);
      await addWords(tx, row);
      return { payload: { ...fields } };
    },
  });
  if (secret !== undefined) {
    await recordIn(ctx, tx, { ...change, type: "user.machine.secret.set", state: async () => ({}) });
  }
  return id;
}

/**
 * Updates what differs.
 * @returns whether anything changed
 */
export async function changeMachine(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  wanted: MachineFields,
  primaryDomain: string,
  origin: Origin,
): Promise<boolean> {
  const changes = difference<MachineFields>(stored, wanted);
  if (!changes) return false;
  const { userName } = changes.data;
  await recordIn(ctx, tx, {
    type: "user.machine.changed",
    aggregateId: stored.id,
    resourceOwner: stored.organizationId,
    origin,
    async state(_, now) {
      const changed = { ...stored, ...(changes.data as Partial<UserRow>) };
      await updateUser(tx, stored.id, { ...changes.data, ...nameKeys(changed, userName, primaryDomain) }, now);
      await changeWords(tx, [changed]);
      if (userName !== undefined) await renameTokens(tx, stored.id, userName);
      return { payload: changes.payload };
    },
  });
  return true;
}

export async function addMachineKey(
  ctx: Context,
  tx: Transaction,
  machine: { id: string; organizationId: string },
  key: NewMachineKey,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "user.machine.key.added",
    aggregateId: machine.id,
    resourceOwner: machine.organizationId,
    origin,
    async state(_, now) {
      const expiresAt = key.expiresAt === undefined ? null : new Date(key.expiresAt);
      const publicJwk = registeredJwk(key) as MachineKeyRow["publicJwk"];
      await insertMachineKey(tx, { id: key.keyId, userId: machine.id, publicJwk, expiresAt, createdAt: new Date(now) });
      return { payload: { keyId: key.keyId, expiresAt: expiresAt?.toISOString() } };
    },
  });
}

/**
 * Updates what differs: the key or the expiry of the same id.
 * @returns whether anything changed
 */
export async function changeMachineKey(
  ctx: Context,
  tx: Transaction,
  machine: { id: string; organizationId: string },
  stored: MachineKeyRow,
  key: NewMachineKey,
  origin: Origin,
): Promise<boolean> {
  const expiresAt = key.expiresAt === undefined ? undefined : new Date(key.expiresAt);
  const changes = difference(stored, { publicJwk: registeredJwk(key), expiresAt });
  if (!changes) return false;
  await recordIn(ctx, tx, {
    type: "user.machine.key.changed",
    aggregateId: machine.id,
    resourceOwner: machine.organizationId,
    origin,
    async state() {
      await updateMachineKey(tx, machine.id, key.keyId, changes.data as Partial<MachineKeyRow>);
      return { payload: { keyId: key.keyId, expiresAt: (expiresAt ?? stored.expiresAt)?.toISOString() } };
    },
  });
  return true;
}

/** Absence is cached too (null), because every request of an app looks here first. */
const machines = createCache<MachineClient | null>();

/**
 * The active machine that authenticates with this client id; a copy at most five seconds old. Also undefined if
 * machines of two organizations share the user name, as neither may act for the other.
 */
export async function findMachineClient(ctx: Context, clientId: string): Promise<MachineClient | undefined> {
  if (clientId.length > 1_000 || clientId.includes("\0")) return undefined;
  const machine = await machines.get(ctx, clientId, async () => {
    const [only, another] = await listMachinesByUserName(ctx.db, comparableLoginName(clientId));
    return only && !another ? toMachineClient(only) : null;
  });
  return machine ?? undefined;
}

/** The active machine with one of its registered keys; not cached, so that removing a key takes effect at once. */
export async function findMachineKey(
  ctx: Context,
  userId: string,
  keyId: string,
): Promise<{ machine: MachineClient; publicJwk: Record<string, unknown> } | undefined> {
  const longest = Math.max(userId.length, keyId.length);
  if (longest > 1_000 || userId.includes("\0") || keyId.includes("\0")) return undefined;
  const row = await findMachineWithKey(ctx.db, userId, keyId, ctx.clock());
  return row && { machine: toMachineClient(row), publicJwk: row.publicJwk };
}

function toMachineClient(machine: MachineClientRow): MachineClient {
  return {
    userId: machine.id,
    organizationId: machine.organizationId,
    clientId: machine.userName,
    secretDigest: machine.secretDigest,
    accessTokenFormat: machine.accessTokenType === "jwt" ? "jwt" : "opaque",
  };
}
