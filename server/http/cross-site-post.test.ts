import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { authorizePath, tokensOf } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

describe("form posts from another site (OIDC Core §3.1.2.1, RP-Initiated Logout §2)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  const query = authorizePath({ state: "a b&ü\u{1F600}", prompt: "none" }).split("?")[1] ?? "";
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    service.fetch(path, {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site", ...headers },
    });

  it.each(["/oauth/v2/authorize", "/oidc/v1/end_session"])("%s are redirected to a GET request", async (path) => {
    const answer = await post(path, query);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const location = new URL(answer.headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe(BASE_URL + path);
    expect([...location.searchParams]).toEqual([...new URLSearchParams(query)]);
  });

  it("keep repeated parameters, so that they are rejected after the redirect, too", async () => {
    const location = (await post("/oauth/v2/authorize", `${query}&nonce=other`)).headers.get("location") ?? "";
    expect(new URL(location).searchParams.getAll("nonce")).toEqual(["n-1", "other"]);
  });

  it.each<[string, string, Record<string, string>]>([
    ["from the same site", query, { "sec-fetch-site": "same-site" }],
    ["from a browser that does not say where from", query, { "sec-fetch-site": "" }],
    ["longer than proxies take as an address", `${query}&extra=${"x".repeat(7_000)}`, {}],
  ])("are answered directly %s", async (_, body, headers) => {
    const location = (await post("/oauth/v2/authorize", body, headers)).headers.get("location") ?? "";
    expect(location).toContain("https://rp.test/cb?error=login_required");
  });

  it("are answered directly if they have the cookie or an unreadable body", async () => {
    const browser = service.browser();
    await tokensOf(service, browser);
    const cookie = `ua=${browser.cookies.get("ua")}`;
    const answer = await post("/oauth/v2/authorize", query, { cookie });
    expect(answer.headers.get("location")).toContain("https://rp.test/cb?code=");
    const broken = await post("/oauth/v2/authorize", "state=%ff");
    expect([broken.status, broken.headers.get("location")]).toEqual([400, null]);
  });
});
