import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLastRotation } from "../../storage/service-times";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { basic, errorOf, postToken, refresh, type Tokens, tokensOf, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("token endpoint: refresh_token (RFC 6749 §6, RFC 9700 §4.14.2) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const json = async (response: Response) => (await response.json()) as Tokens;
  const invalidGrant = { status: 400, error: "invalid_grant" };

  it("rotates: a new refresh token, a new access token, the same authentication", async () => {
    const first = await tokensOf(service);
    service.advance(2_000);
    const second = await json(await refresh(service, first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await userinfo(service, second.access_token)).status).toBe(200);
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(second.id_token)];
    expect(after).toMatchObject({ sub: before.sub, aud: before.aud, auth_time: before.auth_time, sid: before.sid });
    expect(after.iat).toBeGreaterThan(before.iat ?? 0);
  });

  it("leaves the nonce to the first id_token (OIDC Core §12.2)", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    expect([decodeJwt(first.id_token).nonce, decodeJwt(second.id_token).nonce]).toEqual(["n-1", undefined]);
  });

  it("answers a repeat within the grace with the same successor", async () => {
    const { refresh_token } = await tokensOf(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => json(await refresh(service, refresh_token))),
    );
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    const successor = answers[0]?.refresh_token ?? "";
    service.advance(11_000);
    expect((await refresh(service, successor)).status).toBe(200);
  });

  it("ends the whole family when a rotated token comes back after the grace", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    service.advance(11_000);
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
    expect(await errorOf(await refresh(service, second.refresh_token))).toEqual(invalidGrant);
    expect((await userinfo(service, second.access_token)).status).toBe(401);
  });

  it("does not count an outage as grace: who lost the answer in it comes again", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    const commit = service.ctx.db.commit;
    service.ctx.db.commit = () => Promise.reject(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
    for (const after of [2_000, 9_000, 9_000]) {
      service.advance(after);
      const answer = await refresh(service, second.refresh_token);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "3"]);
    }
    service.ctx.db.commit = commit;
    service.advance(3_000);
    const repeated = await json(await refresh(service, first.refresh_token));
    expect(repeated.refresh_token).toBe(second.refresh_token);
    service.advance(11_000);
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
  });

  it("looks back at a start, however long nobody was there: who lost the last answer comes again", async () => {
    const killed = await testService(kind, exampleBootstrap);
    const { ctx } = killed;
    const first = await tokensOf(killed);
    const second = await json(await refresh(killed, first.refresh_token));
    await expect.poll(() => readLastRotation(ctx.db)).toBeDefined();
    killed.advance(300_000);
    ctx.interruptions.begin(ctx.clock(), await readLastRotation(ctx.db));
    const repeated = await json(await refresh(killed, first.refresh_token));
    expect(repeated.refresh_token).toBe(second.refresh_token);
    killed.advance(11_000);
    expect(await errorOf(await refresh(killed, first.refresh_token))).toEqual(invalidGrant);
    await killed.close();
  });

  it("knows a token of generations ago for a copy", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    const third = await json(await refresh(service, second.refresh_token));
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
    expect(await errorOf(await refresh(service, third.refresh_token))).toEqual(invalidGrant);
  });

  it("leaves other families of the same person alone", async () => {
    const browser = service.browser();
    const one = await tokensOf(service, browser);
    const other = await tokensOf(service, browser);
    await refresh(service, one.refresh_token);
    service.advance(11_000);
    await refresh(service, one.refresh_token);
    expect((await refresh(service, other.refresh_token)).status).toBe(200);
  });

  it("refuses another client's token and leaves it to its owner", async () => {
    const { refresh_token } = await tokensOf(service);
    const form = { grant_type: "refresh_token", refresh_token };
    expect(await errorOf(await postToken(service, form, basic("jwt-tokens", SECRET)))).toEqual(invalidGrant);
    expect((await refresh(service, refresh_token)).status).toBe(200);
  });

  it("narrows the scope for one answer without shrinking the grant, and never widens it", async () => {
    const first = await tokensOf(service);
    const narrow = await json(await refresh(service, first.refresh_token, { scope: "openid" }));
    expect(narrow.scope).toBe("openid");
    const wide = await json(await refresh(service, narrow.refresh_token));
    expect(wide.scope).toBe(first.scope);
    const wider = await refresh(service, wide.refresh_token, { scope: "openid phone" });
    expect(await errorOf(wider)).toEqual({ status: 400, error: "invalid_scope" });
  });

  it.each([
    ["a changed token", (token: string) => `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`],
    ["a shortened token", (token: string) => token.slice(0, -4)],
    ["an access token", () => "x".repeat(43)],
    ["an empty-looking one", () => "-"],
  ])("refuses %s: invalid_grant, and the family lives on", async (_, change) => {
    const { refresh_token } = await tokensOf(service);
    expect(await errorOf(await refresh(service, change(refresh_token)))).toEqual(invalidGrant);
    expect((await refresh(service, refresh_token)).status).toBe(200);
  });

  it("refuses a token not used for 30 days, and any after 90 days", async () => {
    const idle = await tokensOf(service);
    let kept = await tokensOf(service);
    for (let month = 0; month < 3; month++) {
      service.advance(29 * 86_400_000);
      kept = await json(await refresh(service, kept.refresh_token));
    }
    expect(await errorOf(await refresh(service, idle.refresh_token))).toEqual(invalidGrant);
    service.advance(4 * 86_400_000);
    expect(await errorOf(await refresh(service, kept.refresh_token))).toEqual(invalidGrant);
  });
});
