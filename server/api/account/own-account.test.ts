import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { prepareFactors } from "../../testing/scenarios/users";
import { type TestService, testService } from "../../testing/test-context";

const ME = "/users/me";

describe.each(ruleDatabases)("the own account over the API on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    tokens.owner = await apiToken(service);
    for (const name of ["colleague", "nobody", "bob"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
    await prepareFactors(service);
    const robot = { userId: "m-robot", userName: "robot", name: "Robot" };
    await manage("POST", "/users/machine", robot);
    tokens.robot = (await manage("POST", "/users/m-robot/pats", {})).body.token;
  });
  afterAll(() => service.close());

  const manage = (method: string, path: string, body?: unknown, organizationId = "acme") =>
    callApi(service, method, `/management/v1${path}`, {
      token: tokens.owner,
      body,
      headers: { "x-service-orgid": organizationId },
    });
  const call = (as: string, method: string, path: string, body?: unknown) =>
    callApi(service, method, `/auth/v1${path}`, { token: tokens[as], body });
  const done = async (...request: Parameters<typeof call>) => {
    const answer = await call(...request);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };

  it("is shown to a user's own token, without any role", async () => {
    const me = await done("nobody", "GET", ME);
    expect(me).toMatchObject({
      user: { id: "u-nobody", preferredLoginName: "nobody@acme.test", human: { profile: { firstName: "nobody" } } },
      lastLogin: expect.stringMatching(/Z$/),
    });
    const { profile } = await done("nobody", "GET", `${ME}/profile`);
    expect(profile).toEqual(me.user.human.profile);
    expect((await done("nobody", "GET", `${ME}/email`)).email).toMatchObject({
      email: "nobody@acme.test",
      isEmailVerified: true,
    });
    expect((await done("nobody", "GET", `${ME}/phone`)).phone).toMatchObject({ isPhoneVerified: false });
    expect((await done("robot", "GET", ME)).user.machine).toMatchObject({ name: "Robot" });
    expect(refusalOf(await call("robot", "GET", `${ME}/email`)).id).toBe("user.not_human");
    const { headers, body, status } = await callApi(service, "GET", "/auth/v1/nothing");
    expect([status, body.code, headers.get("content-type")]).toEqual([404, 5, "application/json"]);
  });

  it("lists the caller's own roles and permissions only", async () => {
    const permissions = async (as: string) =>
      (await done(as, "POST", "/permissions/zitadel/me/_search")).result as string[];
    expect(await permissions("nobody")).toEqual([]);
    expect(await permissions("colleague")).toEqual(expect.arrayContaining(["org.write", "user.delete"]));
    expect(await permissions("colleague")).not.toContain("iam.write");
    const memberships = async (as: string) => (await done(as, "POST", "/memberships/me/_search", {})).result;
    expect(await memberships("colleague")).toMatchObject([
      { userId: "u-colleague", orgId: "acme", displayName: expect.any(String), roles: ["ORG_OWNER"] },
    ]);
    expect((await memberships("owner"))[0]).toMatchObject({ iam: true, roles: ["IAM_OWNER"] });

    await manage("POST", "/projects/p1/roles", { roleKey: "driver", displayName: "Driver" });
    const given = await manage("POST", "/users/u-nobody/grants", { projectId: "p1", roleKeys: ["driver"] });
    const grants = async (as: string) => (await done(as, "POST", "/usergrants/me/_search", {})).result;
    expect(await grants("nobody")).toMatchObject([
      { grantId: given.body.userGrantId, orgId: "acme", orgDomain: "acme.test", projectId: "p1", roleKeys: ["driver"] },
    ]);
    expect((await grants("colleague")).filter(({ userId }: { userId: string }) => userId !== "u-colleague")).toEqual(
      [],
    );
    expect(await done("nobody", "POST", "/permissions/me/_search", {})).toEqual({ result: ["driver"] });
    const organizations = async (as: string) =>
      (await done(as, "POST", "/global/projectorgs/_search", {})).result.map(({ id }: { id: string }) => id);
    expect(await organizations("nobody")).toEqual(["acme"]);
    expect(await organizations("colleague")).toEqual([]);
    expect(await organizations("robot")).toEqual([]);
    await manage("POST", "/orgs/me/members", { userId: "m-robot", roles: ["ORG_OWNER_VIEWER"] });
    expect(await organizations("robot")).toEqual(["acme"]);
    await manage("PUT", `/users/u-nobody/grants/${given.body.userGrantId}`, { roleKeys: [] });
    await manage("POST", `/users/u-nobody/grants/${given.body.userGrantId}/_deactivate`, {});
    expect(await grants("nobody")).toEqual([]);
    expect(await organizations("nobody")).toEqual([]);
  });

  it("lists the caller's sessions and apps with tokens, and ends them", async () => {
    const { result } = await done("nobody", "POST", `${ME}/sessions/_search`, {});
    expect(result).toMatchObject([{ userId: "u-nobody", authState: "SESSION_STATE_ACTIVE", sessionId: result[0].id }]);
    const kept = await apiToken(service, "nobody@acme.test");
    const apps = await done("nobody", "POST", `${ME}/tokens/refresh/_search`);
    const theirs = await done("colleague", "POST", `${ME}/tokens/refresh/_search`);
    const foreign = await call("nobody", "DELETE", `${ME}/tokens/refresh/${theirs.result[0].id}`);
    expect(refusalOf(foreign)).toMatchObject({ status: 404, id: "grant.not_found" });
    expect((await done("colleague", "GET", ME)).user.id).toBe("u-colleague");
    const oldest = apps.result.at(-1).id;
    await done("nobody", "DELETE", `${ME}/tokens/refresh/${oldest}`);
    const [gone, alive] = [
      await call("nobody", "GET", ME),
      await callApi(service, "GET", `/auth/v1${ME}`, { token: kept }),
    ];
    expect([gone.status, alive.status].sort()).toEqual([200, 401]);
    tokens.nobody = await apiToken(service, "nobody@acme.test");
    const recorded = await service.ctx.db.prisma.event.findMany({ where: { type: "user.grant.revoked" } });
    expect(JSON.stringify(recorded.map(({ payload }) => payload))).toContain("revoked by the user");
  });

  it("lists the events of the account, and their actor only if it was the owner", async () => {
    await manage("POST", "/users/u-nobody/password", {
      password: "one that somebody else chose",
      noChangeRequired: true,
    });
    expect((await call("nobody", "GET", ME)).status).toBe(401);
    await manage("POST", "/users/u-nobody/password", { password: PASSWORD, noChangeRequired: true });
    tokens.nobody = await apiToken(service, "nobody@acme.test");
    const changes = async (query?: object) => (await done("nobody", "POST", `${ME}/changes/_search`, { query })).result;
    const [signedIn, passwordSet] = (await changes({ limit: 2 })).map(({ eventType, editorId }: never) => [
      eventType,
      editorId,
    ]);
    expect(signedIn).toEqual([{ key: "user.signed_in" }, "u-nobody"]);
    expect(passwordSet).toEqual([{ key: "user.password.changed" }, undefined]);
    const all = await changes();
    expect(await changes({ sequence: all[1].sequence })).toEqual(all.slice(2));
    expect((await call("nobody", "POST", `${ME}/changes/_search`, { query: { sequence: -1 } })).status).toBe(400);
  });

  it("lists the policies that apply to the caller", async () => {
    for (const path of ["login", "passwords/complexity", "privacy", "label"]) {
      expect((await done("nobody", "GET", `/policies/${path}`)).policy).toHaveProperty("isDefault");
    }
    expect((await done("nobody", "GET", "/languages")).languages).toContain("de");
  });
});
