import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorizePath, fillSignIn, tokensOf } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("failures of the authorization endpoint (RFC 6749 §4.1.2.1) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Renames a table during `act`; the client's own data remains readable. */
  async function without<Value>(table: string, act: () => Promise<Value>): Promise<Value> {
    const { db } = service.ctx;
    await db.run(`ALTER TABLE "${table}" RENAME TO "${table}Away"`, []);
    try {
      return await act();
    } finally {
      await db.run(`ALTER TABLE "${table}Away" RENAME TO "${table}"`, []);
    }
  }

  it.each(["none", "login"])("reports an unexpected failure to the application, with prompt=%s", async (prompt) => {
    const browser = service.browser();
    await tokensOf(service, browser);
    const response = await without("Session", () => browser.get(authorizePath({ prompt, state: "keep" })));
    expect(response.status).toBe(303);
    expect(Object.fromEntries(answerOf(response))).toEqual({
      error: "server_error",
      error_description: "something unexpected happened",
      state: "keep",
      iss: BASE_URL,
    });
  });

  it("reports it in the requested response mode, also if the failure occurs after the sign-in page", async () => {
    const browser = service.browser();
    const asked = await browser.get(authorizePath({ response_mode: "form_post" }));
    const response = await without("Grant", () => fillSignIn(browser, asked));
    const html = await response.text();
    expect(html).toContain('action="https://rp.test/cb"');
    expect(html).toMatch(/name="error" value="server_error"/);
    expect(html).toMatch(/name="state" value="s-1"/);
    // The user is signed in nevertheless, and need not type the password again.
    expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("code")).toBeTruthy();
  });

  it("shows a failure on its own page while the redirect URI is not verified", async () => {
    const bad = authorizePath({ redirect_uri: "https://evil.test/cb" });
    const response = await without("Session", () => service.fetch(bad));
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  it("returns temporarily_unavailable while the database is unavailable", async () => {
    const browser = service.browser();
    await tokensOf(service, browser); // caches the client
    const { all } = service.ctx.db;
    service.ctx.db.all = () => Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    try {
      const response = await browser.get(authorizePath({ prompt: "none", state: "keep" }));
      expect(Object.fromEntries(answerOf(response))).toMatchObject({ error: "temporarily_unavailable", state: "keep" });
    } finally {
      service.ctx.db.all = all;
    }
  });

  const object = (claims: object) =>
    `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;

  it.each<[string, Record<string, string>, string]>([
    ["the mode of its response_mode", { request: object({ response_mode: "form_post" }) }, "form_post"],
    [
      "the mode of the outer parameter if present",
      { request: object({ response_mode: "form_post" }), response_mode: "query" },
      "query",
    ],
    ["the default mode of the response type if it has no response_mode", { request: object({ state: "x" }) }, "query"],
    ["the default mode if its own is invalid", { request: object({ response_mode: ["form_post"] }) }, "query"],
    ["the default mode if it is not a JWT", { request: "x" }, "query"],
  ])("rejects a request object in %s (rule AUTHORIZE-9)", async (_, parameters, mode) => {
    const response = await service.fetch(authorizePath(parameters));
    const text = mode === "form_post" ? await response.text() : (response.headers.get("location") ?? "");
    expect(text).toContain("request_not_supported");
    expect(response.status).toBe(mode === "form_post" ? 200 : 303);
  });
});
