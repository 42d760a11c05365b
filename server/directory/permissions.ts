/**
 * Who may do what: the permissions our operations ask for, and the manager roles that carry them, as data. Roles are
 * read at the moment of use and never taken from a token, so a role that was taken away is gone with the next request.
 * A role on the instance counts in every organization; one on an organization only there.
 */
import type { Context } from "../context";
import { listRoles } from "../storage/memberships";
import { findInstance } from "./instance";
import type { InstanceRole, MemberRole, OrganizationRole } from "./roles";

export type Permission =
  // The instance's texts and settings.
  | "iam.policy.read"
  | "iam.policy.write"
  | "iam.policy.delete"
  // An organization's texts and settings.
  | "policy.read"
  | "policy.write"
  | "policy.delete"
  // Registered apps and their settings.
  | "app.read"
  // People's names and addresses.
  | "user.read"
  | "iam.feature.read"
  | "iam.feature.write"
  | "iam.feature.delete"
  // Held by nobody: the system is what runs the service, and has no users.
  | "system.feature.write"
  | "system.feature.delete"
  | "org.feature.write"
  | "org.feature.delete"
  | "user.feature.write"
  | "user.feature.delete"
  // Token exchange: acting for people without, and for people with manager roles.
  | "impersonation"
  | "admin.impersonation";

const READ_POLICY: readonly Permission[] = ["policy.read"];
const POLICY: readonly Permission[] = ["policy.read", "policy.write", "policy.delete"];
const IAM_POLICY: readonly Permission[] = ["iam.policy.read", "iam.policy.write", "iam.policy.delete"];
const FEATURES: readonly Permission[] = ["iam.feature.read", "iam.feature.write", "iam.feature.delete"];
const ORG_FEATURES: readonly Permission[] = [
  "org.feature.write",
  "org.feature.delete",
  "user.feature.write",
  "user.feature.delete",
];

/** Choice: an owner does not impersonate by being an owner; the two roles for it are given on purpose. */
const INSTANCE_PERMISSIONS: Readonly<Record<InstanceRole, readonly Permission[]>> = {
  IAM_OWNER: [...IAM_POLICY, ...POLICY, ...FEATURES, ...ORG_FEATURES, "app.read", "user.read"],
  IAM_OWNER_VIEWER: ["iam.policy.read", "iam.feature.read", "app.read", "user.read", ...READ_POLICY],
  IAM_ORG_MANAGER: [...POLICY, "app.read", "user.read"],
  IAM_USER_MANAGER: ["user.read"],
  IAM_ADMIN_IMPERSONATOR: ["impersonation", "admin.impersonation"],
  IAM_END_USER_IMPERSONATOR: ["impersonation"],
  IAM_LOGIN_CLIENT: ["iam.policy.read", "iam.feature.read", ...READ_POLICY],
};

const ORGANIZATION_PERMISSIONS: Readonly<Record<OrganizationRole, readonly Permission[]>> = {
  ORG_OWNER: [...POLICY, ...ORG_FEATURES, "app.read", "user.read"],
  ORG_OWNER_VIEWER: [...READ_POLICY, "app.read", "user.read"],
  ORG_USER_MANAGER: [...READ_POLICY, "user.read"],
  ORG_SETTINGS_MANAGER: [...POLICY],
  ORG_USER_PERMISSION_EDITOR: READ_POLICY,
  ORG_PROJECT_PERMISSION_EDITOR: [...READ_POLICY, "app.read"],
  ORG_PROJECT_CREATOR: [...READ_POLICY, "app.read"],
  ORG_USER_SELF_MANAGER: READ_POLICY,
  ORG_ADMIN_IMPERSONATOR: ["impersonation", "admin.impersonation"],
  ORG_END_USER_IMPERSONATOR: ["impersonation"],
  SELF_MANAGEMENT_GLOBAL: READ_POLICY,
};

const PERMISSIONS: Readonly<Record<MemberRole, readonly Permission[]>> = {
  ...INSTANCE_PERMISSIONS,
  ...ORGANIZATION_PERMISSIONS,
};

/** What an id can look like (contract: Bootstrap file); PostgreSQL knows no U+0000. */
const ORGANIZATION_ID = /^[A-Za-z0-9._@-]{1,200}$/;

export interface Scope {
  /** The organization acted on; undefined where the instance itself is. */
  organizationId?: string;
}

/** Everything the user may do at this moment. Unknown and foreign organizations are the same: nothing of their own. */
export async function listPermissions(
  ctx: Context,
  userId: string,
  { organizationId }: Scope = {},
): Promise<ReadonlySet<Permission>> {
  if (organizationId !== undefined && !ORGANIZATION_ID.test(organizationId)) return new Set();
  const instance = await findInstance(ctx);
  const roles = await listRoles(ctx.db, userId, instance.id, organizationId ?? null);
  return new Set(roles.flatMap((role) => (Object.hasOwn(PERMISSIONS, role) ? PERMISSIONS[role as MemberRole] : [])));
}

/** Whether the user has the permission at this moment. Unknown and foreign organizations are the same: false. */
export async function hasPermission(
  ctx: Context,
  userId: string,
  permission: Permission,
  scope: Scope = {},
): Promise<boolean> {
  return (await listPermissions(ctx, userId, scope)).has(permission);
}
