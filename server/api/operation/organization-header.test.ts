import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const bootstrap = {
  ...exampleBootstrap,
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "globex",
      name: "Globex",
      domains: [{ domain: "globex.test", verified: true, primary: true }],
      users: [
        {
          id: "u-eve",
          userName: "eve",
          password: PASSWORD,
          roles: ["ORG_OWNER"],
          profile: { firstName: "Eve", lastName: "Example" },
        },
      ],
    },
  ],
};
const ROLES = "/management/v1/projects/_search";
const TEXT = "/management/v1/text/message/init/en";
const PROCEDURE = "/service.management.v1.ManagementService/SetCustomInitMessageText";

describe("the organization in a request, for operations, texts and procedures (rule API-5)", () => {
  let service: TestService;
  let ada: string;
  let eve: string;
  beforeAll(async () => {
    service = await testService("sqlite", bootstrap);
    ada = await apiToken(service); // owner of the instance, at home in acme
    eve = await apiToken(service, "eve@globex.test");
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, headers: Record<string, string>, token = ada, body: unknown = {}) =>
    callApi(service, method, path, { token, body: method === "GET" ? undefined : body, headers });
  const setText = (headers: Record<string, string>, token?: string) => call("PUT", TEXT, headers, token);
  const send = (headers: Record<string, string>, token?: string) =>
    call("POST", PROCEDURE, headers, token, { language: "en" });

  it.each(["x-service-orgid", "x-zitadel-orgid"])(
    "is read from %s by operations, texts and procedures",
    async (name) => {
      expect((await setText({ [name]: "globex" })).body.details.resourceOwner).toBe("globex");
      expect((await send({ [name]: "globex" })).body.details.resourceOwner).toBe("globex");
      const projects = (await call("POST", ROLES, { [name]: "globex" })).body.result ?? [];
      expect(projects).toEqual([]);
      expect((await call("POST", ROLES, {})).body.result).not.toEqual([]);
    },
  );

  it.each(["x-service-orgid", "x-zitadel-orgid"])("is the caller's own where %s is empty", async (name) => {
    expect((await setText({ [name]: "" })).body.details.resourceOwner).toBe("acme");
    expect((await setText({ [name]: " " })).body.details.resourceOwner).toBe("acme");
    expect((await send({ [name]: "" })).body.details.resourceOwner).toBe("acme");
    expect((await call("POST", ROLES, { [name]: "" })).body.result).not.toEqual([]);
    expect((await setText({ [name]: "globex", [other(name)]: "" })).body.details.resourceOwner).toBe("globex");
  });

  it.each(["x-service-orgid", "x-zitadel-orgid"])("is refused alike when foreign or unknown in %s", async (name) => {
    for (const send of [
      (id: string) => setText({ [name]: id }, eve),
      (id: string) => call("POST", ROLES, { [name]: id }, eve),
      (id: string) => call("GET", `${TEXT}/_explain`, { [name]: id }, eve),
    ]) {
      const [foreign, unknown] = [await send("acme"), await send("nowhere")];
      expect([foreign.status, foreign.body]).toEqual([403, unknown.body]);
    }
  });

  it("may be named by both headers, but not differently: 400, and nothing changes", async () => {
    const both = { "x-service-orgid": "acme", "x-zitadel-orgid": "acme" };
    expect((await setText(both)).body.details.resourceOwner).toBe("acme");
    const differing = { "x-service-orgid": "acme", "x-zitadel-orgid": "globex" };
    const before = await service.ctx.db.prisma.event.count();
    for (const [method, path] of [
      ["POST", "/management/v1/projects"],
      ["PUT", TEXT],
      ["DELETE", TEXT],
      ["GET", `${TEXT}/_explain`],
      ["POST", `${TEXT}/_preview`],
      ["GET", "/management/v1/text/messages"],
      ["GET", "/management/v1/text/variables/init"],
    ] as const) {
      const refusal = refusalOf(await call(method, path, differing, ada, { name: "New" }));
      expect([path, refusal]).toEqual([path, { status: 400, code: 3, id: "request.two_organizations" }]);
    }
    expect((await send(differing)).status).toBe(400);
    expect(await service.ctx.db.prisma.event.count()).toBe(before);
  });

  it("is read only once the caller is known", async () => {
    const differing = { "x-service-orgid": "acme", "x-zitadel-orgid": "globex" };
    expect((await callApi(service, "POST", ROLES, { body: {}, headers: differing })).status).toBe(401);
  });
});

const other = (name: string) => (name === "x-service-orgid" ? "x-zitadel-orgid" : "x-service-orgid");
