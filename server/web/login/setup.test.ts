import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSetupLink } from "../../directory/setup/setup";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

describe("the page of a further administrator", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  it("reports that the address is already in use, and accepts another one with the same link", async () => {
    const token = new URL(await createSetupLink(service.ctx)).searchParams.get("token") ?? "";
    const form = {
      token,
      organizationName: "New",
      givenName: "Eve",
      familyName: "New",
      password: "five words that nobody knows",
    };
    const browser = service.browser();
    const refused = await (await browser.post("/setup/submit", { ...form, email: "ada@acme.test" })).text();
    expect(refused).toContain("Someone already signs in with this address. Enter another one.");
    expect(refused).toContain('value="ada@acme.test"');
    const taken = await browser.post("/setup/submit", { ...form, email: "eve@new.test" });
    expect(taken.headers.get("location")).toBe(`${service.ctx.config.baseUrl}/console/sign-in?ask=1`);
    const request = { client_id: "console", redirect_uri: `${service.ctx.config.baseUrl}/console/callback` };
    const query = new URLSearchParams({ ...request, response_type: "code", scope: "openid", prompt: "none" });
    const { headers } = await browser.get(`/oauth/v2/authorize?${query}`);
    expect(headers.get("location"), "the browser is signed in").not.toContain("login_required");
  });
});
