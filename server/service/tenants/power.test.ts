import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiResult, refusalOf } from "../../testing/api";
import { differences, furnish, rowsOfOthers } from "../../testing/belongings";
import { ruleDatabases } from "../../testing/database";
import { pathOf } from "../../testing/factors";
import { fillSignIn } from "../../testing/flow";
import { byId } from "../../testing/page-samples";
import { type ApiCaller, callerOf, credentialsOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const M = "/management/v1";
const HIGHER = { status: 403, code: 7, id: "access.higher_role" };

describe.each(ruleDatabases)("operations on users above the caller, on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  let session = "";
  let grant = "";
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
    // Ada has everything that Bob has: the owner of the service differs only in her role.
    await furnish(service, "acme");
    const browser = service.browser();
    const first = await browser.get(
      "/oauth/v2/authorize?client_id=web&redirect_uri=https%3A%2F%2Frp.test%2Fcb&response_type=code&scope=openid%20offline_access",
    );
    await fillSignIn(browser, first, credentialsOf("ada"));
    const sessions = await iam(
      "POST",
      `${M}/sessions/_search`,
      { queries: [{ userIdQuery: { userId: "u-ada" } }] },
      "acme",
    );
    session = sessions.body.result[0].id;
    grant = (await service.ctx.db.prisma.grant.findFirstOrThrow({ where: { userId: "u-ada" } })).id;
    await iam("POST", `${M}/users/u-ada/metadata/rank`, { value: "MQ==" }, "acme");
  });
  afterAll(() => service.close());

  type Act = readonly [method: string, path: string, body?: unknown];
  const actsOn = (id: string): readonly Act[] => [
    ["DELETE", `${M}/users/${id}/sessions`],
    ["DELETE", `/v2/sessions/${session}`],
    ["DELETE", `${M}/users/${id}/tokens`],
    ["DELETE", `${M}/users/${id}/tokens/${grant}`],
    ["PUT", `${M}/users/${id}/profile`, { firstName: "Not", lastName: "Ada" }],
    ["POST", `${M}/users/${id}/metadata/rank`, { value: "Mg==" }],
    ["POST", `${M}/users/${id}/metadata/new`, { value: "Mg==" }],
    ["DELETE", `${M}/users/${id}/metadata/rank`],
    ["PUT", `${M}/users/${id}/username`, { userName: "not-ada" }],
    ["PUT", `${M}/users/${id}/email`, { email: "thief@evil.test", isEmailVerified: true }],
    ["POST", `${M}/users/${id}/email/_verify`, {}],
    ["PUT", `${M}/users/${id}/phone`, { phone: "+15550000000" }],
    ["DELETE", `${M}/users/${id}/phone`],
    ["POST", `${M}/users/${id}/password`, { password: "chosen by somebody else" }],
    ["POST", `${M}/users/${id}/_lock`, {}],
    ["POST", `/v2/users/${id}/lock`, {}],
    ["POST", `${M}/users/${id}/_deactivate`, {}],
    ["POST", `/v2/users/${id}/deactivate`, {}],
    ["POST", `/v2/users/${id}/invite_code`, { returnCode: {} }],
    ["DELETE", `${M}/users/${id}/recovery_codes`],
    ["DELETE", `${M}/users/${id}`],
    ["DELETE", `/v2/users/${id}`],
  ];

  it.each(["acme-people", "acme-bot", "acme-org-manager"])(
    "are refused to %s, all of them, and change nothing",
    async (name) => {
      const call = await callerOf(service, name);
      const before = await rowsOfOthers(service);
      const allowed: string[] = [];
      for (const [method, path, body] of actsOn("u-ada")) {
        const answer = await call(method, path, body);
        if (JSON.stringify(refusalIn(answer)) !== JSON.stringify(HIGHER)) {
          allowed.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        }
      }
      expect(allowed).toEqual([]);
      expect(differences(before, await rowsOfOthers(service))).toEqual([]);
    },
  );

  it.each<[string, string, string]>([
    ["acme-bot", "POST", "_deactivate"],
    ["acme-bot", "DELETE", ""],
    ["acme-settings", "POST", "_deactivate"],
    ["acme-org-manager", "DELETE", ""],
  ])("are refused to %s where they reach everybody at once: %s %s of the organization", async (name, method, verb) => {
    const call = await callerOf(service, name);
    const before = await rowsOfOthers(service);
    const answer = await call(method, `${M}/orgs/me${verb && `/${verb}`}`, method === "POST" ? {} : undefined);
    expect(answer.status).toBe(403);
    expect(differences(before, await rowsOfOthers(service))).toEqual([]);
  });

  it("are refused for users who gained power just now, and not for those who lost it", async () => {
    const call = await callerOf(service, "shop-sam");
    const tess = `${M}/users/u-tess`;
    expect((await call("PUT", `${tess}/profile`, { firstName: "Tess", lastName: "One" })).status).toBe(200);
    await iam("POST", "/admin/v1/members", { userId: "u-tess", roles: ["IAM_OWNER"] });
    expect(refusalIn(await call("PUT", `${tess}/profile`, { firstName: "Tess", lastName: "Two" }))).toEqual(HIGHER);
    expect((await call("POST", `${M}/orgs/me/_deactivate`, {})).status).toBe(403);
    await iam("DELETE", "/admin/v1/members/u-tess");
    expect((await call("DELETE", `${tess}/sessions`)).status).toBe(200);
    expect((await call("POST", `${M}/orgs/me/_deactivate`, {})).status).toBe(200);
    await iam("POST", `${M}/orgs/me/_reactivate`, {}, "shop");
  });

  it("are performed on users with equal or less power", async () => {
    const call = await callerOf(service, "acme-people");
    for (const [method, path, body] of [
      ["PUT", `${M}/users/u-eve/profile`, { firstName: "Eve", lastName: "Two" }],
      ["POST", `${M}/users/u-eve/metadata/rank`, { value: "Mg==" }],
      ["DELETE", `${M}/users/u-eve/sessions`],
      ["DELETE", `${M}/users/u-eve/tokens`],
    ] as const) {
      expect([path, (await call(method, path, body)).status]).toEqual([path, 200]);
    }
  });

  it("do not lock all users out of the console by the default organization's policy", async () => {
    const shutting = [
      { allowUsernamePassword: false },
      { allowUsernamePassword: false, passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED" },
    ];
    for (const name of ["acme-settings", "acme-bot"]) {
      const call = await callerOf(service, name);
      for (const settings of shutting) {
        await call("POST", `${M}/policies/login`, settings);
        await call("PUT", `${M}/policies/login`, settings);
        const browser = service.browser();
        const asked = await browser.get("/console/sign-in?ask=true");
        const login = await browser.get(pathOf(asked));
        const page = await (await browser.get(pathOf(login))).text();
        expect([name, settings, byId(page, "password") !== undefined || byId(page, "loginName") !== undefined]).toEqual(
          [name, settings, true],
        );
        const signed = await fillSignIn(browser, login, credentialsOf("mallory"));
        expect(signed.headers.get("location")).toContain("/console/callback?code=");
      }
    }
  });
});

/** A refusal that says nothing we know is compared as what it is. */
function refusalIn(answer: ApiResult): object {
  return answer.body?.details?.[0]?.id === undefined ? { status: answer.status } : refusalOf(answer);
}
