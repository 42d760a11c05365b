/** Manager roles of users: giving and removing single ones. Who may do that is checked by the callers. */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { insertMembership } from "../../storage/users";
import { isInstanceRole, type MemberRole } from "./roles";

export interface NewMembership {
  userId: string;
  role: MemberRole;
  instanceId: string;
  /** For organization roles: the organization it is held on. */
  organizationId: string;
}

/** The level a role is held at and the object it is held on. */
export function levelOf({ role, instanceId, organizationId }: Omit<NewMembership, "userId">) {
  return isInstanceRole(role)
    ? ({ level: "instance", levelId: instanceId } as const)
    : ({ level: "organization", levelId: organizationId } as const);
}

/** Gives a role; the caller has checked that the user does not have it. */
export async function addMembership(
  ctx: Context,
  tx: Transaction,
  membership: NewMembership,
  origin: Origin,
): Promise<void> {
  const { userId, role } = membership;
  const { level, levelId } = levelOf(membership);
  await recordIn(ctx, tx, {
    type: `${level}.member.added`,
    aggregateId: levelId,
    resourceOwner: levelId,
    origin,
    async state(_, now) {
      await insertMembership(tx, { userId, level, levelId, role }, now);
      return { payload: { userId, role } };
    },
  });
}
