/**
 * Gives and takes manager roles. No user can give a role with permissions they lack, or take a role from a user with
 * more permissions. The instance always keeps an owner.
 */
import type { Context } from "../../context";
import type { ChangeContext, OriginContext, TransactionContext } from "../../events/record";
import { type ApiError, alreadyExists, invalidArgument, notFound } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { lockInstanceRow } from "../../storage/instance/instance";
import {
  type LevelRef,
  type MembersWanted,
  matchMembers,
  memberList,
  membersOf,
  readRolesAt,
  type ShownMember,
} from "../../storage/member/list";
import { lockOrganization } from "../../storage/organization/organization";
import { findProject } from "../../storage/project/list";
import { lockProject } from "../../storage/project/project";
import { readReceivedGrant } from "../../storage/project/project-grants";
import { readUser } from "../../storage/user/user";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { type PagedList, pagedList } from "../listing";
import { noSuchOrganization, noSuchProject, noSuchProjectGrant, noSuchUser } from "../not-found";
import { checkOwnerLeft } from "./last-instance-owner";
import { addMemberRole, changeMemberLanguages, isSameLimit, type OwnedLevelRef, removeMemberRole } from "./membership";
import { hasPermission, type PermissionScope } from "./permissions";
import { checkPrivilegesToGive } from "./privileges";
import {
  INSTANCE_ROLES,
  isTextRole,
  ORGANIZATION_ROLES,
  PROJECT_GRANT_ROLES,
  PROJECT_ROLES,
  TEXT_ROLES,
} from "./roles";

export const ROLES_AT: Readonly<Record<LevelRef["level"], readonly string[]>> = {
  instance: INSTANCE_ROLES,
  organization: ORGANIZATION_ROLES,
  project: PROJECT_ROLES,
  project_grant: PROJECT_GRANT_ROLES,
};

/** The object on which roles are held, and the scope in which the caller's own permissions are checked. */
export interface ManagedLevel extends OwnedLevelRef {
  scope: PermissionScope;
  /** The organization that the caller acts for. Its users can become members even if the caller may not read them. */
  visibleFrom: string;
}

/** The requested object on which roles are held, and the organization the caller acts for. */
export interface MemberLevel {
  level: LevelRef["level"];
  /** For the level `project_grant` the organization that the project is granted to. */
  organizationId: string;
  /** Only for the levels `project` and `project_grant`. */
  projectId?: string;
  /** Only for the level `project_grant`. */
  grantId?: string;
}

export async function findManagedLevel(
  ctx: Context,
  { level, organizationId, projectId = "", grantId = "" }: MemberLevel,
): Promise<ManagedLevel | ApiError> {
  if (level === "instance") {
    const { id } = await findInstance(ctx);
    return { level, levelId: id, resourceOwner: id, scope: {}, visibleFrom: organizationId };
  }
  const owned = { resourceOwner: organizationId, visibleFrom: organizationId };
  if (level === "organization") return { level, levelId: organizationId, scope: { organizationId }, ...owned };
  if (level === "project_grant") {
    const grant = { id: grantId, projectId, grantedOrganizationId: organizationId };
    if (!(await readReceivedGrant(ctx.db.prisma, grant))) return noSuchProjectGrant();
    return { level, levelId: grantId, projectId, scope: { organizationId, projectId }, ...owned };
  }
  if (!(await findProject(ctx.db, organizationId, projectId))) return noSuchProject();
  return { level, levelId: projectId, scope: { organizationId, projectId }, ...owned };
}

export interface MemberChange {
  userId: string;
  /** All roles the user has there afterwards. */
  roles: readonly string[];
  /** The tags that the roles for texts are limited to, sorted: empty for all, undefined for those of before. */
  languages?: readonly string[];
  /** Whether the user must have no role there yet, or some. */
  expects: "none" | "some";
}

/** Sets the roles that a user has on the object. */
export async function setMember(
  ctx: OriginContext,
  at: ManagedLevel,
  change: MemberChange,
): Promise<ApiError | undefined> {
  const before = (await readRolesAt(ctx.db.prisma, at, change.userId)).map(({ role }) => role);
  const refusal = await checkMember(ctx, at, change, before);
  return refusal ?? changeDirectory(ctx, (ctx) => writeMember(ctx, at, change));
}

/**
 * Whether the caller may set the roles. To make a user of another organization a manager, the caller must be allowed to
 * read that user; otherwise the user is reported as not found (attack: probing for users).
 * @param before the roles that the user has on the object
 */
async function checkMember(
  ctx: OriginContext,
  at: Pick<ManagedLevel, "level" | "scope" | "visibleFrom">,
  { userId, roles, languages, expects }: MemberChange,
  before: readonly string[],
): Promise<ApiError | undefined> {
  // A role that only the bootstrap file gives can be kept while others change.
  const unknown = roles.findIndex((role) => !ROLES_AT[at.level].includes(role) && !before.includes(role));
  if (unknown >= 0) {
    const values = ROLES_AT[at.level].join(", ");
    return invalidArgument("member.unknown_role", `Roles here are ${values}.`, {
      field: `roles[${unknown}]`,
      reason: reason("one_of", { values }),
    });
  }
  if (languages?.length && !roles.some(isTextRole)) return languagesNotLimited();
  const user = await readUser(ctx.db.prisma, userId);
  if (!user) return expects === "none" ? noSuchUser() : noSuchMember();
  const { organizationId } = user;
  const isKnown =
    expects === "some" ||
    organizationId === at.visibleFrom ||
    (await hasPermission(ctx, ctx.origin.actor, "user.read", { organizationId }));
  if (!isKnown) return noSuchUser();
  // This keeps or removes existing roles, and both require the same permissions.
  return checkPrivilegesToGive(ctx, ctx.origin.actor, [...before, ...roles], at);
}

/** A manager of an object that is about to be added. */
export interface FirstMember {
  userId: string;
  /** One or more. */
  roles: readonly string[];
}

/** Whether the caller may make these users the first managers of an object in that scope. */
export async function checkFirstMembers(
  ctx: OriginContext,
  at: Pick<ManagedLevel, "level" | "scope" | "visibleFrom">,
  members: readonly FirstMember[],
): Promise<ApiError | undefined> {
  for (const member of members) {
    const refusal = await checkMember(ctx, at, { ...member, expects: "none" }, []);
    if (refusal) return refusal;
  }
  return undefined;
}

/** Makes users the managers of an object that the same transaction adds. */
export async function addFirstMembers(
  ctx: ChangeContext,
  at: ManagedLevel,
  members: readonly FirstMember[],
): Promise<ApiError | undefined> {
  for (const member of members) {
    const refusal = await writeMember(ctx, at, { ...member, expects: "none" });
    if (refusal) return refusal;
  }
  return undefined;
}

const languagesNotLimited = () =>
  invalidArgument(
    "member.languages_not_limited",
    `Only the roles ${TEXT_ROLES.join(", ")} can be limited to languages.`,
    { field: "languages" },
  );

async function writeMember(
  ctx: ChangeContext,
  at: ManagedLevel,
  { userId, roles, languages, expects }: MemberChange,
): Promise<ApiError | undefined> {
  const refusal = await lockLevel(ctx, at);
  if (refusal) return refusal;
  if (!(await readUser(ctx.tx, userId))) return noSuchUser();
  const held = await readRolesAt(ctx.tx, at, userId);
  const stored = held.map(({ role }) => role);
  if (expects === "none" && stored.length > 0) return alreadyMember();
  if (expects === "some" && stored.length === 0) return noSuchMember();
  if (stored.includes("IAM_OWNER") && !roles.includes("IAM_OWNER")) {
    const refusal = await checkOwnerLeft(ctx, { userId });
    if (refusal) return refusal;
  }
  const limited = held.find(({ languages }) => languages !== null)?.languages ?? null;
  for (const role of new Set(roles)) {
    const before = held.find((one) => one.role === role);
    const to = languages === undefined ? limited : languages.length > 0 ? languages : null;
    if (!before) await addMemberRole(ctx, at, { userId, role, languages: to });
    else if (isTextRole(role) && !isSameLimit(before.languages, to)) {
      await changeMemberLanguages(ctx, at.levelId, { userId, role, from: before.languages, to });
    }
  }
  for (const role of stored) {
    if (!roles.includes(role)) await removeMemberRole(ctx, at, { userId, role });
  }
  return undefined;
}

/**
 * Locks the object, so that it cannot be removed meanwhile. Otherwise the roles would apply to a later object with the
 * same id.
 */
async function lockLevel(ctx: TransactionContext, at: ManagedLevel): Promise<ApiError | undefined> {
  const { level, levelId, resourceOwner, projectId = "" } = at;
  if (level === "organization")
    return (await lockOrganization(ctx.db, ctx.tx, levelId)) ? undefined : noSuchOrganization();
  if (level === "project") {
    return (await lockProject(ctx.db, ctx.tx, resourceOwner, levelId)) ? undefined : noSuchProject();
  }
  if (level === "project_grant") {
    const grant = { id: levelId, projectId, grantedOrganizationId: resourceOwner };
    const found = await readReceivedGrant(ctx.tx, grant);
    const project = found && (await lockProject(ctx.db, ctx.tx, found.ownerId, projectId));
    return project && (await readReceivedGrant(ctx.tx, grant)) ? undefined : noSuchProjectGrant();
  }
  await lockInstanceRow(ctx.db, ctx.tx);
  return undefined;
}

const alreadyMember = () =>
  alreadyExists("member.already_exists", "The user has roles here already. Change those instead.", { field: "userId" });
const noSuchMember = () => notFound("member.not_found", "The user has no role here.");

export type ListedMember = ShownMember;
export type MemberMatch = MembersWanted;

/** Lists the managers of the object, each with all their roles there. */
export function listMembersOf(ctx: Context, at: LevelRef, matches: readonly MembersWanted[]): PagedList<ListedMember> {
  const where = membersOf(at);
  for (const match of matches) matchMembers(where, match);
  return pagedList(ctx, where, memberList(at));
}
