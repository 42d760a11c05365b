import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enableSentCodes } from "../../directory/user/second-factor";
import { callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { basic, postToken, type Tokens } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { type TestService, testService } from "../../testing/test-context";
import { SERVICE_SCOPE } from "../../testing/token-example";

const SECRET = "a-secret-of-a-machine-with-40-characters-or-more";
const [acme] = exampleBootstrap.organizations;
const machine = (id: string) => ({ id, userName: id, name: id, secret: SECRET, roles: ["IAM_LOGIN_CLIENT"] });
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe.each(ruleDatabases)("what a login of its own notes about sessions, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, { organizations: [{ ...acme, machines: [machine("login"), machine("other")] }] });
    for (const name of ["login", "other"]) {
      const form = { grant_type: "client_credentials", scope: `openid ${SERVICE_SCOPE}` };
      tokens[name] = ((await (await postToken(service, form, basic(name, SECRET))).json()) as Tokens).access_token;
    }
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as = "login") =>
    callApi(service, method, path, { token: tokens[as], body });
  const checks = { user: { loginName: "bob@acme.test" }, password: { password: PASSWORD } };
  async function create(body: object, as?: string) {
    const { status, body: made } = await call("POST", "/v2/sessions", body, as);
    expect([status, made.details?.[0]]).toEqual([200, undefined]);
    return made as { sessionId: string; sessionToken: string };
  }
  const shown = async (id: string, query = "") => (await call("GET", `/v2/sessions/${id}${query}`)).body.session;
  const secondsLeft = ({ expirationDate }: { expirationDate: string }) =>
    (Date.parse(expirationDate) - service.ctx.clock()) / 1_000;
  const ids = async (queries: object[], as?: string) => {
    const { body } = await call("POST", "/v2/sessions/search", { queries }, as);
    return (body.sessions as { id: string }[]).map(({ id }) => id);
  };

  it("is shown with the session and its token: metadata, device and an end before others", async () => {
    const header = { "user-agent": { values: ["Browser"] } };
    const userAgent = { ip: "192.0.2.1", description: "Phone", fingerprintId: "f-1", header };
    const metadata = { step: base64("one"), keep: base64("kept") };
    const open = await create({ userAgent, metadata, lifetime: "600s" });
    const set = (body: object, sessionToken: string) =>
      call("PATCH", `/v2/sessions/${open.sessionId}`, { ...body, sessionToken });
    const { body } = await set({ checks, metadata: { step: "", two: base64("2") } }, open.sessionToken);
    const expected = {
      metadata: { keep: base64("kept"), two: base64("2") },
      userAgent,
      sequence: expect.stringMatching(/^[1-9]\d*$/),
    };
    const stored = await shown(open.sessionId);
    expect(stored).toMatchObject(expected);
    expect(secondsLeft(stored)).toBeCloseTo(600, -1);
    expect(await shown(open.sessionId, `?sessionToken=${body.sessionToken}`)).toMatchObject(expected);
    expect((await shown(open.sessionId)).metadata).not.toHaveProperty("step");
    const { sessionToken } = (await set({ lifetime: "1.5s" }, body.sessionToken)).body;
    service.advance(2_000);
    expect(await shown(open.sessionId)).toBeUndefined();
    expect(refusalOf(await set({}, sessionToken)).id).toBe("session.not_found");
  });

  it("never lets a session live longer than others, and has a limit", async () => {
    const usual = await create({ checks });
    const long = await create({ checks, lifetime: "99999999s" });
    expect(secondsLeft(await shown(long.sessionId))).toBeCloseTo(secondsLeft(await shown(usual.sessionId)), -1);
    const half = await create({ lifetime: "1s" });
    service.advance(1_500);
    expect(await shown(half.sessionId, `?sessionToken=${half.sessionToken}`)).toBeUndefined();
    for (const wrong of ["0s", "-1s", "1h", "s"]) {
      expect((await call("POST", "/v2/sessions", { lifetime: wrong })).status).toBe(400);
    }
    const much = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, base64("x".repeat(300))]));
    expect(refusalOf(await call("POST", "/v2/sessions", { metadata: much })).id).toBe("session.too_much_data");
    expect((await call("POST", "/v2/sessions", { metadata: { a: "not base64!" } })).status).toBe(400);
  });

  it("finds sessions again: by ids, times, who started them and the device", async () => {
    const before = new Date(service.ctx.clock() - 1).toISOString();
    service.advance(1_000);
    const one = await create({ checks, userAgent: { fingerprintId: "f-one" }, lifetime: "60s" });
    const two = await create({ checks, userAgent: { fingerprintId: "f-two" } }, "other");
    const [first, second] = [one.sessionId, two.sessionId];
    expect((await ids([{ idsQuery: { ids: [first, second] } }])).sort()).toEqual([first, second].sort());
    expect(await ids([{ idsQuery: { ids: [first, second] } }, { creatorQuery: {} }])).toEqual([first]);
    expect(await ids([{ creatorQuery: {} }], "other")).toEqual([second]);
    expect(await ids([{ creatorQuery: { id: "other" } }])).toEqual([second]);
    expect(await ids([{ userAgentQuery: { fingerprintId: "f-two" } }])).toEqual([second]);
    const since = { creationDate: before, method: "TIMESTAMP_QUERY_METHOD_GREATER" };
    expect((await ids([{ creationDateQuery: since }])).sort()).toEqual([first, second].sort());
    const soon = new Date(service.ctx.clock() + 60_000).toISOString();
    const ending = { expirationDate: soon, method: "TIMESTAMP_QUERY_METHOD_LESS_OR_EQUALS" };
    expect(await ids([{ expirationDateQuery: ending }])).toEqual([first]);
    expect((await call("POST", "/v2/sessions/search", { queries: [{ idsQuery: { ids: [] } }] })).status).toBe(400);
  });

  it("names the page of its own where a mailed code is entered, on a host that codes are sent to", async () => {
    const { ctx } = service;
    await ctx.db.prisma.user.update({ where: { id: "u-bob" }, data: { isEmailVerified: true } });
    await enableSentCodes({ ...ctx, origin: { actor: "u-bob" } }, { id: "u-bob", organizationId: "acme" }, "email");
    const { sessionId, sessionToken } = await create({ checks });
    const challenge = (urlTemplate: string) => {
      const challenges = { otpEmail: { sendCode: { urlTemplate } } };
      return call("PATCH", `/v2/sessions/${sessionId}`, { sessionToken, challenges });
    };
    const path = "otp?code={{.Code}}&session={{.SessionID}}&name={{.LoginName}}";
    const before = await ctx.db.prisma.outboxMessage.count();
    for (const wrong of [`https://evil.test/${path}`, `https://other.test/${path}`, "https://acme.test/{{.Secret}}"]) {
      expect(refusalOf(await challenge(wrong)).id).toBe("url_template.not_allowed");
    }
    expect(await ctx.db.prisma.outboxMessage.count()).toBe(before);
    expect(await challenge(`https://acme.test/${path}`)).toMatchObject({ status: 200 });
    const { url } = await lastMailTo(service, "bob@acme.test");
    expect(url).toMatch(/^https:\/\/acme\.test\/otp\?code=\d{8}&session=/);
    expect(url).toContain(`&session=${sessionId}&name=bob%40acme.test`);
  });
});
