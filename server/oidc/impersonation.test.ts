import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticateCaller, bearerCredentials } from "../access/caller";
import { invalidateDirectory } from "../directory/cache";
import { GRPC_CODES } from "../protocol/api-error";
import { ruleDatabases } from "../testing/database";
import { SECRET } from "../testing/example";
import { type ExchangeForm, exchange, machineToken, personTokens } from "../testing/exchange";
import { basic, errorOf, postToken, type Tokens, userinfo } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { P1_SCOPE, SERVICE_SCOPE, tokenBootstrap } from "../testing/token-example";

const act = (...subjects: string[]): object | undefined =>
  subjects.reduceRight<object | undefined>(
    (earlier, sub) => ({ iss: BASE_URL, sub, ...(earlier ? { act: earlier } : {}) }),
    undefined,
  );

describe.each(ruleDatabases)("impersonation and delegation (RFC 8693 §1.1, §4.1) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  const actorOf = async (user: string): Promise<NonNullable<ExchangeForm["actor"]>> => {
    const token = user.endsWith("-bot")
      ? await machineToken(service, user, P1_SCOPE)
      : (await personTokens(service, { user })).access_token;
    return ["accessToken", token];
  };
  const impersonate = async (user: string, as: string, form: Partial<ExchangeForm> = {}) =>
    exchange(service, { subject: ["userId", `u-${as}`], actor: await actorOf(user), ...form });
  const introspect = async (token: string | undefined) => {
    const body = new URLSearchParams({ token: token ?? "" });
    const headers = { authorization: basic("exchange", SECRET) };
    const response = await service.fetch("/oauth/v2/introspect", { method: "POST", body, headers });
    return (await response.json()) as Record<string, unknown>;
  };
  const refresh = (token: string | undefined) =>
    postToken(service, { grant_type: "refresh_token", refresh_token: token ?? "" }, basic("exchange", SECRET));

  it.each<[actor: string, subject: string, allowed: boolean]>([
    ["support", "eve", true],
    ["support", "gus", true],
    ["admin-support", "eve", true],
    ["actor-bot", "eve", true],
    ["local-support", "eve", true],
    ["local-support", "gus", false], // of another organization
    ["support", "boss", false], // an administrator
    ["support", "ada", false],
    ["support", "admin-support", false],
    ["actor-bot", "boss", false],
    ["local-support", "boss", false],
    ["admin-support", "boss", true],
    ["admin-bot", "ada", true],
    ["boss", "eve", false], // an owner without the role for it
    ["ada", "eve", false],
    ["eve", "bob", false],
  ])("%s as %s: %s", async (actor, subject, allowed) => {
    const answer = await impersonate(actor, subject, { scope: "openid" });
    if (!allowed) {
      expect([answer.status, answer.error]).toEqual([400, "invalid_request"]);
      const event = await service.ctx.db.prisma.event.findFirst({
        where: { aggregateId: `u-${subject}`, type: "user.impersonation.refused" },
        orderBy: { position: "desc" },
      });
      expect(event).toMatchObject({
        actor: `u-${actor}`.replace(/^u-(.*-bot)$/, "m-$1"),
        payload: { clientId: "exchange" },
      });
      return;
    }
    const actorId = actor.endsWith("-bot") ? `m-${actor}` : `u-${actor}`;
    expect(answer.status).toBe(200);
    expect(await (await userinfo(service, answer.access_token ?? "")).json()).toEqual({ sub: `u-${subject}` });
    expect(await introspect(answer.access_token)).toMatchObject({
      active: true,
      sub: `u-${subject}`,
      act: act(actorId),
    });
    const claims = decodeJwt(answer.id_token ?? "");
    expect(claims).toMatchObject({ sub: `u-${subject}`, act: act(actorId) });
    expect(claims).not.toHaveProperty("auth_time"); // the user did not authenticate
    expect(claims).not.toHaveProperty("amr");
  });

  it("is audited with both parties", async () => {
    await impersonate("support", "eve", { scope: "openid email" });
    const event = await service.ctx.db.prisma.event.findFirst({
      where: { type: "grant.exchanged" },
      orderBy: { position: "desc" },
    });
    expect(event).toMatchObject({ actor: "u-support", resourceOwner: "acme" });
    expect(event?.payload).toMatchObject({
      userId: "u-eve",
      actors: ["u-support"],
      clientId: "exchange",
      scope: "openid email",
    });
  });

  it("needs no permission for users who act for themselves, and is marked in the token", async () => {
    const eve = await personTokens(service);
    const answer = await exchange(service, { subject: ["userId", "u-eve"], actor: ["accessToken", eve.access_token] });
    expect(await introspect(answer.access_token)).toMatchObject({ sub: "u-eve", act: act("u-eve") });
  });

  it("keeps the actor in all tokens that are exchanged on, of every kind, and through refresh", async () => {
    const first = await impersonate("support", "eve", { scope: "openid profile offline_access" });
    const on = (subject: ExchangeForm["subject"], more: Partial<ExchangeForm> = {}) =>
      exchange(service, { subject, ...more });
    const token = first.access_token ?? "";
    const opaque = await on(["accessToken", token]);
    const jwt = await on(["accessToken", token], { requested: "jwt" });
    const scope = "openid profile offline_access";
    const idToken = await on(["accessToken", token], { requested: "idToken", scope });
    const back = await on(["idToken", idToken.access_token ?? ""], { scope: "openid offline_access" });
    const again = await on(["idToken", first.id_token ?? ""], { requested: "jwt" });
    const refreshed = (await (await refresh(first.refresh_token)).json()) as Tokens;
    const twice = (await (await refresh(back.refresh_token)).json()) as Tokens;
    for (const { access_token } of [opaque, jwt, back, again, refreshed, twice]) {
      expect(await introspect(access_token)).toMatchObject({ active: true, sub: "u-eve", act: act("u-support") });
    }
    for (const one of [
      jwt.access_token,
      idToken.access_token,
      again.access_token,
      refreshed.id_token,
      twice.id_token,
    ]) {
      expect(decodeJwt(one ?? "").act).toEqual(act("u-support"));
    }
  });

  it("nests the earlier actors of the subject and of the actor", async () => {
    const delegated = await impersonate("support", "eve", { scope: "openid" });
    const subject: ExchangeForm["subject"] = ["accessToken", delegated.access_token ?? ""];
    const more = await exchange(service, { subject, actor: await actorOf("actor-bot") });
    expect(await introspect(more.access_token)).toMatchObject({ act: act("m-actor-bot", "u-support") });

    const asSupport = await impersonate("admin-support", "support", { scope: "openid" });
    const actor: ExchangeForm["actor"] = ["accessToken", asSupport.access_token ?? ""];
    const chain = await exchange(service, { subject: ["userId", "u-eve"], actor });
    expect(await introspect(chain.access_token)).toMatchObject({ act: act("u-support", "u-admin-support") });
  });

  it("does not let a user act through another one with more permissions", async () => {
    // Only another administrator may impersonate admin-support; boss has no role for it.
    const { prisma } = service.ctx.db;
    const asAdmin = await impersonate("admin-bot", "admin-support", { scope: "openid" });
    const actor: ExchangeForm["actor"] = ["accessToken", asAdmin.access_token ?? ""];
    expect((await exchange(service, { subject: ["userId", "u-boss"], actor })).status).toBe(200);
    const where = { userId: "m-admin-bot" };
    const [role] = await prisma.membership.findMany({ where });
    await prisma.membership.updateMany({ where, data: { role: "IAM_END_USER_IMPERSONATOR" } });
    expect(await exchange(service, { subject: ["userId", "u-boss"], actor })).toMatchObject({
      error: "invalid_request",
    });
    await prisma.membership.updateMany({ where, data: { role: role?.role ?? "" } });
  });

  it("gives no access to the management API", async () => {
    const boss = await exchange(service, {
      subject: ["userId", "u-boss"],
      actor: ["accessToken", await machineToken(service, "admin-bot", `openid ${SERVICE_SCOPE} ${P1_SCOPE}`)],
    });
    expect(await introspect(boss.access_token)).toMatchObject({ aud: expect.arrayContaining(["service"]) });
    const refusal = await authenticateCaller(service.ctx, bearerCredentials(boss.access_token ?? ""));
    expect(refusal).toMatchObject({ code: GRPC_CODES.permissionDenied, id: "access.delegated" });
  });

  it("ends at once when the actor signs out, is deactivated or changes the password", async () => {
    const { prisma } = service.ctx.db;
    const support = await personTokens(service, { user: "support" });
    const first = await exchange(service, {
      subject: ["userId", "u-eve"],
      actor: ["accessToken", support.access_token],
      scope: "openid offline_access",
    });
    const second = await exchange(service, { subject: ["accessToken", first.access_token ?? ""] });
    const tokens = [first.access_token, second.access_token];
    const expectActive = async (active: boolean) => {
      for (const token of tokens) expect((await introspect(token)).active).toBe(active);
    };
    await expectActive(true);
    for (const [off, on] of [["inactive", "active"]] as const) {
      await prisma.user.update({ where: { id: "u-support" }, data: { state: off } });
      await expectActive(false);
      expect(await errorOf(await refresh(first.refresh_token))).toEqual({ status: 400, error: "invalid_grant" });
      await prisma.user.update({ where: { id: "u-support" }, data: { state: on } });
    }
    await expectActive(true);
    const id = decodeJwt(support.id_token).sid as string;
    await prisma.session.update({ where: { id }, data: { endedAt: new Date() } });
    await expectActive(false);
  });

  it("ends at the next refresh when the role or the setting is removed", async () => {
    const { prisma } = service.ctx.db;
    const first = await impersonate("local-support", "eve", { scope: "openid offline_access" });
    const next = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect(next.access_token).toEqual(expect.any(String));
    await prisma.membership.deleteMany({ where: { userId: "u-local-support" } });
    expect(await errorOf(await refresh(next.refresh_token))).toEqual({ status: 400, error: "invalid_grant" });
    const other = await impersonate("support", "eve", { scope: "openid offline_access" });
    await prisma.instance.updateMany({ data: { security: { enableImpersonation: false } } });
    invalidateDirectory(service.ctx);
    expect(await errorOf(await refresh(other.refresh_token))).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("is rejected while the instance's security setting is off, even with the role", async () => {
    for (const user of ["support", "admin-support", "admin-bot"]) {
      expect(await impersonate(user, "eve")).toMatchObject({ status: 400, error: "invalid_request" });
    }
    const eve = await personTokens(service);
    expect((await exchange(service, { subject: ["accessToken", eve.access_token] })).status).toBe(200);
  });
});
