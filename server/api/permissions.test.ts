import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { levelOfRole } from "../directory/member/membership";
import {
  GLOBAL_PROJECT_ROLES,
  INSTANCE_ROLES,
  type MemberRole,
  ORGANIZATION_ROLES,
  PROJECT_GRANT_ROLES,
  PROJECT_ROLES,
  type ProjectGrantRole,
} from "../directory/member/roles";
import { isApiError } from "../protocol/api-error";
import { everyCell, expectNone } from "../testing/cells";
import { ruleDatabases } from "../testing/database";
import { type TestService, testService } from "../testing/test-context";
import { operations } from "./all";
import type { OperationScope } from "./operation/operation";
import { authorizeOperation } from "./operation/perform";

/**
 * What each role may, written down apart from the code: an area of permissions, then r(ead), w(rite), d(elete),
 * c(reate), p(ropose) and l(ink). `org.*` means `org` and all areas below it.
 */
const IN_ORGANIZATIONS = "org.* rwd policy rwd text rwdp user.* rwd session rd project.* rwdc events r";
const USERS = "user rwd user.grant rwd session rd project.* r";
const OF_A_GRANT = " of a grant";
const MAY: Readonly<Record<MemberRole | "NOBODY" | `${ProjectGrantRole}${typeof OF_A_GRANT}`, string>> = {
  NOBODY: "",
  IAM_OWNER: `iam.* rwd org rwdc session wl ${IN_ORGANIZATIONS}`,
  IAM_OWNER_VIEWER: "iam.* r org.* r policy r text r user.* r session r project.* r events r",
  IAM_ORG_MANAGER:
    "iam r org rwdc org.member rwd policy rwd text rwdp user rwd user.grant rwd session rd project.* rwdc events r",
  IAM_USER_MANAGER: `iam r org r org.member r ${USERS}`,
  IAM_ADMIN_IMPERSONATOR: "",
  IAM_END_USER_IMPERSONATOR: "",
  IAM_LOGIN_CLIENT: "iam.policy r iam.feature r policy r text r session rwdl",
  ORG_OWNER: IN_ORGANIZATIONS,
  ORG_OWNER_VIEWER: "org.* r policy r text r user.* r session r project.* r events r",
  ORG_USER_MANAGER: `policy r text r org r org.member r ${USERS}`,
  ORG_SETTINGS_MANAGER: "policy rwd text rwdp org rw",
  ORG_TEXT_EDITOR: "policy r text rwdp",
  ORG_TRANSLATOR: "text rp",
  ORG_USER_PERMISSION_EDITOR: "policy r text r org r user r user.grant rwd project.* r",
  ORG_PROJECT_PERMISSION_EDITOR: "policy r text r org r project.* r",
  ORG_PROJECT_CREATOR: "policy r text r org r project.* r project c",
  ORG_USER_SELF_MANAGER: "policy r text r",
  ORG_ADMIN_IMPERSONATOR: "",
  ORG_END_USER_IMPERSONATOR: "",
  SELF_MANAGEMENT_GLOBAL: "policy r text r org c",
  PROJECT_OWNER: "policy r text r project.* rwd user.grant rwd",
  PROJECT_OWNER_VIEWER: "policy r text r project.* r user.grant r",
  PROJECT_OWNER_GLOBAL: "policy r text r project.* rwd user.grant rwd",
  PROJECT_OWNER_VIEWER_GLOBAL: "policy r text r project.* r user.grant r",
  PROJECT_GRANT_OWNER: "policy r text r",
  PROJECT_GRANT_OWNER_VIEWER: "policy r text r",
  "PROJECT_GRANT_OWNER of a grant": "project r project.grant.member rwd user.grant rwd",
  "PROJECT_GRANT_OWNER_VIEWER of a grant": "project r project.grant.member r user.grant r",
};

function carries(role: keyof typeof MAY, permission: string): boolean {
  const words = MAY[role].split(" ");
  const end = permission.lastIndexOf(".");
  const [area, letter] = [permission.slice(0, end), permission.charAt(end + 1)];
  return words.some((word, index) => {
    if (index % 2 === 1 || !words[index + 1]?.includes(letter)) return false;
    return word === area || (word.endsWith(".*") && `${area}.`.startsWith(word.slice(0, -1)));
  });
}

const ON_A_GRANT = PROJECT_GRANT_ROLES.map((role) => `${role}${OF_A_GRANT}` as const);
const ON_A_PROJECT: readonly string[] = [...PROJECT_ROLES, ...ON_A_GRANT];
/** The person with a role. */
const personOf = (role: string) => role.replaceAll(" ", "-");
const ON_THE_ORGANIZATION = [...ORGANIZATION_ROLES, ...GLOBAL_PROJECT_ROLES];

const ORGANIZATIONS = { own: "acme", foreign: "foreign", unknown: "unknown" } as const;
type Where = keyof typeof ORGANIZATIONS;

/** Where a role counts: those of the instance everywhere, those of an organization there, those of a project in it. */
function may(role: keyof typeof MAY, scope: OperationScope, where: Where): boolean {
  if (scope.level === "caller") return true;
  const isOfInstance = role.startsWith("IAM_");
  if (scope.level === "instance") return isOfInstance && carries(role, scope.permission);
  if (where === "unknown" || (where === "foreign" && !isOfInstance)) return false;
  const isInProject = scope.level === "owner" ? scope.isInProject : scope.level.startsWith("project");
  if (ON_A_PROJECT.includes(role) && !isInProject) return false;
  return carries(role, scope.permission);
}

const ROLES = Object.keys(MAY) as (keyof typeof MAY)[];

/** The organization, one person for every role, and a project for those whose role is held on one. */
const bootstrap = {
  organizations: [
    {
      id: "acme",
      name: "ACME",
      domains: [{ domain: "acme.test", verified: true, primary: true }],
      users: ROLES.map((role) => ({ id: personOf(role), userName: personOf(role) })),
      projects: [{ id: "p1", name: "Shop" }],
    },
    { id: "foreign", name: "Foreign", projects: [{ id: "p2", name: "Theirs", grants: [{ grantedOrgId: "acme" }] }] },
  ],
};
const PROJECTS = { own: "p1", foreign: "p2", unknown: "p3" } as const;

describe.each(ruleDatabases)("permissions of operations by role and organization, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    const { prisma } = service.ctx.db;
    const instanceId = (await prisma.instance.findFirst())?.id ?? "";
    const grantId = (await prisma.projectGrant.findFirst())?.id ?? "";
    const createdAt = new Date();
    await prisma.membership.createMany({
      data: [...INSTANCE_ROLES, ...ON_THE_ORGANIZATION]
        .map((role) => ({
          userId: role,
          role,
          ...levelOfRole({ role, instanceId, organizationId: "acme" }),
          createdAt,
        }))
        .concat(
          PROJECT_ROLES.map((role) => ({ userId: role, role, level: "project", levelId: "p1", createdAt }) as never),
          PROJECT_GRANT_ROLES.map((role) => {
            const userId = personOf(`${role}${OF_A_GRANT}`);
            return { userId, role, level: "project_grant", levelId: grantId, createdAt } as never;
          }),
        ),
    });
  });
  afterAll(() => service.close());

  /** Caches the answer per scope, because operations with the same scope get the same answer. */
  const answers = new Map<string, ReturnType<typeof authorizeOperation>>();
  function answerOf(role: string, scope: OperationScope, where: Where) {
    const key = JSON.stringify([role, scope, where]);
    const answer = answers.get(key) ?? ask(role, scope, where);
    answers.set(key, answer);
    return answer;
  }
  async function ask(role: string, scope: OperationScope, where: Where) {
    const organizationId = ORGANIZATIONS[where];
    const caller = { userId: personOf(role), organizationId: "acme", clientId: "web" };
    const asked = scope.level === "owner" ? { ...scope, ownerOf: async () => ownerIn(where) } : scope;
    const projectId = where === "own" && role.endsWith(OF_A_GRANT) ? "p2" : PROJECTS[where];
    const parameters = { projectId };
    return authorizeOperation(service.ctx, caller, asked, { organizationId, parameters });
  }
  const ownerIn = (where: Where) => (where === "unknown" ? undefined : ORGANIZATIONS[where]);

  it("have an expectation for every role", () => {
    expect(ROLES.slice(1).sort()).toEqual([...INSTANCE_ROLES, ...ON_THE_ORGANIZATION, ...ON_A_PROJECT].sort());
  });

  it.each(ROLES)("%s", async (role) => {
    const wrong: string[] = [];
    for (const { id, scope } of operations) {
      for (const where of Object.keys(ORGANIZATIONS) as Where[]) {
        const isAllowed = !isApiError(await answerOf(role, scope, where));
        if (isAllowed !== may(role, scope, where)) wrong.push(`${id} in the ${where} organization`);
      }
    }
    expectNone(wrong);
  });

  const onOrganizations = operations.filter(({ scope }) => scope.level !== "caller" && scope.level !== "instance");
  it.each(["NOBODY", ...ON_THE_ORGANIZATION, ...ON_A_PROJECT])(
    "%s learns from no operation which organizations there are",
    (role) =>
      everyCell(
        onOrganizations.map(({ id, scope }) => [id, scope] as const),
        async (scope) => {
          expect(await answerOf(role, scope, "foreign")).toEqual(await answerOf(role, scope, "unknown"));
        },
      ),
  );
});
