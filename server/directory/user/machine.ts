/**
 * Machines (service users), which authenticate with a secret or a key. Their client id is usually their user name (rule
 * ID-4).
 */

import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { difference } from "../../events/difference";
import { type ChangeContext, noteChange, recordIn } from "../../events/record";
import {
  findMachineWithKey,
  findPublishingMachine,
  listMachinesWithSecret,
  type MachineClientRow,
} from "../../storage/machine-user/clients";
import { renameTokens } from "../../storage/machine-user/credentials";
import {
  insertMachineKey,
  insertUser,
  type MachineKeyRow,
  type UserRow,
  updateMachineKey,
  updateUser,
} from "../../storage/user/user";
import { createCache } from "../cache";
import { comparableLoginName } from "../names";
import { type PublicJwk, registeredJwk } from "../public-key";
import type { FreeLoginName, UserIdentity } from "./login-name";
import { addWords, changeWords, displayNameKey } from "./search-terms";

export interface MachineFields {
  name?: string | null;
  description?: string | null;
  accessTokenType?: "bearer" | "jwt";
  legacyAssertionAudience?: boolean;
  /** The address at which it publishes its keys. */
  jwksUri?: string | null;
}

export interface NewMachine extends MachineFields {
  /** Plain text; only its digest is stored. */
  secret?: string;
}

export interface NewMachineKey {
  /** The `kid` of its assertions. */
  keyId: string;
  publicJwk: PublicJwk;
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/** A machine for client authentication. */
export interface MachineClient {
  userId: string;
  organizationId: string;
  /** Its client id, which is usually the user name as registered. */
  clientId: string;
  accessTokenFormat: "opaque" | "jwt";
  /** Whether its assertions may have the endpoint's address as audience instead of the issuer. */
  legacyAssertionAudience: boolean;
}

/** Adds a machine. Rejects (unique constraint) if the login name was taken meanwhile. */
export async function addMachine(
  ctx: ChangeContext,
  identity: UserIdentity,
  { secret, ...fields }: NewMachine,
): Promise<void> {
  const { id, organizationId, userName } = identity;
  const change = { object: { id, organizationId } };
  await recordIn(ctx, {
    ...change,
    type: "user.machine.added",
    async state(_, now) {
      const row = {
        accessTokenType: "bearer",
        ...fields,
        ...identity,
        displayNameKey: displayNameKey({ ...fields, userName }),
      };
      const secretDigest = secret === undefined ? null : digest(secret);
      await insertUser(ctx.tx, { ...row, kind: "machine", secretDigest }, now);
      await addWords(ctx.tx, row);
      return { payload: { ...fields, userName } };
    },
  });
  if (secret !== undefined) {
    await recordIn(ctx, { ...change, type: "user.machine.secret.set", state: async () => ({}) });
  }
}

/**
 * Updates the fields that differ.
 * @param wanted.loginName a new login name, claimed as a client id
 * @returns whether anything changed
 */
export async function changeMachine(
  ctx: ChangeContext,
  stored: UserRow,
  { loginName, ...wanted }: MachineFields & { loginName?: FreeLoginName },
): Promise<boolean> {
  noteChange(ctx.tx, "user.machine.changed", stored.id);
  const fields = { ...wanted, userName: loginName?.userName };
  const changes = difference<MachineFields & { userName?: string }>(stored, fields);
  if (!changes) return false;
  await recordIn(ctx, {
    type: "user.machine.changed",
    object: stored,
    async state(_, now) {
      const data = { ...(changes.data as Partial<UserRow>), ...loginName };
      const changed = { ...stored, ...data };
      await updateUser(ctx.tx, stored.id, { ...data, displayNameKey: displayNameKey(changed) }, now);
      await changeWords(ctx.tx, [changed]);
      if (loginName !== undefined) await renameTokens(ctx.tx, stored.id, loginName.clientId ?? loginName.userName);
      return { payload: changes.payload };
    },
  });
  return true;
}

export async function addMachineKey(
  ctx: ChangeContext,
  machine: { id: string; organizationId: string },
  key: NewMachineKey,
): Promise<void> {
  await recordIn(ctx, {
    type: "user.machine.key.added",
    object: machine,
    async state(_, now) {
      const { keyId: id, expiresAt = null } = key;
      const publicJwk = registeredJwk(key) as MachineKeyRow["publicJwk"];
      await insertMachineKey(ctx.tx, { id, userId: machine.id, publicJwk, expiresAt, createdAt: now });
      return { payload: { keyId: id, expiresAt: isoTime(expiresAt) } };
    },
  });
}

/** @param at epoch milliseconds */
const isoTime = (at: number | null) => (at === null ? undefined : new Date(at).toISOString());

/**
 * Updates the key or the expiry of an id if they differ.
 * @returns whether anything changed
 */
export async function changeMachineKey(
  ctx: ChangeContext,
  machine: { id: string; organizationId: string },
  stored: MachineKeyRow,
  key: NewMachineKey,
): Promise<boolean> {
  const { expiresAt } = key;
  const changes = difference(stored, { publicJwk: registeredJwk(key), expiresAt });
  if (!changes) return false;
  await recordIn(ctx, {
    type: "user.machine.key.changed",
    object: machine,
    async state() {
      await updateMachineKey(ctx.tx, machine.id, key.keyId, changes.data as Partial<MachineKeyRow>);
      return { payload: { keyId: key.keyId, expiresAt: isoTime(expiresAt ?? stored.expiresAt) } };
    },
  });
  return true;
}

/** Absence is also cached (as null), because every request of an app looks here first. */
const machines = createCache<MachineClient | null>("machines");

/**
 * Returns the active machine that authenticates with this client id and one of these secrets, at most five seconds old.
 * Machines of several organizations may have the same user name, which each of them may send, so the secret decides
 * which machine it is; tokens contain its client id. An app with exactly this client id takes precedence: no machine
 * can take the id once an app has it, but a machine may be older.
 * @param secretDigests of the secret in each form in which it may have been sent
 */
export async function findMachineClient(
  ctx: Context,
  clientId: string,
  secretDigests: readonly string[],
): Promise<MachineClient | undefined> {
  if (clientId.length > 1_000 || clientId.includes("\0")) return undefined;
  const machine = await machines.get(ctx, JSON.stringify([clientId, ...secretDigests]), async () => {
    const key = comparableLoginName(clientId);
    const [only, another] = await listMachinesWithSecret(ctx.db, { clientId, key }, secretDigests);
    return only && !another ? toMachineClient(only) : null;
  });
  return machine ?? undefined;
}

/**
 * Returns the active machine with one of its registered keys. Not cached, so that removing a key takes effect at once.
 */
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

/** Returns the active machine that publishes its keys itself, and their address. */
export async function findKeyPublisher(
  ctx: Context,
  userId: string,
): Promise<{ machine: MachineClient; jwksUri: string } | undefined> {
  if (userId.length > 1_000 || userId.includes("\0")) return undefined;
  const row = await findPublishingMachine(ctx.db, userId);
  return row && { machine: toMachineClient(row), jwksUri: row.jwksUri };
}

function toMachineClient(machine: MachineClientRow): MachineClient {
  return {
    userId: machine.id,
    organizationId: machine.organizationId,
    clientId: machine.clientId,
    accessTokenFormat: machine.accessTokenType === "jwt" ? "jwt" : "opaque",
    legacyAssertionAudience: machine.legacyAssertionAudience,
  };
}
