/**
 * Role grants (authorizations) of users: the roles of a project that an organization gives a user for the project's
 * apps. The project defines the role keys; every role claim names the organization that granted the role. This module
 * makes the changes within a transaction; the use cases in this folder check permissions.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
import {
  deleteUserGrant,
  insertUserGrant,
  type UserGrantRow,
  updateUserGrant,
} from "../../storage/user-grant/user-grant";

/** The fields of a user that the events need. */
export interface Grantee {
  id: string;
  organizationId: string;
}

/** Gives a user roles of a project. Rejects (unique constraint) if the organization has already given the user some. */
export async function addUserGrantIn(
  ctx: Context,
  tx: Transaction,
  user: Grantee,
  grant: {
    id?: string;
    projectId: string;
    organizationId: string;
    projectGrantId?: string;
    roleKeys: readonly string[];
  },
  origin: Origin,
): Promise<string> {
  const { id = newId(), projectId, organizationId, projectGrantId = null } = grant;
  const roleKeys = [...new Set(grant.roleKeys)];
  await recordIn(ctx, tx, {
    type: "user.roles.granted",
    object: user,
    origin,
    async state(_, now) {
      const row = { id, userId: user.id, projectId, organizationId, projectGrantId, roleKeys, state: "active" };
      await insertUserGrant(tx, { ...row, createdAt: now, changedAt: now });
      return { payload: { projectId, organizationId, roleKeys } };
    },
  });
  return id;
}

/**
 * Updates the fields that differ; an inactive grant gives no roles.
 * @returns whether anything changed
 */
export async function changeUserGrantIn(
  ctx: Context,
  tx: Transaction,
  user: Grantee,
  stored: UserGrantRow,
  wanted: { roleKeys?: readonly string[]; state?: "active" | "inactive" },
  origin: Origin,
): Promise<boolean> {
  const changes = difference<typeof wanted>(stored as typeof wanted, wanted);
  if (!changes) return false;
  const { projectId, organizationId } = stored;
  await recordIn(ctx, tx, {
    type: "user.roles.changed",
    object: user,
    origin,
    async state(_, now) {
      await updateUserGrant(tx, stored.id, changes.data, now);
      return { payload: { projectId, organizationId, ...changes.payload } };
    },
  });
  return true;
}

export async function removeUserGrantIn(
  ctx: Context,
  tx: Transaction,
  user: Grantee,
  stored: UserGrantRow,
  origin: Origin,
): Promise<void> {
  const { projectId, organizationId } = stored;
  await recordIn(ctx, tx, {
    type: "user.roles.removed",
    object: user,
    origin,
    async state() {
      await deleteUserGrant(tx, stored.id);
      return { payload: { projectId, organizationId, roleKeys: stored.roleKeys as string[] } };
    },
  });
}
