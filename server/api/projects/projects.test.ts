import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listGrantedRoles } from "../../storage/user-grant/user-grant";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const person = (id: string, roles: string[]) => ({
  id: `u-${id}`,
  userName: id,
  password: PASSWORD,
  roles,
  profile: { firstName: id, lastName: "Example" },
});
const bootstrap = {
  organizations: [
    {
      ...acme,
      users: [...(acme?.users ?? []), person("creator", ["ORG_PROJECT_CREATOR"]), person("boss", ["ORG_OWNER"])],
    },
    {
      id: "elsewhere",
      name: "Elsewhere",
      projects: [{ id: "p2", name: "Theirs", roles: [{ roleKey: "x" }] }],
      domains: [{ domain: "elsewhere.test", verified: true, primary: true }],
      users: [person("eve", ["ORG_OWNER"])],
    },
  ],
};

describe.each(databaseKinds)("projects and grants over the management API on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const [name, loginName] of [
      ["ada", "ada@acme.test"],
      ["creator", "creator@acme.test"],
      ["boss", "boss@acme.test"],
      ["eve", "eve@elsewhere.test"],
    ] as const) {
      tokens[name] = await apiToken(service, loginName);
    }
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as = "ada", headers = {}) =>
    callApi(service, method, `/management/v1${path}`, { token: tokens[as], body, headers });
  const addProject = async (name: string, as?: string): Promise<string> =>
    (await call("POST", "/projects", { name }, as)).body.id;
  const rolesOf = async (userId: string, projectId: string) =>
    (await listGrantedRoles(service.ctx.db, userId, [projectId])).flatMap(({ roleKeys }) => roleKeys);

  it("makes the creator of a project its owner, and of no other", async () => {
    const own = await addProject("Own", "creator");
    expect((await call("PUT", `/projects/${own}`, { name: "Mine" }, "creator")).status).toBe(200);
    expect((await call("POST", `/projects/${own}/apps/api`, { name: "A" }, "creator")).status).toBe(200);
    expect((await call("PUT", "/projects/p1", { name: "Mine, too" }, "creator")).status).toBe(403);
    expect((await call("DELETE", `/projects/${own}`, undefined, "creator")).status).toBe(200);
    expect(await service.ctx.db.prisma.membership.count({ where: { level: "project" } })).toBe(0);
  });

  it.each([{ name: "service" }, { name: "Anything", id: "service" }, { name: "Anything", id: "console" }])(
    "keeps the names of the service's own parts: %j",
    async (body) => {
      expect(refusalOf(await call("POST", "/projects", body))).toEqual({
        status: 400,
        code: 3,
        id: "project.reserved_name",
      });
    },
  );

  it("gives each user one grant of a project, with roles of the project", async () => {
    const projectId = await addProject("Grants");
    await call("POST", `/projects/${projectId}/roles`, { roleKey: "reader" });
    const add = (roleKeys: string[], userId = "u-bob", as = "ada") =>
      call("POST", `/users/${userId}/grants`, { projectId, roleKeys }, as);
    const wrong = await add(["reader", "writer"]);
    expect(refusalOf(wrong).id).toBe("user_grant.unknown_role");
    expect(wrong.body.details[0].field).toBe("roleKeys[1]");
    const all = await Promise.all(Array.from({ length: 5 }, () => add(["reader"])));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    // Callers who may not read a user cannot find out whether it exists.
    expect(refusalOf(await add(["reader"], "u-eve", "boss"))).toEqual(
      refusalOf(await add(["reader"], "nobody", "boss")),
    );
    expect((await add(["reader"], "u-eve")).status).toBe(200);
  });

  it("takes a removed role from all users, so that a later role with the same key grants nothing", async () => {
    const projectId = await addProject("Roles");
    const roles = { roles: [{ roleKey: "a/b c" }, { roleKey: "kept" }] };
    expect((await call("POST", `/projects/${projectId}/roles/_bulk`, roles)).status).toBe(200);
    const grant = { projectId, roleKeys: ["a/b c", "kept", "kept"] };
    expect((await call("POST", "/users/u-bob/grants", grant)).status).toBe(200);
    expect(await rolesOf("u-bob", projectId)).toEqual(["a/b c", "kept"]);
    const key = encodeURIComponent("a/b c");
    expect((await call("DELETE", `/projects/${projectId}/roles/${key}`)).status).toBe(200);
    expect((await call("POST", `/projects/${projectId}/roles`, { roleKey: "a/b c" })).status).toBe(200);
    expect(await rolesOf("u-bob", projectId)).toEqual(["kept"]);
    expect(refusalOf(await call("POST", `/projects/${projectId}/roles`, { roleKey: "kept" }))).toEqual({
      status: 409,
      code: 6,
      id: "project_role.already_exists",
    });
    const half = { roles: [{ roleKey: "new" }, { roleKey: "kept" }] };
    expect((await call("POST", `/projects/${projectId}/roles/_bulk`, half)).status).toBe(409);
    const { body } = await call("POST", `/projects/${projectId}/roles/_search`);
    expect(body.result.map(({ key }: { key: string }) => key)).toEqual(["a/b c", "kept"]);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("refuses an invalid name and a used id", async () => {
    for (const body of [{}, { name: "" }, { name: "a\u202eb" }, { name: "x".repeat(201) }]) {
      expect(refusalOf(await call("POST", "/projects", body)).id).toBe("request.invalid");
    }
    expect(refusalOf(await call("POST", "/projects", { name: "Again", id: "p1" }))).toEqual({
      status: 409,
      code: 6,
      id: "project.id_taken",
    });
  });

  it("finds no project of another organization for any caller", async () => {
    const there = { "x-service-orgid": "elsewhere" };
    for (const path of ["/projects/p2", "/projects/nothing"]) {
      expect(refusalOf(await call("GET", path))).toEqual({ status: 404, code: 5, id: "project.not_found" });
    }
    expect((await call("GET", "/projects/p2", undefined, "ada", there)).status).toBe(200);
    const [foreign, unknown] = [
      await call("GET", "/projects/p2", undefined, "boss", there),
      await call("GET", "/projects/p2", undefined, "boss", { "x-service-orgid": "nowhere" }),
    ];
    expect([foreign.status, foreign.body]).toEqual([403, unknown.body]);
    expect((await call("POST", "/projects/p2/roles", { roleKey: "y" }, "boss")).status).toBe(404);
  });

  it("stops the apps of a deactivated project at once", async () => {
    const isKnown = async () =>
      (
        await service.fetch(
          "/oauth/v2/authorize?client_id=web&response_type=code&redirect_uri=https://rp.test/cb&scope=openid",
        )
      ).status < 400;
    expect(await isKnown()).toBe(true);
    expect((await call("POST", "/projects/p1/_deactivate")).status).toBe(200);
    expect(await isKnown()).toBe(false);
    // The tokens of its apps stopped with it, this one's among them: another project's app has to undo it.
    await service.ctx.db.prisma.project.update({ where: { id: "p1" }, data: { state: "active" } });
    service.advance(6_000);
    expect(await isKnown()).toBe(true);
  });

  it("lets the manager of a project grant and see the roles of that project alone", async () => {
    const [own, foreign] = [await addProject("Managed", "creator"), await addProject("Not managed")];
    for (const id of [own, foreign]) await call("POST", `/projects/${id}/roles`, { roleKey: "reader" });
    const grant = async (projectId: string, as?: string) =>
      call("POST", "/users/u-boss/grants", { projectId, roleKeys: ["reader"] }, as);
    const mine = (await grant(own, "creator")).body.userGrantId;
    const other = (await grant(foreign)).body.userGrantId;
    for (const projectId of [foreign, "p2", "nothing"]) {
      expect(refusalOf(await grant(projectId, "creator")).id, projectId).toBe("project.not_found");
    }
    for (const body of [{}, { queries: [{ userIdQuery: { userId: "u-boss" } }] }]) {
      const { result } = (await call("POST", "/users/grants/_search", body, "creator")).body;
      expect(result.map(({ id }: { id: string }) => id)).toEqual([mine]);
    }
    const elsewhere = { queries: [{ projectIdQuery: { projectId: foreign } }] };
    expect((await call("POST", "/users/grants/_search", elsewhere, "creator")).body.result).toEqual([]);
    const at = (id: string) => `/users/u-boss/grants/${id}`;
    for (const [method, path, body] of [
      ["GET", at(other)],
      ["PUT", at(other), { roleKeys: [] }],
      ["POST", `${at(other)}/_deactivate`],
      ["DELETE", at(other)],
      ["DELETE", "/user_grants/_bulk", { grantId: [mine, other] }],
    ] as const) {
      expect(refusalOf(await call(method, path, body, "creator")).id, `${method} ${path}`).toBe("user_grant.not_found");
    }
    expect((await call("GET", at(mine), undefined, "creator")).body.userGrant.projectName).toBe("Managed");
    expect((await call("PUT", at(mine), { roleKeys: [] }, "creator")).status).toBe(200);
    expect((await call("DELETE", "/user_grants/_bulk", { grantId: [mine] }, "creator")).status).toBe(200);
    expect((await call("GET", at(other))).body.userGrant.roleKeys).toEqual(["reader"]);
    expect((await call("DELETE", `/projects/${own}`, undefined, "creator")).status).toBe(200);
    expect((await call("POST", "/users/grants/_search", {}, "creator")).status).toBe(403);
  });

  it("gives no roles through a deactivated grant, and finds none of another organization", async () => {
    const projectId = await addProject("States");
    await call("POST", `/projects/${projectId}/roles`, { roleKey: "reader" });
    const { body } = await call("POST", "/users/u-bob/grants", { projectId, roleKeys: ["reader"] });
    const at = `/users/u-bob/grants/${body.userGrantId}`;
    expect((await call("POST", `${at}/_deactivate`)).status).toBe(200);
    expect(await rolesOf("u-bob", projectId)).toEqual([]);
    expect(refusalOf(await call("POST", `${at}/_deactivate`)).id).toBe("user_grant.already_inactive");
    expect((await call("POST", `${at}/_reactivate`)).status).toBe(200);
    expect(await rolesOf("u-bob", projectId)).toEqual(["reader"]);
    for (const path of [at, "/users/u-bob/grants/nothing"]) {
      expect(refusalOf(await call("DELETE", path, undefined, "eve"))).toEqual({
        status: 404,
        code: 5,
        id: "user_grant.not_found",
      });
    }
    const both = { grantId: [body.userGrantId, "nothing"] };
    expect((await call("DELETE", "/user_grants/_bulk", both)).status).toBe(404);
    expect((await call("GET", at)).body.userGrant).toMatchObject({ roleKeys: ["reader"], projectName: "States" });
  });
});
