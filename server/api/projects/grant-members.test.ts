import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const person = (userName: string, roles: string[] = []) => ({
  id: `u-${userName}`,
  userName,
  password: PASSWORD,
  roles,
});
const domain = (name: string) => [{ domain: `${name}.test`, verified: true, primary: true }];
const roles = [{ roleKey: "reader" }, { roleKey: "writer" }];
const grants = [{ grantedOrgId: "partner", roleKeys: ["reader"] }];
const bootstrap = {
  organizations: [
    {
      ...acme,
      users: [...(acme?.users ?? []), person("ola", ["ORG_OWNER"]), person("olaf")],
      projects: [
        ...(acme?.projects ?? []).map((project) => ({ ...project, ...(project.id === "p1" && { roles, grants }) })),
        { id: "p2", name: "Stock", roles, grants },
      ],
    },
    {
      id: "partner",
      name: "Partner",
      domains: domain("partner"),
      users: [person("pia", ["ORG_OWNER"]), person("max"), person("vic"), person("paul")],
      projects: [{ id: "own", name: "Own", roles }],
    },
  ],
};

describe.each(databaseKinds)("managers of the grant of a project, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const name of ["ada", "ola"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
    for (const name of ["pia", "max", "vic"]) tokens[name] = await apiToken(service, `${name}@partner.test`);
    for (const { id, projectId } of await service.ctx.db.prisma.projectGrant.findMany()) ids[projectId] = id;
    expect((await as("pia")("POST", members(), { userId: "u-max", roles: ["PROJECT_GRANT_OWNER"] })).status).toBe(200);
    const viewer = { userId: "u-vic", roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
    expect((await as("max")("POST", members(), viewer)).status).toBe(200);
  });
  afterAll(() => service.close());

  const as =
    (name: string, organizationId?: string) =>
    (method: string, path: string, body: unknown = method === "POST" ? {} : undefined) =>
      callApi(service, method, `/management/v1/${path}`, {
        token: tokens[name],
        body,
        headers: organizationId === undefined ? {} : { "x-service-orgid": organizationId },
      });
  const members = (project = "p1") => `projects/${project}/grants/${ids[project]}/members`;
  const give = (name: string, project: string, roleKey: string, userId = "u-paul") =>
    as(name)("POST", `users/${userId}/grants`, {
      ...{ projectId: project, roleKeys: [roleKey] },
      ...(ids[project] !== undefined && { projectGrantId: ids[project] }),
    });

  it("give roles of that grant to people of the organization that has it, and nothing else", async () => {
    const given = await give("max", "p1", "reader");
    expect(given.status).toBe(200);
    const path = `users/u-paul/grants/${given.body.userGrantId}`;
    expect((await as("max")("POST", `${path}/_deactivate`)).status).toBe(200);
    expect((await as("vic")("POST", "users/grants/_search")).body.result).toMatchObject([
      { userId: "u-paul", projectId: "p1", roleKeys: ["reader"], state: "USER_GRANT_STATE_INACTIVE" },
    ]);
    expect(refusalOf(await as("vic")("DELETE", path)).id).toBe("access.denied");
    expect((await as("max")("DELETE", path)).status).toBe(200);
    expect(refusalOf(await give("max", "p1", "writer")).id).toBe("user_grant.unknown_role");
    expect(refusalOf(await give("max", "p2", "reader")).id).toBe("project.not_found");
    expect(refusalOf(await give("max", "own", "reader")).id).toBe("project.not_found");
    expect(refusalOf(await give("max", "p1", "reader", "u-olaf")).id).toBe("user.not_found");
    for (const [method, at] of [
      ["POST", "users/_search"],
      ["GET", "users/u-paul"],
      ["POST", "orgs/me/members/_search"],
      ["POST", "users/u-paul/memberships/_search"],
      ["PUT", "projects/p1"],
      ["POST", "projects/p1/roles/_search"],
      ["POST", "apps/_search"],
      ["POST", "projects/own/members/_search"],
      ["POST", members("p2").concat("/_search")],
    ] as const) {
      const body = method === "GET" ? undefined : { name: "Mine" };
      expect(refusalOf(await as("max")(method, at, body)).id, at).toBe("access.denied");
    }
  });

  it("see that project alone among those that are granted", async () => {
    const seen = async (name: string) =>
      (await as(name)("POST", "granted_projects/_search")).body.result.map(
        (one: { projectId: string }) => one.projectId,
      );
    expect((await seen("pia")).sort()).toEqual(["p1", "p2"]);
    expect(await seen("vic")).toEqual(["p1"]);
    const read = (project: string) => as("max")("GET", `granted_projects/${project}/grants/${ids[project]}`);
    expect((await read("p1")).body.grantedProject).toMatchObject({ projectName: "Shop", grantedRoleKeys: ["reader"] });
    expect(refusalOf(await read("p2")).id).toBe("project_grant.not_found");
    expect((await as("max")("POST", "projects/_search")).body.result).toEqual([]);
  });

  it("are named by the organization that has the grant, not by the one that gave it", async () => {
    const olaf = { userId: "u-olaf", roles: ["PROJECT_GRANT_OWNER"] };
    for (const organizationId of ["acme", "partner"]) {
      expect(refusalOf(await as("ola", organizationId)("POST", members(), olaf)).id).toBe("access.denied");
      expect(refusalOf(await as("ola", organizationId)("POST", `${members()}/_search`)).id).toBe("access.denied");
    }
    const unknown = "projects/p1/grants/none/members/_search";
    expect(refusalOf(await as("ola")("POST", unknown))).toEqual(
      refusalOf(await as("ola")("POST", `${members()}/_search`)),
    );
    // Managers cannot name people whom they cannot find.
    expect(refusalOf(await as("pia")("POST", members(), olaf)).id).toBe("user.not_found");
    expect(refusalOf(await as("vic")("POST", members(), { ...olaf, userId: "u-paul" })).id).toBe("access.denied");
    const wrong = { userId: "u-paul", roles: ["PROJECT_OWNER"] };
    expect(refusalOf(await as("pia")("POST", members(), wrong)).id).toBe("member.unknown_role");
    // The header is not needed: the grant says which organization it is.
    const listed = await as("ada", "acme")("POST", `${members()}/_search`, {
      queries: [{ orQuery: { queries: [{ userIdQuery: { userId: "u-vic" } }, { roleQuery: { role: "NONE" } }] } }],
    });
    expect(listed.body.result).toMatchObject([
      { userId: "u-vic", roles: ["PROJECT_GRANT_OWNER_VIEWER"], details: { resourceOwner: "partner" } },
    ]);
    const not = { notQuery: { query: { roleQuery: { role: "PROJECT_GRANT_OWNER_VIEWER" } } } };
    const others = await as("pia")("POST", `${members()}/_search`, { queries: [not] });
    expect(others.body.result.map(({ userId }: { userId: string }) => userId)).toEqual(["u-max"]);
  });

  it("are shown among the roles of a user to those who may list them", async () => {
    const olaf = { userId: "u-olaf", roles: ["PROJECT_GRANT_OWNER"] };
    expect((await as("ada", "partner")("POST", members("p2"), olaf)).status).toBe(200);
    const found = async (name: string, userId: string, queries: object[] = []) =>
      (await as(name)("POST", `users/${userId}/memberships/_search`, { queries })).body.result;
    expect(await found("pia", "u-max")).toMatchObject([
      {
        projectGrantId: ids.p1,
        displayName: "Shop",
        roles: ["PROJECT_GRANT_OWNER"],
        details: { resourceOwner: "partner" },
      },
    ]);
    expect(await found("ola", "u-olaf")).toEqual([]);
    expect(await found("ada", "u-olaf", [{ projectGrantQuery: { projectGrantId: ids.p2 } }])).toHaveLength(1);
    expect(await found("ada", "u-olaf", [{ iamQuery: { iam: true } }])).toEqual([]);
    // A manager of the users of ACME has no power over a user whom another organization trusts.
    expect(refusalOf(await as("ola")("POST", "users/u-olaf/password", { password: "Another-1-password" })).id).toBe(
      "access.higher_role",
    );
    const events = await as("pia")("POST", "events/_search", { eventTypes: ["organization.grant_member.added"] });
    expect(events.body.result).toHaveLength(3);
    const theirs = await as("ola")("POST", "events/_search", { eventTypes: ["organization.grant_member.added"] });
    expect(theirs.body.result).toEqual([]);
  });

  it("lose their roles with the grant, with the project, and with the organization", async () => {
    const count = () => service.ctx.db.prisma.membership.count({ where: { level: "project_grant" } });
    expect(await count()).toBe(3);
    expect((await as("ola")("DELETE", `projects/p1/grants/${ids.p1}`)).status).toBe(200);
    expect(await count()).toBe(1);
    expect(refusalOf(await as("max")("POST", "users/grants/_search")).id).toBe("access.denied");
    expect((await as("ola")("DELETE", "projects/p2")).status).toBe(200);
    expect(await count()).toBe(0);
    const add = { name: "Again", roles: [] };
    const { id: projectId } = (await as("ola")("POST", "projects", add)).body;
    const granted = await as("ola")("POST", `projects/${projectId}/grants`, { grantedOrgId: "partner" });
    ids[projectId] = granted.body.grantId;
    const max = { userId: "u-max", roles: ["PROJECT_GRANT_OWNER"] };
    expect((await as("pia")("POST", members(projectId), max)).status).toBe(200);
    expect((await as("ada", "partner")("DELETE", "orgs/me")).status).toBe(200);
    expect(await count()).toBe(0);
  });
});
