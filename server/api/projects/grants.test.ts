import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callApi, refusalOf } from "../../testing/api";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { authorize, basic, postToken, type Tokens, userinfo } from "../../testing/flow";
import { bearerOf, credentialsOf, giveProject, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const ROLES = "urn:service:iam:org:project:roles";
const GRANTS = "/projects/p1/grants";

describe.each(databaseKinds)("a project that is granted to another organization, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  let grantId = "";
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    await giveProject(service);
    for (const bot of ["acme-bot", "evil-mallory", "evil-pete", "evil-uma", "acme-iam"]) {
      tokens[bot] = await bearerOf(service, bot);
    }
    expect((await acme("POST", "/projects/p1/roles", { roleKey: "clerk" })).status).toBe(200);
  });
  afterAll(() => service.close());

  const call = (as: string, method: string, path: string, body?: unknown, organizationId?: string) => {
    const headers: Record<string, string> = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
    return callApi(service, method, `/management/v1${path}`, { token: tokens[as], body, headers });
  };
  const acme = (method: string, path: string, body?: unknown) => call("acme-bot", method, path, body);
  const evil = (method: string, path: string, body?: unknown) => call("evil-mallory", method, path, body);
  const grant = { grantedOrgId: "evil", roleKeys: ["clerk"] };
  const idOf = (answer: { body: { details: { id: string }[] } }) => answer.body.details[0]?.id;
  const eventsOf = (type: string) =>
    service.ctx.db.prisma.event.findMany({ where: { type }, orderBy: { position: "asc" } });

  beforeEach(async () => {
    await service.ctx.db.prisma.userGrant.deleteMany();
    await service.ctx.db.prisma.projectGrant.deleteMany();
    const added = await acme("POST", GRANTS, grant);
    expect([added.status, added.body]).toEqual([
      200,
      { grantId: expect.any(String), details: expect.objectContaining({ resourceOwner: "acme" }) },
    ]);
    grantId = added.body.grantId;
  });

  const give = (userId: string, roleKeys: string[], as = "evil-mallory") =>
    call(as, "POST", `/users/${userId}/grants`, { projectId: "p1", projectGrantId: grantId, roleKeys });
  /** The roles that Carl, of the granted organization, has at an app of the project. */
  const rolesOfCarl = async () => {
    const asked = { client_id: "own", scope: "openid urn:service:iam:org:projects:roles" };
    const code = (await authorize(service.browser(), asked, credentialsOf("carl"))).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: "https://rp.test/cb" };
    const answer = await postToken(service, form, basic("own", SECRET));
    const { access_token } = (await answer.json()) as Tokens;
    return ((await (await userinfo(service, access_token)).json()) as Record<string, unknown>)[ROLES];
  };

  it("is readable by both organizations, and in the owner's lists", async () => {
    const expected = {
      grantId,
      details: { creationDate: expect.any(String), changeDate: expect.any(String), resourceOwner: "acme" },
      ...{ grantedOrgId: "evil", grantedOrgName: "Evil", grantedRoleKeys: ["clerk"] },
      ...{ state: "PROJECT_GRANT_STATE_ACTIVE", projectId: "p1", projectName: "till-project" },
      ...{ projectOwnerId: "acme", projectOwnerName: "ACME", projectState: "PROJECT_STATE_ACTIVE" },
      ...{ projectRoleAssertion: false, projectRoleCheck: false, hasProjectCheck: false },
      privateLabelingSetting: "PRIVATE_LABELING_SETTING_UNSPECIFIED",
    };
    expect((await acme("GET", `${GRANTS}/${grantId}`)).body).toEqual({ projectGrant: expected });
    for (const path of [`${GRANTS}/_search`, "/projectgrants/_search"]) {
      expect((await acme("POST", path)).body.result).toEqual([expected]);
    }
    expect((await evil("POST", "/granted_projects/_search", {})).body.result).toEqual([expected]);
    const path = `/granted_projects/p1/grants/${grantId}`;
    expect((await evil("GET", path)).body).toEqual({ grantedProject: expected });
  });

  it("is granted once to an organization, and not to its own, an unknown or an inactive one", async () => {
    expect(refusalOf(await acme("POST", GRANTS, grant))).toEqual({
      ...{ status: 409, code: 6, id: "project_grant.already_exists" },
    });
    expect(refusalOf(await acme("POST", GRANTS, { grantedOrgId: "acme" }))).toEqual({
      ...{ status: 400, code: 3, id: "project_grant.own_organization" },
    });
    const unknown = await acme("POST", GRANTS, { grantedOrgId: "nowhere" });
    expect(refusalOf(unknown)).toEqual({ status: 404, code: 5, id: "organization.not_found" });
    await service.ctx.db.prisma.organization.update({ where: { id: "shop" }, data: { state: "inactive" } });
    const inactive = await acme("POST", GRANTS, { grantedOrgId: "shop" });
    await service.ctx.db.prisma.organization.update({ where: { id: "shop" }, data: { state: "active" } });
    expect([inactive.status, inactive.body]).toEqual([unknown.status, unknown.body]);
    const wrong = await acme("POST", GRANTS, { grantedOrgId: "shop", roleKeys: ["clerk", "no-such-role"] });
    expect([wrong.status, wrong.body.details[0]]).toMatchObject([400, { field: "roleKeys[1]" }]);
    expect((await acme("POST", "/projects/nothing/grants", grant)).status).toBe(404);
  });

  it("creates one of two grants to one organization that are created at the same time", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => acme("POST", GRANTS, { grantedOrgId: "shop" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("has at most 1000 grants", async () => {
    const { prisma } = service.ctx.db;
    const at = new Date(service.ctx.clock());
    const ids = Array.from({ length: 999 }, (_, index) => `o-${index}`);
    await prisma.organization.createMany({ data: ids.map((id) => ({ id, name: id, state: "active", createdAt: at })) });
    const row = { projectId: "p1", roleKeys: [], state: "active", createdAt: at, changedAt: at };
    await prisma.projectGrant.createMany({ data: ids.map((id) => ({ ...row, id, grantedOrganizationId: id })) });
    expect(idOf(await acme("POST", GRANTS, { grantedOrgId: "shop" }))).toBe("project_grant.too_many");
    await prisma.organization.deleteMany({ where: { id: { in: ids } } });
    expect((await acme("POST", GRANTS, { grantedOrgId: "shop" })).status).toBe(200);
  });

  it("gives its roles, and no others, to users of the granted organization only", async () => {
    expect(idOf(await give("u-carl", ["acme-admin"]))).toBe("user_grant.unknown_role");
    expect(idOf(await give("u-bob", ["clerk"]))).toBe("user.not_found");
    expect(idOf(await give("u-nobody", ["clerk"]))).toBe("user.not_found");
    // Someone who may read the users of all organizations does not give them to foreign users either.
    expect(
      idOf(
        await call(
          "acme-iam",
          "POST",
          "/users/u-bob/grants",
          { projectId: "p1", projectGrantId: grantId, roleKeys: ["clerk"] },
          "evil",
        ),
      ),
    ).toBe("user.not_found");
    const added = await give("u-carl", ["clerk"]);
    expect(added.status).toBe(200);
    expect(idOf(await give("u-carl", ["clerk"]))).toBe("user_grant.already_exists");
    const path = `/users/u-carl/grants/${added.body.userGrantId}`;
    expect((await evil("GET", path)).body.userGrant).toMatchObject({ projectGrantId: grantId, roleKeys: ["clerk"] });
    expect(await rolesOfCarl()).toEqual({ clerk: { evil: "evil.test" } });
    expect(idOf(await evil("PUT", path, { roleKeys: ["clerk", "acme-admin"] }))).toBe("user_grant.unknown_role");
    expect((await evil("POST", `${path}/_deactivate`)).status).toBe(200);
    expect(await rolesOfCarl()).toBeUndefined();
    expect((await evil("DELETE", path)).status).toBe(200);
  });

  it("is used through its grant only: not without it, nor through that of another project or organization", async () => {
    const body = { projectId: "p1", roleKeys: ["clerk"] };
    expect(idOf(await evil("POST", "/users/u-carl/grants", body))).toBe("project.not_found");
    const other = (await acme("POST", GRANTS, { grantedOrgId: "shop", roleKeys: ["clerk"] })).body.grantId;
    for (const projectGrantId of [other, "nothing"]) {
      const answer = await evil("POST", "/users/u-carl/grants", { ...body, projectGrantId });
      expect(refusalOf(answer)).toEqual({ status: 404, code: 5, id: "project_grant.not_found" });
    }
    const path = "/users/u-carl/grants";
    expect(idOf(await evil("POST", path, { ...body, projectId: "pe", projectGrantId: grantId }))).toBe(
      "project_grant.not_found",
    );
    // The owner of a project of the granted organization manages that project alone.
    expect(idOf(await call("evil-pete", "POST", path, { ...body, projectGrantId: grantId }))).toBe("project.not_found");
    expect((await call("evil-uma", "POST", path, { ...body, projectGrantId: grantId })).status).toBe(200);
  });

  it("removes the roles that the grant loses from its users, at once and with events", async () => {
    await acme("PUT", `${GRANTS}/${grantId}`, { roleKeys: ["clerk", "acme-admin"] });
    const { userGrantId } = (await give("u-carl", ["clerk", "acme-admin"])).body;
    expect(Object.keys((await rolesOfCarl()) as object).sort()).toEqual(["acme-admin", "clerk"]);
    expect((await acme("PUT", `${GRANTS}/${grantId}`, { roleKeys: ["clerk"] })).status).toBe(200);
    expect(Object.keys((await rolesOfCarl()) as object)).toEqual(["clerk"]);
    const { body } = await evil("GET", `/users/u-carl/grants/${userGrantId}`);
    expect(body.userGrant.roleKeys).toEqual(["clerk"]);
    const [event] = (await eventsOf("project.grant.changed")).slice(-1);
    expect(event).toMatchObject({ aggregateId: "p1", resourceOwner: "acme" });
    expect((await eventsOf("user.roles.changed")).at(-1)).toMatchObject({ aggregateId: "u-carl" });
    expect(idOf(await acme("PUT", `${GRANTS}/${grantId}`, { roleKeys: ["nothing"] }))).toBe("user_grant.unknown_role");
  });

  it("loses a role that the project removes", async () => {
    await acme("POST", "/projects/p1/roles", { roleKey: "passing" });
    await acme("PUT", `${GRANTS}/${grantId}`, { roleKeys: ["clerk", "passing"] });
    await give("u-carl", ["passing"]);
    expect((await acme("DELETE", "/projects/p1/roles/passing")).status).toBe(200);
    await acme("POST", "/projects/p1/roles", { roleKey: "passing" });
    expect((await acme("GET", `${GRANTS}/${grantId}`)).body.projectGrant.grantedRoleKeys).toEqual(["clerk"]);
    expect(await rolesOfCarl()).toBeUndefined();
    await acme("DELETE", "/projects/p1/roles/passing");
  });

  it("has no effect while the grant is inactive, and is removed with it", async () => {
    await give("u-carl", ["clerk"]);
    expect((await acme("POST", `${GRANTS}/${grantId}/_deactivate`, {})).status).toBe(200);
    expect(idOf(await acme("POST", `${GRANTS}/${grantId}/_deactivate`, {}))).toBe("project_grant.already_inactive");
    expect(await rolesOfCarl()).toBeUndefined();
    expect((await acme("POST", `${GRANTS}/${grantId}/_reactivate`, {})).status).toBe(200);
    expect(await rolesOfCarl()).toEqual({ clerk: { evil: "evil.test" } });
    expect((await acme("DELETE", `${GRANTS}/${grantId}`)).status).toBe(200);
    expect(await rolesOfCarl()).toBeUndefined();
    expect((await evil("POST", "/users/grants/_search", {})).body.result ?? []).toEqual([]);
    expect((await eventsOf("user.roles.removed")).at(-1)).toMatchObject({ aggregateId: "u-carl" });
    expect((await evil("GET", `/granted_projects/p1/grants/${grantId}`)).status).toBe(404);
    expect((await acme("DELETE", `${GRANTS}/${grantId}`)).status).toBe(404);
  });

  it("admits users of the granted organization if the project checks it, only while the grant is active", async () => {
    const check = { name: "till-project", hasProjectCheck: true };
    expect((await acme("PUT", "/projects/p1", check)).status).toBe(200);
    const enter = (name: string) =>
      authorize(service.browser(), { client_id: "own", scope: "openid" }, credentialsOf(name));
    expect((await enter("carl")).get("code")).toBeTruthy();
    expect((await enter("tess")).get("error")).toBe("access_denied");
    await acme("POST", `${GRANTS}/${grantId}/_deactivate`, {});
    expect((await enter("carl")).get("error")).toBe("access_denied");
    await acme("POST", `${GRANTS}/${grantId}/_reactivate`, {});
    // A role that is required counts by the grant as well.
    await acme("PUT", "/projects/p1", { ...check, projectRoleCheck: true });
    expect((await enter("carl")).get("error")).toBe("access_denied");
    await give("u-carl", ["clerk"]);
    expect((await enter("carl")).get("code")).toBeTruthy();
    await acme("POST", `${GRANTS}/${grantId}/_deactivate`, {});
    expect((await enter("carl")).get("error")).toBe("access_denied");
    expect((await acme("PUT", "/projects/p1", { name: "till-project" })).status).toBe(200);
  });

  it("is changed by managers of its own organization only", async () => {
    await evil("POST", "/users/u-carl/grants", { projectId: "p1", projectGrantId: grantId, roleKeys: ["clerk"] });
    for (const organizationId of [undefined, "acme"]) {
      const hostile = (method: string, path: string, body?: unknown) =>
        call("evil-mallory", method, path, body, organizationId);
      const answers = [
        await hostile("POST", GRANTS, { grantedOrgId: "shop", roleKeys: ["clerk"] }),
        await hostile("GET", `${GRANTS}/${grantId}`),
        await hostile("POST", `${GRANTS}/_search`, {}),
        await hostile("PUT", `${GRANTS}/${grantId}`, { roleKeys: ["acme-admin"] }),
        await hostile("POST", `${GRANTS}/${grantId}/_deactivate`, {}),
        await hostile("DELETE", `${GRANTS}/${grantId}`),
      ];
      const status = organizationId === undefined ? 404 : 403;
      expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(status));
    }
    const other = (await acme("POST", GRANTS, { grantedOrgId: "shop" })).body.grantId;
    expect((await evil("GET", `/granted_projects/p1/grants/${other}`)).status).toBe(404);
    expect(await service.ctx.db.prisma.projectGrant.count({ where: { state: "active" } })).toBe(2);
  });

  it("is removed with the granted organization and with the project", async () => {
    const { prisma } = service.ctx.db;
    const iam = (method: string, path: string, body?: unknown) => call("acme-iam", method, path, body);
    const { id } = (await iam("POST", "/orgs", { name: "Passing" })).body;
    expect((await acme("POST", GRANTS, { grantedOrgId: id })).status).toBe(200);
    expect((await call("acme-iam", "DELETE", "/orgs/me", undefined, id)).status).toBe(200);
    expect(await prisma.projectGrant.count()).toBe(1);
    const { id: projectId } = (await acme("POST", "/projects", { name: "Passing" })).body;
    expect((await acme("POST", `/projects/${projectId}/grants`, { grantedOrgId: "evil" })).status).toBe(200);
    expect((await acme("DELETE", `/projects/${projectId}`)).status).toBe(200);
    expect(await prisma.projectGrant.count()).toBe(1);
  });
});
