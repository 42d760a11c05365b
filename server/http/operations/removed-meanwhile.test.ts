import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { authorize, basic, postToken, REDIRECT_URI, type Tokens } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const theirs = {
  ...acme?.projects[0]?.apps.find(({ id }) => id === "a-web")?.oidc,
  ...{ clientId: "theirs", clientSecret: SECRET },
};
const bootstrap = {
  organizations: [
    acme,
    {
      ...{ id: "elsewhere", name: "Elsewhere" },
      projects: [{ id: "p2", name: "Theirs", apps: [{ id: "a-theirs", name: "Theirs", oidc: theirs }] }],
    },
  ],
};

describe.each(databaseKinds)("what is removed while others work with it, on %s", (kind) => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    token = await apiToken(service);
  }, 60_000);
  afterAll(() => service.close());
  const call = (method: string, path: string, body?: unknown, organizationId = "acme") =>
    callApi(service, method, `/management/v1${path}`, {
      ...{ token, body, headers: { "x-service-orgid": organizationId } },
    });

  it("leaves no role on an organization that goes", async () => {
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

  it("ends what apps of a removed organization were given, also where their client id is given again", async () => {
    const code = (await authorize(service.browser(), { client_id: "theirs" })).get("code") ?? "";
    const as = basic("theirs", SECRET);
    const redeemed = await postToken(
      service,
      { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
      as,
    );
    const { refresh_token } = (await redeemed.json()) as Tokens;
    expect((await call("DELETE", "/orgs/me", undefined, "elsewhere")).status).toBe(200);
    expect((await call("POST", "/projects/p1/apps/oidc", { name: "Again", ...theirs })).status).toBe(200);
    const refreshed = await postToken(service, { grant_type: "refresh_token", refresh_token }, as);
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });
});
