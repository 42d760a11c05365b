import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCodeLifetime, findLifetimes } from "../../directory/effective-lifetimes";
import { lifetimesFor } from "../../oidc/client-lifetimes";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const OIDC = "/admin/v1/settings/oidc";
const generator = (type: string) => `/admin/v1/secretgenerators/SECRET_GENERATOR_TYPE_${type}`;

describe.each(ruleDatabases)("lifetimes that are set at run time, on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });

  it("override the environment until they are reset; apps keep their own settings", async () => {
    const before = (await call("GET", OIDC)).body.settings;
    expect(before).toMatchObject({ accessTokenLifetime: "3600s", refreshTokenExpiration: "7776000s" });
    expect((await call("PUT", OIDC, { access_token_lifetime: "1800s", idTokenLifetime: "600.000s" })).status).toBe(200);
    expect((await call("GET", OIDC)).body.settings).toMatchObject({
      accessTokenLifetime: "1800s",
      idTokenLifetime: "600s",
      refreshTokenExpiration: "7776000s",
    });
    expect(await lifetimesFor(service.ctx, { lifetimes: {} })).toMatchObject({ accessToken: 1_800_000 });
    expect(await lifetimesFor(service.ctx, { lifetimes: { accessToken: 60_000 } })).toMatchObject({
      accessToken: 60_000,
      idToken: 600_000,
    });
    expect((await call("DELETE", OIDC)).status).toBe(200);
    expect((await call("GET", OIDC)).body.settings).toMatchObject({ ...before, details: expect.anything() });
    // The keys that signed the longest of them stay published as long.
    const [{ tokenLifetimes } = { tokenLifetimes: undefined }] = await service.ctx.db.prisma.instance.findMany();
    expect(tokenLifetimes).toEqual({ longest: 3_600_000 });
  });

  it("are between a minimum and the operator's maximum; a refusal changes nothing", async () => {
    const before = await findLifetimes(service.ctx);
    for (const body of [
      ...[{ accessTokenLifetime: "86401s" }, { idTokenLifetime: "1s" }, { refreshTokenExpiration: "0s" }],
      ...[{ refreshTokenIdleExpiration: "9999999s" }, { accessTokenLifetime: "-5s" }, { accessTokenLifetime: 5 }],
      ...[{ accessTokenLifetime: "soon" }, { accessTokenLifetime: "1800s", refreshTokenExpiration: "60s" }],
    ]) {
      expect([body, (await call("PUT", OIDC, body)).status]).toEqual([body, 400]);
    }
    expect(await findLifetimes(service.ctx)).toEqual(before);
    const { maximum } = service.config.lifetimes;
    await call("PUT", OIDC, { accessTokenLifetime: "7200s" });
    service.config.lifetimes.maximum = { ...maximum, accessToken: 60_000 };
    expect((await findLifetimes(service.ctx)).accessToken).toBe(60_000); // the operator has the last word
    service.config.lifetimes.maximum = maximum;
  });

  it("of codes change within limits, and the format of codes does not", async () => {
    const asMade = { length: 8, includeUpperLetters: true, includeDigits: true, includeSymbols: false };
    expect((await call("GET", generator("PASSWORD_RESET_CODE"))).body.secretGenerator).toMatchObject({
      ...asMade,
      expiry: "3600s",
      generatorType: "SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE",
    });
    expect((await call("PUT", generator("PASSWORD_RESET_CODE"), { ...asMade, expiry: "900s" })).status).toBe(200);
    expect(await findCodeLifetime(service.ctx, "passwordReset")).toBe(900_000);
    for (const body of [
      { length: 6 },
      { length: 12 },
      { includeDigits: false },
      { expiry: "0s" },
      { expiry: "999d" },
    ]) {
      expect([body, (await call("PUT", generator("PASSWORD_RESET_CODE"), body)).status]).toEqual([body, 400]);
    }
    expect(refusalOf(await call("PUT", generator("APP_SECRET"), { expiry: "900s" }))).toMatchObject({
      id: "secret_generator.fixed",
      status: 400,
    });
    expect((await call("GET", generator("OTP_SMS"))).body.secretGenerator).toMatchObject({ length: 8, expiry: "300s" });
    expect((await call("GET", "/admin/v1/secretgenerators/constructor")).status).toBe(404);
    const { body } = await call("POST", "/admin/v1/secretgenerators/_search", {});
    expect(body.result).toHaveLength(Number(body.details.totalResult));
  });
});
