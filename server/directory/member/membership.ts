/** Manager roles of users: gives and removes single roles. The callers check permissions. */
import { type ChangeContext, recordIn } from "../../events/record";
import { deleteMembership, type LevelRef, writeMemberLanguages } from "../../storage/member/list";
import { insertMembership } from "../../storage/user/user";
import { isInstanceRole, isTextRole, type MemberRole } from "./roles";

export interface NewMembership {
  userId: string;
  role: MemberRole;
  /** The languages that a role for texts is limited to; null or left out: all. */
  languages?: readonly string[] | null;
  instanceId: string;
  /** The organization on which an organization role is held. */
  organizationId: string;
}

/** Returns the level a role is held at and the object it is held on. */
export function levelOfRole({ role, instanceId, organizationId }: Omit<NewMembership, "userId" | "languages">) {
  return isInstanceRole(role)
    ? ({ level: "instance", levelId: instanceId } as const)
    : ({ level: "organization", levelId: organizationId } as const);
}

/** The object on which a role is held. */
export interface OwnedLevelRef extends LevelRef {
  /** The project's organization, or the one that a project is granted to; otherwise the object itself. */
  resourceOwner: string;
  /** The granted project, for the level `project_grant`. */
  projectId?: string;
}

/**
 * What the events of a level are recorded about. Who manages the grant of a project is decided by the organization that
 * has it, so it is in the audit trail of that organization.
 */
function recordedAt({ level, levelId, resourceOwner, projectId }: OwnedLevelRef) {
  const object = { id: levelId, organizationId: resourceOwner };
  if (level !== "project_grant") return { prefix: `${level}.member`, object, of: {} } as const;
  const of = { grantId: levelId, projectId };
  return { prefix: "organization.grant_member", object: { ...object, id: resourceOwner }, of } as const;
}

interface GivenRole {
  userId: string;
  role: string;
  languages?: readonly string[] | null;
}

/** Gives a role. The caller has checked that the user does not have it. */
export async function addMemberRole(
  ctx: ChangeContext,
  at: OwnedLevelRef,
  { userId, role, languages: given }: GivenRole,
): Promise<void> {
  const { level, levelId } = at;
  const { prefix, object, of } = recordedAt(at);
  const languages = isTextRole(role) ? (given ?? null) : null;
  await recordIn(ctx, {
    type: `${prefix}.added`,
    object,
    async state(_, now) {
      await insertMembership(ctx.tx, { userId, level, levelId, role, languages }, now);
      return { payload: { userId, role, ...of, ...(languages && { languages }) } };
    },
  });
}

/** Limits a role for texts that the user holds on the organization to other languages. */
export async function changeMemberLanguages(
  ctx: ChangeContext,
  organizationId: string,
  {
    userId,
    role,
    from,
    to,
  }: { userId: string; role: string; from: readonly string[] | null; to: readonly string[] | null },
): Promise<void> {
  await recordIn(ctx, {
    type: "organization.member.changed",
    object: { id: organizationId, organizationId },
    async state() {
      await writeMemberLanguages(
        ctx.tx,
        { level: "organization", levelId: organizationId },
        { userId, role, languages: to },
      );
      return { payload: { userId, role, languages: { from, to } } };
    },
  });
}

/** Returns whether two limits are the same. */
export const isSameLimit = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export async function removeMemberRole(
  ctx: ChangeContext,
  at: OwnedLevelRef,
  { userId, role }: { userId: string; role: string },
): Promise<void> {
  const { level, levelId } = at;
  const { prefix, object, of } = recordedAt(at);
  await recordIn(ctx, {
    type: `${prefix}.removed`,
    object,
    async state() {
      await deleteMembership(ctx.tx, { level, levelId }, userId, role);
      return { payload: { userId, role, ...of } };
    },
  });
}

/** Gives a role on the instance or an organization. */
export async function addMembership(ctx: ChangeContext, membership: NewMembership): Promise<void> {
  const at = levelOfRole(membership);
  await addMemberRole(ctx, { ...at, resourceOwner: at.levelId }, membership);
}
