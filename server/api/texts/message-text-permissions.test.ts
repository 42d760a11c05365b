import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GLOBAL_PROJECT_ROLES, INSTANCE_ROLES, ORGANIZATION_ROLES, PROJECT_ROLES } from "../../directory/member/roles";
import { type ApiResult, apiToken, callApi, refusalOf } from "../../testing/api";
import { countAllRows } from "../../testing/bare-context";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const ROLES = ["nobody", ...INSTANCE_ROLES, ...ORGANIZATION_ROLES, ...PROJECT_ROLES, ...GLOBAL_PROJECT_ROLES];

/** For a message that opens no account; see message-text-power.test.ts for the others. */
const TEXT = "domainclaimed/en";
/** Who may, as the reference has it (Roles that carry the permissions); written down apart from the code. */
const INSTANCE_READERS = ["IAM_OWNER", "IAM_OWNER_VIEWER", "IAM_LOGIN_CLIENT"];
const WRITERS = ["IAM_OWNER", "IAM_ORG_MANAGER", "ORG_OWNER", "ORG_SETTINGS_MANAGER", "ORG_TEXT_EDITOR"];
/** What these save is a draft, unless they may write. */
const PROPOSERS = [...WRITERS, "ORG_TRANSLATOR"];
const READERS = [
  ...PROPOSERS,
  "IAM_OWNER_VIEWER",
  "IAM_LOGIN_CLIENT",
  "ORG_OWNER_VIEWER",
  "ORG_USER_MANAGER",
  "ORG_USER_PERMISSION_EDITOR",
  "ORG_PROJECT_PERMISSION_EDITOR",
  "ORG_PROJECT_CREATOR",
  "ORG_USER_SELF_MANAGER",
  "SELF_MANAGEMENT_GLOBAL",
  "PROJECT_OWNER",
  "PROJECT_OWNER_VIEWER",
  "PROJECT_OWNER_GLOBAL",
  "PROJECT_OWNER_VIEWER_GLOBAL",
  "PROJECT_GRANT_OWNER",
  "PROJECT_GRANT_OWNER_VIEWER",
];

type Action = "read" | "propose" | "delete";
const OPERATIONS: readonly [Action, string, string, unknown?][] = [
  ["read", "GET", `text/default/message/${TEXT}`],
  ["read", "GET", `text/message/${TEXT}`],
  ["read", "GET", `text/message/${TEXT}/_explain`],
  ["read", "GET", "text/variables/password_change"],
  ["read", "GET", "text/messages"],
  ["read", "GET", "text/messages/_export"],
  ["read", "POST", `text/message/${TEXT}/_preview`, {}],
  ["propose", "PUT", `text/message/${TEXT}`, { title: "T" }],
  ["delete", "DELETE", `text/message/${TEXT}`],
  ["propose", "POST", `text/message/${TEXT}/_test_send`, {}],
];

const ORGANIZATIONS = { own: "roles", foreign: "acme", unknown: "nowhere" } as const;
type Where = "instance" | keyof typeof ORGANIZATIONS;

function may(role: string, where: Where, action: Action): boolean {
  if (where === "instance") return action === "read" ? INSTANCE_READERS.includes(role) : role === "IAM_OWNER";
  if (where === "unknown" || (where === "foreign" && !role.startsWith("IAM_"))) return false;
  return { read: READERS, propose: PROPOSERS, delete: WRITERS }[action].includes(role);
}

const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "roles",
      name: "Roles",
      domains: [{ domain: "roles.test", verified: true, primary: true }],
      users: ROLES.map((role) => ({
        id: `u-${role}`,
        userName: role,
        password: PASSWORD,
        profile: { firstName: role, lastName: role },
        email: { email: `${role}@roles.test`, isEmailVerified: true },
        ...(role !== "nobody" && { roles: [role] }),
      })),
    },
  ],
};

describe.each(ruleDatabases)("permissions on message texts, every role and operation, on %s", (kind) => {
  let service: TestService;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const role of ROLES) tokens.set(role, await apiToken(service, `${role}@roles.test`));
  });
  afterAll(() => service.close());

  const call = (role: string, where: Where, [, method, path, body]: (typeof OPERATIONS)[number]) =>
    callApi(service, method, where === "instance" ? `/admin/v1/${path}` : `/management/v1/${path}`, {
      token: tokens.get(role),
      body,
      headers: where === "instance" ? {} : { "x-service-orgid": ORGANIZATIONS[where] },
    });

  // What a role gives does not depend on the database: on the other one some may everything, one place's, or nothing.
  it.each(kind === "sqlite" ? ROLES : ["nobody", "IAM_OWNER", "ORG_OWNER"])("%s", async (role) => {
    let before = await countAllRows(service.ctx);
    for (const where of ["instance", "own", "foreign", "unknown"] as const) {
      for (const operation of OPERATIONS) {
        const [action, method, path] = operation;
        const answer = await call(role, where, operation);
        const what = [role, where, method, path];
        if (may(role, where, action)) {
          expect([...what, answer.status]).toEqual([...what, 200]);
          before = await countAllRows(service.ctx);
        } else {
          expect([...what, refusalOf(answer)]).toEqual([...what, { status: 403, code: 7, id: "access.denied" }]);
          expect(await countAllRows(service.ctx)).toEqual(before);
        }
      }
    }
  });

  it("refuses a foreign and an unknown organization with the same words", async () => {
    const answers: ApiResult[] = [];
    for (const where of ["foreign", "unknown"] as const) {
      for (const operation of OPERATIONS) answers.push(await call("ORG_OWNER", where, operation));
    }
    for (const { status, body } of answers) expect([status, body]).toEqual([403, answers[0]?.body]);
  });

  it("uses the organization of the caller if none is named", async () => {
    const token = tokens.get("ORG_OWNER");
    const { body } = await callApi(service, "PUT", `/management/v1/text/message/${TEXT}`, { token, body: {} });
    expect(body.details.resourceOwner).toBe("roles");
  });

  it.each(["acme, roles", "roles, roles", "roles,", "roles acme", "' OR '1'='1", "roles%00", "a".repeat(3_000)])(
    "takes no header like %j, even from an owner of the instance",
    async (organizationId) => {
      const before = await countAllRows(service.ctx);
      for (const role of ["IAM_OWNER", "ORG_OWNER"]) {
        const answer = await callApi(service, "PUT", `/management/v1/text/message/${TEXT}`, {
          token: tokens.get(role),
          body: { title: "T2" },
          headers: { "x-service-orgid": organizationId },
        });
        expect(refusalOf(answer)).toEqual({ status: 403, code: 7, id: "access.denied" });
      }
      expect(await countAllRows(service.ctx)).toEqual(before);
    },
  );

  it("applies a removed role from the next request on", async () => {
    const put = () => call("ORG_SETTINGS_MANAGER", "own", ["propose", "PUT", `text/message/${TEXT}`, {}]);
    expect((await put()).status).toBe(200);
    await service.ctx.db.prisma.membership.deleteMany({ where: { userId: "u-ORG_SETTINGS_MANAGER" } });
    expect((await put()).status).toBe(403);
  });
});
