import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { apiToken, callApi } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { authorize, basic, postToken, REDIRECT_URI, type Tokens } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const theirs = {
  ...acme?.projects[0]?.apps.find(({ id }) => id === "a-web")?.oidc,
  clientId: "theirs",
  clientSecret: SECRET,
};
const bootstrap = {
  organizations: [
    acme,
    {
      id: "elsewhere",
      name: "Elsewhere",
      projects: [{ id: "p2", name: "Theirs", apps: [{ id: "a-theirs", name: "Theirs", oidc: theirs }] }],
    },
  ],
};

describe.each(databaseKinds)("concurrent removals, on %s", (kind) => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const call = (method: string, path: string, body?: unknown, organizationId = "acme") =>
    callApi(service, method, `/management/v1${path}`, {
      token,
      body,
      headers: { "x-service-orgid": organizationId },
    });

  it("leave no role on a removed organization", async () => {
    const { id } = (await call("POST", "/orgs", { name: "Short-lived" })).body;
    const role = { userId: "u-bob", roles: ["ORG_OWNER"] };
    const answers = await Promise.all([
      call("DELETE", "/orgs/me", undefined, id),
      call("POST", "/orgs/me/members", role, id),
    ]);
    expect(answers[0]?.status).toBe(200);
    expect(answers[1]?.status).toBeLessThan(500);
    expect(await service.ctx.db.prisma.membership.count({ where: { levelId: id } })).toBe(0);
  });

  it("respond with “not found” to changes of a user that is removed at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const userId = `robot-${round}`;
      await call("POST", "/users/machine", { userId, userName: userId, name: "Robot" });
      const [removed, ...others] = await Promise.all([
        call("DELETE", `/users/${userId}`),
        call("DELETE", `/users/${userId}`),
        call("POST", `/users/${userId}/grants`, { projectId: "p1" }),
        call("POST", "/orgs/me/members", { userId, roles: ["ORG_OWNER_VIEWER"] }),
        call("PUT", `/users/${userId}/secret`),
        call("POST", `/users/${userId}/pats`),
      ]);
      expect([removed, ...others].filter(({ status }) => status >= 500)).toEqual([]);
      expect((await call("GET", `/users/${userId}`)).status).toBe(404);
    }
  });

  it("respond to the second of two equal requests that the object exists, or is gone, already", async () => {
    const twice = async (method: string, path: string, body?: unknown) => {
      const answers = await Promise.all([1, 2, 3].map(() => call(method, path, body)));
      return answers.map(({ status }) => status).sort();
    };
    const role = { userId: "u-bob", roles: ["ORG_OWNER_VIEWER"] };
    expect(await twice("POST", "/orgs/me/members", role)).toEqual([200, 409, 409]);
    expect(await twice("DELETE", "/orgs/me/members/u-bob")).toEqual([200, 404, 404]);
    expect(await twice("POST", "/orgs/me/domains", { domain: "twice.test" })).toEqual([200, 409, 409]);
    expect(await twice("DELETE", "/orgs/me/domains/twice.test")).toEqual([200, 404, 404]);
    await call("POST", "/users/u-bob/metadata/key", { value: "YQ==" });
    expect(await twice("DELETE", "/users/u-bob/metadata/key")).toEqual([200, 404, 404]);
  });

  it("end the grants of apps of a removed organization, even if their client id is assigned again", async () => {
    const code = (await authorize(service.browser(), { client_id: "theirs" })).get("code") ?? "";
    const as = basic("theirs", SECRET);
    const redeemed = await postToken(
      service,
      { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
      as,
    );
    const { refresh_token } = (await redeemed.json()) as Tokens;
    expect((await call("DELETE", "/orgs/me", undefined, "elsewhere")).status).toBe(200);
    expect((await call("POST", "/projects/p1/apps/oidc", { name: "Again", ...theirs })).status).toBe(409);
    await applyBootstrap(service.ctx, bootstrap);
    const refreshed = await postToken(service, { grant_type: "refresh_token", refresh_token }, as);
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });
});
