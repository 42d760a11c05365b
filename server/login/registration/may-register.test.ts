import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { mailsTo } from "../../testing/mailed";
import { type TestService, testService } from "../../testing/test-context";

describe("The console is only for users who were granted access", () => {
  let service: TestService;
  let flow: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const { baseUrl } = service.ctx.config;
    const request = { client_id: "console", redirect_uri: `${baseUrl}/console/callback`, response_type: "code" };
    const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
    const query = new URLSearchParams({ ...request, ...pkce, scope: "openid", prompt: "create" });
    const answer = await service.fetch(`/oauth/v2/authorize?${query}`);
    flow = new URL(answer.headers.get("location") ?? "", baseUrl).searchParams.get("flow") ?? "";
    expect(flow).not.toBe("");
  });
  afterAll(() => service.close());

  it("does not offer to create an account there, although the policy permits registration", async () => {
    const page = await (await service.fetch(`/login?flow=${encodeURIComponent(flow)}`)).text();
    expect(page).not.toContain("/login/create-account");
    const form = await service.fetch(`/login/create-account?flow=${encodeURIComponent(flow)}`);
    expect([form.status, form.headers.get("location")]).toEqual([303, expect.stringContaining("/login?flow=")]);
  });

  it("creates none when the form is posted anyway", async () => {
    const person = { email: "mallory@x.test", givenName: "M", familyName: "X", password: "a lamp, a river and a tram" };
    const answer = await service.browser().post("/login/create-account/submit", { flow, ...person });
    expect(answer.headers.get("location")).toContain("/login?");
    expect(await mailsTo(service)).toEqual([]);
  });
});
