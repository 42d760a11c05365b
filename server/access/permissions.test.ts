import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInstance } from "../directory/instance";
import { addMembership } from "../directory/member/membership";
import { hasPermission, type Permission } from "../directory/member/permissions";
import { INSTANCE_ROLES, ORGANIZATION_ROLES } from "../directory/member/roles";
import { GRPC_CODES } from "../protocol/api-error";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { type TestService, testService } from "../testing/test-context";
import { checkPermission } from "./permissions";

const person = (id: string, roles: readonly string[] = []) => ({
  id,
  userName: id,
  password: PASSWORD,
  profile: { firstName: id, lastName: id },
  email: { email: `${id}@x.test`, isEmailVerified: true },
  roles,
});
const [acme] = exampleBootstrap.organizations;
/** One user per role, in a separate organization; u-ada of ACME is IAM_OWNER. */
const bootstrap = {
  organizations: [
    acme,
    {
      id: "roles",
      name: "Roles",
      domains: [{ domain: "roles.test", verified: true, primary: true }],
      users: [...INSTANCE_ROLES, ...ORGANIZATION_ROLES].map((role) => person(`u-${role}`, [role])),
    },
  ],
};

describe.each(ruleDatabases)("permissions of manager roles (rule API-8) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const holders = async (permission: Permission, organizationId?: string) => {
    const roles = [...INSTANCE_ROLES, ...ORGANIZATION_ROLES];
    const may = await Promise.all(
      roles.map((role) => hasPermission(service.ctx, `u-${role}`, permission, { organizationId })),
    );
    return roles.filter((_, index) => may[index]);
  };

  it.each<[Permission, readonly string[]]>([
    ["iam.policy.read", ["IAM_OWNER", "IAM_OWNER_VIEWER", "IAM_LOGIN_CLIENT"]],
    ["iam.policy.write", ["IAM_OWNER"]],
    ["iam.policy.delete", ["IAM_OWNER"]],
    ["iam.feature.write", ["IAM_OWNER"]],
    ["iam.feature.delete", ["IAM_OWNER"]],
    ["policy.write", ["IAM_OWNER", "IAM_ORG_MANAGER"]],
    ["impersonation", ["IAM_ADMIN_IMPERSONATOR", "IAM_END_USER_IMPERSONATOR"]],
    ["admin.impersonation", ["IAM_ADMIN_IMPERSONATOR"]],
  ])("gives %s on the instance to exactly %j", async (permission, expected) => {
    expect(await holders(permission)).toEqual(expected);
  });

  it.each<[Permission, readonly string[]]>([
    ["policy.write", ["IAM_OWNER", "IAM_ORG_MANAGER", "ORG_OWNER", "ORG_SETTINGS_MANAGER"]],
    ["policy.delete", ["IAM_OWNER", "IAM_ORG_MANAGER", "ORG_OWNER", "ORG_SETTINGS_MANAGER"]],
    ["text.write", ["IAM_OWNER", "IAM_ORG_MANAGER", "ORG_OWNER", "ORG_SETTINGS_MANAGER", "ORG_TEXT_EDITOR"]],
    [
      "text.propose",
      ["IAM_OWNER", "IAM_ORG_MANAGER", "ORG_OWNER", "ORG_SETTINGS_MANAGER", "ORG_TEXT_EDITOR", "ORG_TRANSLATOR"],
    ],
    [
      "policy.read",
      [
        "IAM_OWNER",
        "IAM_OWNER_VIEWER",
        "IAM_ORG_MANAGER",
        "IAM_LOGIN_CLIENT",
        "ORG_OWNER",
        "ORG_OWNER_VIEWER",
        "ORG_USER_MANAGER",
        "ORG_SETTINGS_MANAGER",
        "ORG_TEXT_EDITOR",
        "ORG_USER_PERMISSION_EDITOR",
        "ORG_PROJECT_PERMISSION_EDITOR",
        "ORG_PROJECT_CREATOR",
        "ORG_USER_SELF_MANAGER",
        "SELF_MANAGEMENT_GLOBAL",
      ],
    ],
    [
      "impersonation",
      ["IAM_ADMIN_IMPERSONATOR", "IAM_END_USER_IMPERSONATOR", "ORG_ADMIN_IMPERSONATOR", "ORG_END_USER_IMPERSONATOR"],
    ],
    ["admin.impersonation", ["IAM_ADMIN_IMPERSONATOR", "ORG_ADMIN_IMPERSONATOR"]],
  ])("gives %s on the organization of the roles to exactly %j", async (permission, expected) => {
    expect(await holders(permission, "roles")).toEqual(expected);
  });

  it("applies a role on one organization only there", async () => {
    expect(await hasPermission(service.ctx, "u-ORG_OWNER", "policy.write", { organizationId: "acme" })).toBe(false);
    expect(await hasPermission(service.ctx, "u-ada", "policy.write", { organizationId: "roles" })).toBe(true);
  });

  it("gives the same error for a foreign and an unknown organization, even to owners of the instance", async () => {
    const owner = { userId: "u-ORG_OWNER", organizationId: "roles", clientId: "web" };
    const ask = (caller: typeof owner, organizationId: string) =>
      checkPermission(service.ctx, caller, "policy.write", { organizationId });
    const foreign = await ask(owner, "acme");
    expect(foreign?.code).toBe(GRPC_CODES.permissionDenied);
    for (const unknown of ["nowhere", "", "acme\0", "a".repeat(5_000), "' OR 1=1 --"]) {
      expect(await ask(owner, unknown)).toEqual(foreign);
      expect(await ask({ ...owner, userId: "u-ada" }, unknown)).toEqual(foreign);
    }
  });

  it("applies a role as soon as the user has it, and not after its removal", async () => {
    const { ctx } = service;
    const instance = await findInstance(ctx);
    const membership = {
      userId: "u-bob",
      role: "ORG_OWNER",
      instanceId: instance.id,
      organizationId: "acme",
    } as const;
    const may = () => hasPermission(ctx, "u-bob", "policy.write", { organizationId: "acme" });
    expect(await may()).toBe(false);
    await ctx.db.transaction((tx) => addMembership({ ...ctx, tx, origin: { actor: "u-ada" } }, membership));
    expect(await may()).toBe(true);
    await ctx.db.prisma.membership.deleteMany({ where: { userId: "u-bob" } });
    expect(await may()).toBe(false);
  });
});
