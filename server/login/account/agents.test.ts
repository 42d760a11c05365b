import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { invalidateDirectory } from "../../directory/cache";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { type Exchanged, type ExchangeForm, exchange, machineToken, personTokens } from "../../testing/exchange";
import { basic, errorOf, postToken, type Tokens } from "../../testing/flow";
import { type AtHome, atHome } from "../../testing/own-account";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { machine, P1_SCOPE, person, tokenApp, tokenBootstrap } from "../../testing/token-example";
import { listAgents } from "./agents";

const [acme, globex, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const RESOURCE = "https://mcp.acme.test/notes";
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      machines: [...(acme?.machines ?? []), machine("agent-bot")],
      projects: [
        {
          ...p1,
          resources: [RESOURCE],
          scopes: [{ name: "notes", descriptions: { en: "Read your notes" } }],
          apps: [...(p1?.apps ?? []), tokenApp("other")],
        },
        ...rest,
      ],
    },
    { ...globex, users: [...(globex?.users ?? []), person("grace", "globex.test")] },
    ...others,
  ],
};

describe.each(ruleDatabases)("agents that act for a user (RFC 8693 §1.1, §4.1) on %s", (kind) => {
  let service: TestService;
  let home: AtHome;
  let tokens: Tokens;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  beforeEach(async () => {
    home = await atHome(service, { id: "u-eve", loginName: "eve@acme.test" });
    tokens = await personTokens(service);
  });
  afterAll(() => service.close());

  const agent = async (): Promise<ExchangeForm["actor"]> => [
    "accessToken",
    await machineToken(service, "agent-bot", `openid ${P1_SCOPE}`),
  ];
  const clientToken = async (client = "exchange"): Promise<ExchangeForm["actor"]> => {
    const form = { grant_type: "client_credentials", scope: "openid" };
    const answer = (await (await postToken(service, form, basic(client, SECRET))).json()) as Tokens;
    return ["accessToken", answer.access_token];
  };
  const introspect = async (token: string | undefined) => {
    const body = new URLSearchParams({ token: token ?? "" });
    const headers = { authorization: basic("exchange", SECRET) };
    return (await (await service.fetch("/oauth/v2/introspect", { method: "POST", body, headers })).json()) as object;
  };
  const refresh = (token: string | undefined) =>
    postToken(service, { grant_type: "refresh_token", refresh_token: token ?? "" }, basic("exchange", SECRET));
  const OFFLINE = "openid profile offline_access";

  it.each([
    ["a machine of the organization", agent, "m-agent-bot", "Machine agent-bot"],
    ["the app itself", clientToken, "exchange", "App exchange"],
  ])("shows %s to the user, who ends it with all its tokens", async (_, actorOf, sub, name) => {
    const acting = await exchange(service, {
      subject: ["accessToken", tokens.access_token],
      actor: await actorOf(),
      scope: OFFLINE,
    });
    expect(await introspect(acting.access_token)).toMatchObject({ sub: "u-eve", act: { iss: BASE_URL, sub } });
    const renewed = (await (await refresh(acting.refresh_token)).json()) as Tokens;
    expect(await introspect(renewed.access_token)).toMatchObject({ active: true, act: { sub } });

    const [shown, ...more] = await listAgents(service.ctx, "u-eve");
    expect(more).toEqual([]);
    expect(shown).toMatchObject({ name, app: { name: "App exchange", disclosures: ["profile", "offline"] } });
    const page = await home.page("apps");
    expect(page).toContain("Acts for you");
    expect(page).toContain(name);
    await home.press(page, "stop-1");

    expect(await introspect(acting.access_token)).toEqual({ active: false });
    expect(await introspect(renewed.access_token)).toEqual({ active: false });
    expect(await errorOf(await refresh(renewed.refresh_token))).toEqual({ status: 400, error: "invalid_grant" });
    // The agent cannot begin again with the token that the app has.
    const again = await exchange(service, {
      subject: ["accessToken", tokens.access_token],
      actor: await actorOf(),
    });
    expect(again).toMatchObject({ status: 400, error: "invalid_request" });
    expect(await listAgents(service.ctx, "u-eve")).toEqual([]);
    const reasons = await service.ctx.db.prisma.event.findMany({
      where: { aggregateId: "u-eve", type: "user.grant.revoked" },
      orderBy: { position: "desc" },
      take: 1,
    });
    expect(reasons[0]?.payload).toMatchObject({ reason: "agent stopped by the user" });
  });

  it("names the resource and the permissions of the agent", async () => {
    const acting = await exchange(service, {
      subject: ["accessToken", (await personTokens(service, { scope: "openid notes" })).access_token],
      actor: await agent(),
      more: { resource: RESOURCE },
    });
    expect(acting.status).toBe(200);
    expect(await home.page("apps")).toContain("Read your notes");
    await home.press(await home.page("apps"), "stop-1");
  });

  it("gives an agent nothing that the token of the user does not have", async () => {
    const narrow = await personTokens(service, { scope: "openid" });
    const form = { subject: ["accessToken", narrow.access_token] as ExchangeForm["subject"], actor: await agent() };
    expect(await exchange(service, { ...form, scope: "openid email" })).toMatchObject({ error: "invalid_scope" });
    expect(await exchange(service, { ...form, audience: "agent-bot" })).toMatchObject({ error: "invalid_target" });
    expect(await exchange(service, form)).toMatchObject({ status: 200 });
  });

  it("does not show an administrator's name, and says that it is one", async () => {
    const support = await personTokens(service, { user: "support" });
    const acting = await exchange(service, {
      subject: ["userId", "u-eve"],
      actor: ["accessToken", support.access_token],
      scope: "openid",
    });
    const page = await home.page("apps");
    expect(page).toContain("An administrator");
    expect(page).not.toContain("support");
    await home.press(page, "stop-1");
    expect(await introspect(acting.access_token)).toEqual({ active: false });
    expect(await introspect(support.access_token)).toMatchObject({ active: true }); // their own access stays
  });

  const attempts: Record<string, () => Promise<Exchanged & { status: number }>> = {
    "a user who is not there": async () => exchange(service, { subject: ["userId", "u-eve"], actor: await agent() }),
    "a person without a role": async () =>
      exchange(service, {
        subject: ["accessToken", tokens.access_token],
        actor: ["accessToken", (await personTokens(service, { user: "boss" })).access_token],
      }),
    "a token that was issued to another app": async () =>
      exchange(service, {
        subject: ["accessToken", (await personTokens(service, { client: "other" })).access_token],
        actor: await agent(),
      }),
    "another client's own token": async () =>
      exchange(service, { subject: ["accessToken", tokens.access_token], actor: await clientToken("other") }),
  };
  it.each(Object.keys(attempts))("rejects an agent with %s", async (name) => {
    expect(await attempts[name]?.()).toMatchObject({ status: 400, error: "invalid_request" });
  });

  it("ends at the next refresh when the setting is turned off", async () => {
    const acting = await exchange(service, {
      subject: ["accessToken", tokens.access_token],
      actor: await agent(),
      scope: OFFLINE,
    });
    await service.ctx.db.prisma.instance.updateMany({ data: { security: { enableImpersonation: false } } });
    invalidateDirectory(service.ctx);
    expect(await errorOf(await refresh(acting.refresh_token))).toEqual({ status: 400, error: "invalid_grant" });
  });
});
