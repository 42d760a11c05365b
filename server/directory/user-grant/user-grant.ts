/**
 * Role grants (authorizations) of users: the roles of a project that an organization gives a user for the project's
 * apps. The project defines the role keys; every role claim names the organization that granted the role. This module
 * makes the changes within a transaction; the use cases in this folder check permissions.
 */
import { newId } from "../../crypto/random";
import { difference } from "../../events/difference";
import { type ChangeContext, recordIn } from "../../events/record";
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
  ctx: ChangeContext,
  user: Grantee,
  grant: {
    id?: string;
    projectId: string;
    organizationId: string;
    projectGrantId?: string;
    roleKeys: readonly string[];
  },
): Promise<string> {
  const { id = newId(), projectId, organizationId, projectGrantId = null } = grant;
  const roleKeys = [...new Set(grant.roleKeys)];
  await recordIn(ctx, {
    type: "user.roles.granted",
    object: user,
    async state(_, now) {
      const row = { id, userId: user.id, projectId, organizationId, projectGrantId, roleKeys, state: "active" };
      await insertUserGrant(ctx.tx, { ...row, createdAt: now, changedAt: now });
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
  ctx: ChangeContext,
  user: Grantee,
  stored: UserGrantRow,
  wanted: { roleKeys?: readonly string[]; state?: "active" | "inactive" },
): Promise<boolean> {
  const changes = difference<typeof wanted>(stored as typeof wanted, wanted);
  if (!changes) return false;
  const { projectId, organizationId } = stored;
  await recordIn(ctx, {
    type: "user.roles.changed",
    object: user,
    async state(_, now) {
      await updateUserGrant(ctx.tx, stored.id, changes.data, now);
      return { payload: { projectId, organizationId, ...changes.payload } };
    },
  });
  return true;
}

export async function removeUserGrantIn(ctx: ChangeContext, user: Grantee, stored: UserGrantRow): Promise<void> {
  const { projectId, organizationId } = stored;
  await recordIn(ctx, {
    type: "user.roles.removed",
    object: user,
    async state() {
      await deleteUserGrant(ctx.tx, stored.id);
      return { payload: { projectId, organizationId, roleKeys: stored.roleKeys as string[] } };
    },
  });
}
