import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { exchange, personTokens } from "../../testing/exchange";
import { basic, errorOf, postToken, type Tokens, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { tokenBootstrap } from "../../testing/token-example";

describe.each(ruleDatabases)("the lifetime of exchanged tokens on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  it("never exceeds that of the presented tokens, unless offline access is granted", async () => {
    const tokens = await personTokens(service);
    service.advance(3_000_000);
    const from = (scope?: string) => exchange(service, { subject: ["accessToken", tokens.access_token], scope });
    const [short, offline] = [await from(), await from("openid offline_access")];
    expect(short.expires_in).toBeLessThanOrEqual(600);
    expect(decodeJwt(short.id_token ?? "").exp).toBeLessThanOrEqual(Number(decodeJwt(tokens.id_token).exp) + 1);
    expect(offline.expires_in).toBe(3600);
    const lone = await exchange(service, { subject: ["idToken", tokens.id_token], requested: "idToken" });
    expect(lone.expires_in).toBeLessThanOrEqual(600);
    service.advance(-3_000_000);
  });

  it("limits a refresh token to the presented token if that has no offline access", async () => {
    const tokens = await personTokens(service, { scope: "openid profile" });
    service.advance(3_000_000);
    const answer = await exchange(service, {
      subject: ["accessToken", tokens.access_token],
      scope: "openid offline_access",
    });
    expect(answer).toMatchObject({ status: 200, scope: "openid offline_access", refresh_token: expect.any(String) });
    expect(answer.expires_in).toBeLessThanOrEqual(600);
    const again = (token = "") =>
      postToken(service, { grant_type: "refresh_token", refresh_token: token }, basic("exchange", SECRET));
    service.advance(300_000);
    const next = (await (await again(answer.refresh_token)).json()) as Tokens;
    expect(next.expires_in).toBeLessThanOrEqual(300);
    expect(decodeJwt(next.id_token).exp).toBeLessThanOrEqual(Number(decodeJwt(tokens.id_token).exp) + 1);
    service.advance(301_000);
    expect((await userinfo(service, next.access_token)).status).toBe(401);
    expect(await errorOf(await again(next.refresh_token))).toEqual({ status: 400, error: "invalid_grant" });
    service.advance(-3_601_000);
  });

  it("is not extended by an id_token either, which does not contain offline access", async () => {
    const tokens = await personTokens(service);
    service.advance(3_000_000);
    const answer = await exchange(service, { subject: ["idToken", tokens.id_token], scope: "openid offline_access" });
    expect(answer).toMatchObject({ status: 200, refresh_token: expect.any(String) });
    expect(answer.expires_in).toBeLessThanOrEqual(600);
    service.advance(601_000);
    const form = { grant_type: "refresh_token", refresh_token: answer.refresh_token ?? "" };
    const late = await postToken(service, form, basic("exchange", SECRET));
    expect(await errorOf(late)).toEqual({ status: 400, error: "invalid_grant" });
    service.advance(-3_601_000);
  });
});
