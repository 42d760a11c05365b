import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const person = (id: string, roles: string[]) => ({
  id: `u-${id}`,
  userName: id,
  password: PASSWORD,
  roles,
  profile: { firstName: id, lastName: "Example" },
});
const [acme] = exampleBootstrap.organizations;
const bootstrap = {
  organizations: [
    { ...acme, users: [...(acme?.users ?? []), person("boss", ["ORG_OWNER"])] },
    {
      id: "elsewhere",
      name: "Elsewhere",
      domains: [{ domain: "elsewhere.test", verified: true, primary: true }],
      users: [person("eve", ["ORG_OWNER"]), person("settings", ["ORG_SETTINGS_MANAGER"])],
    },
  ],
};

describe.each(ruleDatabases)("the mail server that receives an organization's codes, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const set = async (loginName: string) =>
    callApi(service, "PUT", "/management/v1/mail_settings", {
      token: await apiToken(service, loginName),
      body: { smtpUrl: "smtps://mail.elsewhere.test", sender: "mail@elsewhere.test" },
    });

  const addSms = async (loginName: string) =>
    callApi(service, "POST", "/management/v1/sms/http", {
      token: await apiToken(service, loginName),
      body: { endpoint: "https://hook.elsewhere.test" },
    });
  const activateSms = async (loginName: string, id: string) =>
    callApi(service, "POST", `/management/v1/sms/${id}/_activate`, { token: await apiToken(service, loginName) });
  let hook = "";

  it("is set by a caller with at least the permissions of its users", async () => {
    expect((await set("ada@acme.test")).status).toBe(200);
    expect((await set("eve@elsewhere.test")).status).toBe(200);
    const added = await addSms("eve@elsewhere.test");
    hook = added.body.id;
    expect([added.status, (await activateSms("eve@elsewhere.test", hook)).status]).toEqual([200, 200]);
  });

  it.each([
    ["owns the organization alone where somebody of it owns the instance", "boss@acme.test"],
    ["may change the settings and no user", "settings@elsewhere.test"],
  ])("is not set by a caller who %s", async (_, loginName) => {
    for (const refused of [await set(loginName), await addSms(loginName)]) {
      expect(refusalOf(refused)).toMatchObject({ status: 403, id: "access.higher_role" });
    }
  });

  it("is not set by an owner of the organization once one of its users manages the instance", async () => {
    const token = await apiToken(service);
    const body = { userId: "u-settings", roles: ["IAM_USER_MANAGER"] };
    expect((await callApi(service, "POST", "/admin/v1/members", { token, body })).status).toBe(200);
    const eve = "eve@elsewhere.test";
    for (const refused of [await set(eve), await addSms(eve), await activateSms(eve, hook)]) {
      expect(refusalOf(refused)).toMatchObject({ id: "access.higher_role" });
    }
  });
});
