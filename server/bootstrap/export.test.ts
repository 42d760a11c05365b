import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureInstance } from "../directory/instance";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap, PASSWORD, SECRET } from "../testing/example";
import { realHashes } from "../testing/hashes";
import { type TestService, testService } from "../testing/test-context";
import { applyBootstrap } from "./apply";
import { exportBootstrap } from "./export";

realHashes();

const [acme] = exampleBootstrap.organizations;
const [project] = acme?.projects ?? [];
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keys = [
  {
    keyId: "k-1",
    publicKey: publicKey.export({ type: "spki", format: "pem" }),
    expirationDate: "2040-01-01T00:00:00.000Z",
  },
];

/** Uses every feature of the format. */
const file = {
  instance: {
    defaultLanguage: "de",
    features: { oidcTokenExchange: true },
    security: { enableImpersonation: true, oauthMetadata: true, requirePushedAuthorizationRequests: false },
    messageTexts: [{ type: "init", language: "en", subject: "Welcome, {{.DisplayName}}" }],
  },
  organizations: [
    {
      ...acme,
      defaultLanguage: "fr",
      metadata: { plan: "Gold ★" },
      machines: [
        { id: "m-1", userName: "robot", secret: SECRET, keys, roles: ["ORG_USER_MANAGER"], metadata: { team: "Ünit" } },
      ],
      projects: [
        {
          ...project,
          projectRoleCheck: true,
          roles: [{ roleKey: "reader", displayName: "Reader", group: "All" }, { roleKey: "writer" }],
          userGrants: [{ userId: "u-ada", roleKeys: ["reader"] }],
          grants: [
            {
              grantedOrgId: "second",
              roleKeys: ["writer"],
              members: [{ userId: "u-ada", roles: ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"] }],
            },
          ],
          apps: [
            ...(project?.apps ?? []),
            {
              name: "Keyed",
              oidc: { clientId: "keyed", authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT", keys },
            },
            { name: "Orders", api: { clientId: "orders", clientSecret: SECRET } },
          ],
        },
      ],
      messageTexts: [{ type: "password_change", language: "de", text: "Hallo" }],
      clientDecisions: [
        {
          kind: "CLIENT_DECISION_KIND_CLIENT",
          value: "https://agent.example.com/client",
          decision: "CLIENT_DECISION_ALLOW",
        },
        { kind: "CLIENT_DECISION_KIND_HOST", value: "*", decision: "CLIENT_DECISION_FORBID" },
      ],
    },
    { id: "second", name: "Second", domains: [{ domain: "second.test", verified: true, primary: true }] },
  ],
};

const exported = async (ctx: Parameters<typeof exportBootstrap>[0]) => {
  let text = "";
  for await (const part of exportBootstrap(ctx)) text += part;
  return text;
};

describe.each(databaseKinds)("the service as a bootstrap file, on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, file);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  it("can be applied to an empty service, which then exports the same file", async () => {
    const first = await exported(service.ctx);
    const empty = await bareContext(kind);
    await ensureInstance(empty);
    const { warnings } = await applyBootstrap(empty, JSON.parse(first), { secretsMayBeMissing: true });
    expect(warnings.some((warning) => warning.includes("gets no secret"))).toBe(true);
    expect(await exported(empty)).toBe(first);
    expect(JSON.parse(first)).toMatchObject({
      instance: file.instance,
      organizations: [{ machines: [{ keys, metadata: { team: "Ünit" } }] }, { id: "second" }],
    });
  });

  it("changes nothing if applied to the same service, as a dry run reports", async () => {
    const { body, headers } = await callApi(service, "GET", "/admin/v1/_export", { token });
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="service-.*\.json"$/);
    for (const address of ["/admin/v1/_apply?dryRun=true", "/admin/v1/_apply"]) {
      const answer = await callApi(service, "POST", address, { token, body });
      expect(answer.body).toMatchObject({ created: [], updated: [] });
    }
  });

  it.each([
    [{ grantedOrgId: "nowhere" }, "grants[0].grantedOrgId"],
    [{ grantedOrgId: "acme" }, "grants[0].grantedOrgId"],
    [{ grantedOrgId: "second", roleKeys: ["reader", "nothing"] }, "grants[0].roleKeys[1]"],
  ])("rejects a grant of a project to no other organization, or of a role it does not have: %j", async (grant, at) => {
    const organizations = [{ id: "acme", name: "ACME", projects: [{ ...project, apps: [], grants: [grant] }] }];
    const before = await exported(service.ctx);
    await expect(applyBootstrap(service.ctx, { organizations })).rejects.toThrow(`projects[0].${at}: must be`);
    expect(await exported(service.ctx)).toBe(before);
  });

  it("contains no secret, no password, no hash of either, and no locked user", async () => {
    await service.ctx.db.prisma.user.update({ where: { id: "u-bob" }, data: { state: "inactive" } });
    const text = await exported(service.ctx);
    for (const secret of [PASSWORD, SECRET, "argon2", "digest", "u-bob"]) expect(text).not.toContain(secret);
    await service.ctx.db.prisma.user.update({ where: { id: "u-bob" }, data: { state: "active" } });
  });

  it("reports its changes in a dry run, then makes them as the caller", async () => {
    const wanted = { organizations: [{ id: "acme", name: "ACME Ltd", projects: [{ name: "Fresh" }] }] };
    const apply = async (query = "") =>
      (await callApi(service, "POST", `/admin/v1/_apply${query}`, { token, body: wanted })).body;
    const told = { created: ["project Fresh"], updated: ["organization ACME"], warnings: [] };
    const names = async () => (await service.ctx.db.prisma.project.findMany()).map(({ name }) => name);
    const dry = await apply("?dryRun=true");
    expect(dry).toMatchObject({ dryRun: true, created: told.created });
    expect(await names()).not.toContain("Fresh");
    expect(await apply()).toEqual({ ...dry, dryRun: false });
    expect(await names()).toContain("Fresh");
    const event = await service.ctx.db.prisma.event.findFirst({ orderBy: { position: "desc" } });
    expect(event).toMatchObject({ type: "project.added", actor: "u-ada" });
  });

  it("names every mistake and changes nothing", async () => {
    const before = await exported(service.ctx);
    const body = {
      organizations: [
        { name: "New", projects: [{ name: "P", id: "service" }] },
        { name: "New", users: [{ userName: "x", password: "short" }] },
      ],
    };
    const shape = await callApi(service, "POST", "/admin/v1/_apply", { token, body });
    expect(refusalOf(shape)).toEqual({ status: 400, code: 3, id: "request.invalid" });
    const twice = { organizations: [{ name: "New", projects: [{ name: "P", id: "service" }] }, { name: "New" }] };
    const answer = await callApi(service, "POST", "/admin/v1/_apply", { token, body: twice });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual([
      "organizations[0].projects[0].id",
      "organizations[1].name",
    ]);
    expect(await exported(service.ctx)).toBe(before);
  });
});
