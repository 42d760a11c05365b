/** Manager roles of users: gives and removes single roles. The callers check permissions. */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { deleteMembership, type LevelRef } from "../../storage/member/list";
import { insertMembership } from "../../storage/user/user";
import { isInstanceRole, type MemberRole } from "./roles";

export interface NewMembership {
  userId: string;
  role: MemberRole;
  instanceId: string;
  /** The organization on which an organization role is held. */
  organizationId: string;
}

/** Returns the level a role is held at and the object it is held on. */
export function levelOfRole({ role, instanceId, organizationId }: Omit<NewMembership, "userId">) {
  return isInstanceRole(role)
    ? ({ level: "instance", levelId: instanceId } as const)
    : ({ level: "organization", levelId: organizationId } as const);
}

/** The object on which a role is held. */
export interface OwnedLevelRef extends LevelRef {
  /** The project's organization; otherwise the object itself. */
  resourceOwner: string;
}

/** Gives a role. The caller has checked that the user does not have it. */
export async function addMemberRole(
  ctx: Context,
  tx: Transaction,
  { level, levelId, resourceOwner }: OwnedLevelRef,
  { userId, role }: { userId: string; role: string },
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: `${level}.member.added`,
    aggregateId: levelId,
    resourceOwner,
    origin,
    async state(_, now) {
      await insertMembership(tx, { userId, level, levelId, role }, now);
      return { payload: { userId, role } };
    },
  });
}

export async function removeMemberRole(
  ctx: Context,
  tx: Transaction,
  { level, levelId, resourceOwner }: OwnedLevelRef,
  { userId, role }: { userId: string; role: string },
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: `${level}.member.removed`,
    aggregateId: levelId,
    resourceOwner,
    origin,
    async state() {
      await deleteMembership(tx, { level, levelId }, userId, role);
      return { payload: { userId, role } };
    },
  });
}

/** Gives a role on the instance or an organization. */
export async function addMembership(
  ctx: Context,
  tx: Transaction,
  membership: NewMembership,
  origin: Origin,
): Promise<void> {
  const at = levelOfRole(membership);
  await addMemberRole(ctx, tx, { ...at, resourceOwner: at.levelId }, membership, origin);
}
