/** The manager roles, by the level they are held at. Their permissions are in permissions.ts. */

export const INSTANCE_ROLES = [
  "IAM_OWNER",
  "IAM_OWNER_VIEWER",
  "IAM_ORG_MANAGER",
  "IAM_USER_MANAGER",
  "IAM_ADMIN_IMPERSONATOR",
  "IAM_END_USER_IMPERSONATOR",
  "IAM_LOGIN_CLIENT",
] as const;

export const ORGANIZATION_ROLES = [
  "ORG_OWNER",
  "ORG_OWNER_VIEWER",
  "ORG_USER_MANAGER",
  "ORG_SETTINGS_MANAGER",
  "ORG_TEXT_EDITOR",
  "ORG_TRANSLATOR",
  "ORG_USER_PERMISSION_EDITOR",
  "ORG_PROJECT_PERMISSION_EDITOR",
  "ORG_PROJECT_CREATOR",
  "ORG_USER_SELF_MANAGER",
  "ORG_ADMIN_IMPERSONATOR",
  "ORG_END_USER_IMPERSONATOR",
  // Intended for members of the default organization, held like any other role of an organization.
  "SELF_MANAGEMENT_GLOBAL",
] as const;

/** Roles that may be limited to languages. */
export const TEXT_ROLES = [
  "ORG_TEXT_EDITOR",
  "ORG_TRANSLATOR",
] as const satisfies readonly (typeof ORGANIZATION_ROLES)[number][];

export const PROJECT_ROLES = ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER"] as const;

/** Roles held on the grant of a project, by which users of the granted organization get roles of the project. */
export const PROJECT_GRANT_ROLES = ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"] as const;

/**
 * Roles held on an organization, for all of its projects; only the bootstrap file gives them. Held there, the roles of
 * project grants give no further permissions: managers of an organization's users give the roles of projects that are
 * granted to it.
 */
export const GLOBAL_PROJECT_ROLES = [
  "PROJECT_OWNER_GLOBAL",
  "PROJECT_OWNER_VIEWER_GLOBAL",
  ...PROJECT_GRANT_ROLES,
] as const;

export type InstanceRole = (typeof INSTANCE_ROLES)[number];
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];
export type ProjectGrantRole = (typeof PROJECT_GRANT_ROLES)[number];
export type ProjectManagerRole = (typeof PROJECT_ROLES)[number];
export type GlobalProjectRole = (typeof GLOBAL_PROJECT_ROLES)[number];
export type MemberRole = InstanceRole | OrganizationRole | ProjectManagerRole | GlobalProjectRole;

export function isInstanceRole(role: string): role is InstanceRole {
  return (INSTANCE_ROLES as readonly string[]).includes(role);
}

export function isTextRole(role: string): boolean {
  return (TEXT_ROLES as readonly string[]).includes(role);
}

export const MEMBER_ROLES: readonly MemberRole[] = [
  ...INSTANCE_ROLES,
  ...ORGANIZATION_ROLES,
  ...PROJECT_ROLES,
  ...GLOBAL_PROJECT_ROLES,
];

export function isMemberRole(role: string): role is MemberRole {
  return (MEMBER_ROLES as readonly string[]).includes(role);
}
