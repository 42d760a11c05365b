import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { setLoginPolicy } from "../testing/factors";
import { authorize } from "../testing/flow";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";
import { listBrowserSessions, listCurrentSessions } from "./session";

const HOUR = 3_600_000;
const POLICY = { passwordCheckLifetime: 10_800, secondFactorCheckLifetime: 7_200, multiFactorCheckLifetime: 3_600 };

describe("the lifetime of sessions according to the login policy", () => {
  let service: TestService;
  let browser: TestBrowser;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    browser = service.browser();
    await authorize(browser);
    await setLoginPolicy(service, POLICY);
  });
  afterAll(() => service.close());

  const userAgent = () => ({ token: browser.cookies.get("ua"), address: undefined, name: undefined });
  const count = async () => (await listCurrentSessions(service.ctx, userAgent())).length;

  it.each([
    ["a password", "pwd", 3],
    ["a password and a second factor", "pwd otp mfa", 2],
    ["a passkey, both factors at once", "hwk user mfa", 1],
  ])("with %s ends exactly when the policy says", async (_, amr, hours) => {
    const { ctx } = service;
    await ctx.db.prisma.session.updateMany({ data: { amr, authTime: new Date(ctx.clock()) } });
    const began = ctx.clock();
    service.advance(hours * HOUR - 60_000);
    expect(await count()).toBe(1);
    service.advance(hours * HOUR - (ctx.clock() - began));
    expect(await count()).toBe(0);
    // It can still be signed out of.
    expect(await listBrowserSessions(ctx, userAgent())).toHaveLength(1);
  });
});
