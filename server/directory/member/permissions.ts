/**
 * The permissions that operations require, and the manager roles that include them, as data. Roles are read when used
 * and never taken from a token, so a removed role has no effect from the next request on. A role on the instance
 * applies in every organization, one on an organization only there, one on a project only within it, one on the grant
 * of a project only for what the granted organization decides about that project.
 */
import type { Context } from "../../context";
import { type HeldRole, listHeldRoles, listRoles } from "../../storage/member/membership";
import { findInstance } from "../instance";
import type { MemberRole, ProjectGrantRole } from "./roles";

/** The permissions of the instance. Those of organizations and their projects follow below. */
const INSTANCE_PERMISSIONS = [
  // The instance's texts and settings.
  "iam.policy.read",
  "iam.policy.write",
  "iam.policy.delete",
  "iam.restrictions.read",
  "iam.restrictions.write",
  // The instance itself: its default language and organization, the list of all organizations, export and apply.
  "iam.read",
  "iam.write",
  "iam.member.read",
  "iam.member.write",
  "iam.member.delete",
  "iam.feature.read",
  "iam.feature.write",
  "iam.feature.delete",
  // The keys that sign tokens.
  "iam.web_key.read",
  "iam.web_key.write",
  "iam.web_key.delete",
  // A login of its own: checking what users enter there, and answering requests of apps with their sessions.
  "session.write",
  "session.link",
  // No user has these: the system level belongs to the operator.
  "system.feature.write",
  "system.feature.delete",
] as const;

const ORGANIZATION_PERMISSIONS = [
  // The organization itself, its domains and managers.
  "org.read",
  "org.create",
  "org.write",
  "org.delete",
  "org.member.read",
  "org.member.write",
  "org.member.delete",
  "org.feature.write",
  "org.feature.delete",
  // Its settings.
  "policy.read",
  "policy.write",
  "policy.delete",
  // Its texts. Proposals are drafts, which someone with text.write approves.
  "text.read",
  "text.propose",
  "text.write",
  "text.delete",
  // Users and machines; their factors, sessions and tokens.
  "user.read",
  "user.write",
  "user.delete",
  "user.feature.write",
  "user.feature.delete",
  "session.read",
  "session.delete",
  // The project roles of users.
  "user.grant.read",
  "user.grant.write",
  "user.grant.delete",
  "project.read",
  "project.create",
  "project.write",
  "project.delete",
  "project.member.read",
  "project.member.write",
  "project.member.delete",
  "project.role.read",
  "project.role.write",
  "project.role.delete",
  // Grants of projects to other organizations.
  "project.grant.read",
  "project.grant.write",
  "project.grant.delete",
  // Of the organization that a project is granted to.
  "project.grant.member.read",
  "project.grant.member.write",
  "project.grant.member.delete",
  "project.app.read",
  "project.app.write",
  "project.app.delete",
  // The audit trail.
  "events.read",
  // Token exchange: acting for users without, and for users with manager roles.
  "impersonation",
  "admin.impersonation",
] as const;

export type Permission = (typeof INSTANCE_PERMISSIONS)[number] | (typeof ORGANIZATION_PERMISSIONS)[number];

/** Choice: owners cannot impersonate just by being owners; that requires a dedicated role. */
const IMPERSONATION: readonly Permission[] = ["impersonation", "admin.impersonation"];
const OF_INSTANCE = INSTANCE_PERMISSIONS.filter((name) => !name.startsWith("system."));
const OF_ORGANIZATION = ORGANIZATION_PERMISSIONS.filter((name) => !IMPERSONATION.includes(name));

const reading = (permissions: readonly Permission[]) => permissions.filter((name) => name.endsWith(".read"));
const about = (permissions: readonly Permission[], ...areas: string[]) =>
  permissions.filter((name) => areas.some((area) => name.startsWith(`${area}.`)));

const READ_POLICY: readonly Permission[] = ["policy.read", "text.read"];
const USERS = about(OF_ORGANIZATION, "user", "session").filter((name) => !name.includes("feature"));
const READ_PROJECTS = reading(about(OF_ORGANIZATION, "project"));
/** Everything within a project; creating projects is a permission of the organization. */
const PROJECT = about(OF_ORGANIZATION, "project").filter((name) => name !== "project.create");

const PROJECT_OWNER: readonly Permission[] = [...READ_POLICY, ...PROJECT, ...about(OF_ORGANIZATION, "user.grant")];
const PROJECT_OWNER_VIEWER: readonly Permission[] = [...READ_POLICY, ...reading(PROJECT), "user.grant.read"];

const PERMISSIONS: Readonly<Record<MemberRole, readonly Permission[]>> = {
  IAM_OWNER: [...OF_INSTANCE, ...OF_ORGANIZATION],
  IAM_OWNER_VIEWER: reading([...OF_INSTANCE, ...OF_ORGANIZATION]),
  IAM_ORG_MANAGER: ["iam.read", ...OF_ORGANIZATION.filter((name) => !name.includes("feature"))],
  IAM_USER_MANAGER: ["iam.read", "org.read", "org.member.read", ...USERS, ...READ_PROJECTS],
  IAM_ADMIN_IMPERSONATOR: IMPERSONATION,
  IAM_END_USER_IMPERSONATOR: ["impersonation"],
  IAM_LOGIN_CLIENT: [
    "iam.policy.read",
    "iam.feature.read",
    "session.read",
    "session.write",
    "session.link",
    "session.delete",
    ...READ_POLICY,
  ],

  ORG_OWNER: OF_ORGANIZATION.filter((name) => name !== "org.create"),
  ORG_OWNER_VIEWER: reading(OF_ORGANIZATION),
  ORG_USER_MANAGER: [...READ_POLICY, "org.read", "org.member.read", ...USERS, ...READ_PROJECTS],
  ORG_SETTINGS_MANAGER: [...about(OF_ORGANIZATION, "policy", "text"), "org.read", "org.write"],
  ORG_TEXT_EDITOR: ["policy.read", ...about(OF_ORGANIZATION, "text")],
  ORG_TRANSLATOR: ["text.read", "text.propose"],
  ORG_USER_PERMISSION_EDITOR: [
    ...READ_POLICY,
    "org.read",
    "user.read",
    ...about(OF_ORGANIZATION, "user.grant"),
    ...READ_PROJECTS,
  ],
  ORG_PROJECT_PERMISSION_EDITOR: [...READ_POLICY, "org.read", ...READ_PROJECTS],
  ORG_PROJECT_CREATOR: [...READ_POLICY, "org.read", "project.create", ...READ_PROJECTS],
  ORG_USER_SELF_MANAGER: READ_POLICY,
  ORG_ADMIN_IMPERSONATOR: IMPERSONATION,
  ORG_END_USER_IMPERSONATOR: ["impersonation"],
  SELF_MANAGEMENT_GLOBAL: ["org.create", ...READ_POLICY],

  PROJECT_OWNER,
  PROJECT_OWNER_VIEWER,
  PROJECT_OWNER_GLOBAL: PROJECT_OWNER,
  PROJECT_OWNER_VIEWER_GLOBAL: PROJECT_OWNER_VIEWER,
  PROJECT_GRANT_OWNER: READ_POLICY,
  PROJECT_GRANT_OWNER_VIEWER: READ_POLICY,
};

/** The permissions of roles on the grant of a project. */
const GRANT_PERMISSIONS: Readonly<Record<ProjectGrantRole, readonly Permission[]>> = {
  PROJECT_GRANT_OWNER: ["project.read", ...about(OF_ORGANIZATION, "project.grant.member", "user.grant")],
  PROJECT_GRANT_OWNER_VIEWER: ["project.read", "project.grant.member.read", "user.grant.read"],
};

/** A role as it is stored, and the level that it is held at. */
export interface RoleAtLevel {
  role: string;
  level: string;
}

/** Returns the permissions of a role; one that no longer exists has none. */
export function permissionsOf({ role, level }: RoleAtLevel): readonly Permission[] {
  const known: Readonly<Record<string, readonly Permission[]>> =
    level === "project_grant" ? GRANT_PERMISSIONS : PERMISSIONS;
  return Object.hasOwn(known, role) ? (known[role] ?? []) : [];
}

/** The form of ids (rule ID-1); anything else cannot exist, and PostgreSQL does not accept U+0000. */
const ID = /^[A-Za-z0-9._@-]{1,200}$/;

export interface PermissionScope {
  /** The organization acted on; undefined for the instance itself. */
  organizationId?: string;
  /**
   * The project acted on, if any; roles on the project itself count in it, or those on its grant to the organization.
   */
  projectId?: string;
}

/** Returns the user's current permissions. Unknown and foreign organizations give the same result: neither adds any. */
export async function listPermissions(
  ctx: Context,
  userId: string,
  { organizationId, projectId }: PermissionScope = {},
): Promise<ReadonlySet<Permission>> {
  if (organizationId !== undefined && !ID.test(organizationId)) return new Set();
  if (projectId !== undefined && !ID.test(projectId)) return new Set();
  const instance = await findInstance(ctx);
  const roles = await listRoles(ctx.db, userId, instance.id, organizationId, projectId);
  return new Set(roles.flatMap(permissionsOf));
}

/**
 * Returns the languages in which the user may do that to texts: a role may be limited to some.
 * @returns undefined for all languages; empty for none
 */
export async function listPermittedLanguages(
  ctx: Context,
  userId: string,
  permission: "text.propose" | "text.write",
  organizationId: string,
): Promise<readonly string[] | undefined> {
  const instance = await findInstance(ctx);
  const held = await listRoles(ctx.db, userId, instance.id, organizationId);
  const permitting = held.filter((one) => permissionsOf(one).includes(permission));
  if (permitting.some(({ languages }) => languages === null)) return undefined;
  return [...new Set(permitting.flatMap(({ languages }) => languages ?? []))];
}

/** Returns whether the user currently has the permission; false for both unknown and foreign organizations. */
export async function hasPermission(
  ctx: Context,
  userId: string,
  permission: Permission,
  scope: PermissionScope = {},
): Promise<boolean> {
  return (await listPermissions(ctx, userId, scope)).has(permission);
}

/** Roles on a project of the organization, or on the grant of a project to it. */
async function listProjectRoles(ctx: Context, userId: string, organizationId: string): Promise<HeldRole[]> {
  const held = await listHeldRoles(ctx.db, userId);
  return held.filter(({ projectId, organizationId: of }) => projectId !== null && of === organizationId);
}

/**
 * Returns the permissions that the user has in at least one project of the organization, or one that is granted to it,
 * through a role on the project or the grant.
 */
export async function listPermissionsInProjects(
  ctx: Context,
  userId: string,
  organizationId: string,
): Promise<ReadonlySet<Permission>> {
  return new Set((await listProjectRoles(ctx, userId, organizationId)).flatMap(permissionsOf));
}

/**
 * Returns the projects of the organization, or granted to it, in which the user has the permission through a role on
 * the project or the grant.
 */
export async function listPermittedProjects(
  ctx: Context,
  userId: string,
  permission: Permission,
  organizationId: string,
): Promise<string[]> {
  const held = await listProjectRoles(ctx, userId, organizationId);
  const carrying = held.filter((one) => permissionsOf(one).includes(permission));
  return [...new Set(carrying.flatMap(({ projectId }) => projectId ?? []))];
}
