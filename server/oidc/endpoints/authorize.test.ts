import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorize, authorizePath, fillSignIn, redeem, type Tokens, tokensOf } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("authorization endpoint (OIDC Core §3.1.2) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const get = (parameters: Partial<Record<string, string>>) => service.browser().get(authorizePath(parameters));

  describe("before client and redirect URI are known to belong together (RFC 6749 §4.1.2.1)", () => {
    it.each([
      ["an unknown client", { client_id: "unknown" }],
      ["no client", { client_id: undefined }],
      ["no redirect_uri", { redirect_uri: undefined }],
      ["an unregistered redirect_uri", { redirect_uri: "https://evil.test/cb" }],
      ["a registered redirect_uri with a longer path", { redirect_uri: "https://rp.test/cb/more" }],
      ["a redirect_uri with a query added", { redirect_uri: "https://rp.test/cb?a=b" }],
      [
        "a bad response_type with an unregistered redirect_uri",
        { redirect_uri: "https://evil.test", response_type: "x" },
      ],
    ])("shows a page for %s and redirects nowhere", async (_, parameters) => {
      const response = await get(parameters);
      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toContain("text/html");
      expect(response.headers.get("location")).toBeNull();
    });

    it("shows the refused redirect_uri as inert text", async () => {
      const html = await (await get({ redirect_uri: 'https://evil.test/"><script>alert(1)</script>' })).text();
      expect(html).toContain("&lt;script&gt;");
      expect(html).not.toContain("<script>alert");
    });

    it.each(["client_id=%FF", "redirect_uri=%00"])("shows a page for %s next to a valid value", async (one) => {
      const response = await service.fetch(`${authorizePath()}&${one}`);
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    });

    it("shows a page for a repeated client_id", async () => {
      const response = await service.fetch(`${authorizePath()}&client_id=web`);
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    });
  });

  describe("redirects an error to the application for", () => {
    it.each([
      ["a missing response_type", { response_type: undefined }, "invalid_request"],
      ["an unknown response_type", { response_type: "token" }, "unsupported_response_type"],
      ["a response_type that the app is not registered for", { response_type: "id_token" }, "unauthorized_client"],
      ["a scope without openid", { scope: "profile" }, "invalid_scope"],
      ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
      ["a request_uri", { request_uri: "https://169.254.169.254/" }, "request_uri_not_supported"],
      ["PKCE plain", { code_challenge: "x".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
      ["prompt none together with login", { prompt: "none login" }, "invalid_request"],
      ["an unknown prompt", { prompt: "whatever" }, "invalid_request"],
      ["a negative max_age", { max_age: "-1" }, "invalid_request"],
      ["a max_age that is not a number", { max_age: "1e99" }, "invalid_request"],
      [
        "an essential acr that is not supported (OIDC Core §5.5.1.1)",
        { claims: '{"id_token":{"acr":{"essential":true,"values":["urn:other"]}}}' },
        "unmet_authentication_requirements",
      ],
      ["no session with prompt=none", { prompt: "none" }, "login_required"],
    ])("%s", async (_, parameters, error) => {
      const response = await get(parameters);
      const answer = answerOf(response);
      expect(response.status).toBe(303);
      expect(answer.get("error")).toBe(error);
      expect(answer.get("state")).toBe("s-1");
      expect(answer.get("iss")).toBe(BASE_URL); // RFC 9207
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    });

    it("a repeated parameter", async () => {
      const response = await service.fetch(`${authorizePath()}&scope=openid`);
      expect(answerOf(response).get("error")).toBe("invalid_request");
    });

    it.each([
      ["bytes that are not UTF-8", "nonce=%FF"],
      ["a NUL", "login_hint=a%00"],
      ["an incomplete escape", "display=%"],
      ["a name that cannot be decoded", "%FF=1"],
    ])(
      "%s in one parameter, by GET and POST (RFC 6749 §4.1.2.1: only errors of client or redirect URI stay here)",
      async (_, one) => {
        const form = `${authorizePath().split("?")[1]}&${one}`;
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        const byPost = await service.fetch("/oauth/v2/authorize", { method: "POST", body: form, headers });
        for (const response of [await service.fetch(`/oauth/v2/authorize?${form}`), byPost]) {
          expect(Object.fromEntries(answerOf(response))).toMatchObject({ error: "invalid_request", state: "s-1" });
        }
      },
    );

    it("a state that cannot be decoded, without a state", async () => {
      const response = await service.fetch(`${authorizePath({ state: undefined })}&state=%FF`);
      expect(answerOf(response).get("error")).toBe("invalid_request");
      expect(answerOf(response).has("state")).toBe(false);
    });

    it("a public client without PKCE", async () => {
      expect(answerOf(await get({ client_id: "spa" })).get("error")).toBe("invalid_request");
    });

    it("a request for tokens, in the fragment", async () => {
      const response = await get({ client_id: "implicit", response_type: "id_token", nonce: undefined });
      expect(response.headers.get("location")).toContain("https://rp.test/cb#error=invalid_request");
    });
  });

  it("writes nothing and sets no cookie before a user signs in", async () => {
    const { prisma } = service.ctx.db;
    const rows = async () => [await prisma.grant.count(), await prisma.session.count(), await prisma.event.count()];
    const before = await rows();
    const browser = service.browser();
    const page = await browser.get((await browser.get(authorizePath())).headers.get("location") ?? "");
    expect(page.status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    expect(await rows()).toEqual(before);
  });

  it("signs in with the login name or the user name alone, in any case", async () => {
    for (const loginName of ["bob@acme.test", "bob", "BOB", " Bob@ACME.test "]) {
      expect((await authorize(service.browser(), {}, { loginName })).get("code")).toBeTruthy();
    }
  });

  it("stays within 16 kB with the longest state of any script, and reports the limit in errors", async () => {
    const longest = "🐎".repeat(1024);
    const browser = service.browser();
    const answer = await authorize(browser, { state: longest });
    expect(answer.get("state")).toBe(longest);
    const silent = await browser.get(authorizePath({ state: longest, prompt: "none" }));
    expect((silent.headers.get("location") ?? "").length).toBeLessThan(14_000);
    const refused = await service.fetch(authorizePath({ state: "x".repeat(1000), scope: "email" }));
    expect(answerOf(refused).get("state")).toBe("x".repeat(1000));
  });

  it("issues nothing for HEAD, with a session or without (RFC 9110 §9.2.1)", async () => {
    const browser = service.browser();
    await authorize(browser);
    const grants = () => service.ctx.db.prisma.grant.count();
    const before = await grants();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const head = (path: string) => service.fetch(path, { method: "HEAD", headers: { cookie } });
    const page = await head(authorizePath());
    expect([page.status, page.headers.get("location")]).toEqual([303, expect.stringContaining("/login?flow=")]);
    expect(answerOf(await head(authorizePath({ prompt: "none" }))).get("error")).toBe("login_required");
    expect(await grants()).toBe(before);
  });

  it("keeps state byte for byte", async () => {
    const state = "a b+c%20&=/?#ü\u{1F600}-._~".padEnd(128, "x");
    expect((await authorize(service.browser(), { state })).get("state")).toBe(state);
  });

  it("skips the page with a session, and returns silently with prompt=none, with the same auth_time", async () => {
    const browser = service.browser();
    const first = decodeJwt((await tokensOf(service, browser)).id_token);
    service.advance(5_000);
    const silent = await browser.get(authorizePath({ prompt: "none" }));
    const code = answerOf(silent).get("code") ?? "";
    const second = decodeJwt(((await (await redeem(service, code)).json()) as Tokens).id_token);
    expect([second.sub, second.auth_time]).toEqual([first.sub, first.auth_time]);
  });

  it("returns an error for prompt=none with a hint that names no user", async () => {
    const browser = service.browser();
    const { id_token, access_token } = await tokensOf(service, browser);
    const [header, payload] = id_token.split(".");
    for (const hint of ["nonsense", "a.b.c", access_token, `${header}.${payload}.`, "x".repeat(9000)]) {
      const silent = answerOf(await browser.get(authorizePath({ prompt: "none", id_token_hint: hint })));
      expect([silent.get("error"), silent.get("code")]).toEqual(["login_required", null]);
      expect(answerOf(await browser.get(authorizePath({ id_token_hint: hint }))).get("code")).toBeTruthy();
    }
    const own = answerOf(await browser.get(authorizePath({ prompt: "none", id_token_hint: id_token })));
    expect(own.get("code")).toBeTruthy();
  });

  it("asks again with prompt=login and with a max_age that has passed, and updates auth_time", async () => {
    for (const parameters of [{ prompt: "login" }, { max_age: "1" }]) {
      const browser = service.browser();
      const first = decodeJwt((await tokensOf(service, browser)).id_token);
      service.advance(3_000);
      const asked = await browser.get(authorizePath(parameters));
      expect(asked.headers.get("location")).toContain("/login?flow=");
      const code = answerOf(await fillSignIn(browser, asked)).get("code") ?? "";
      const second = decodeJwt(((await (await redeem(service, code)).json()) as Tokens).id_token);
      expect(second.auth_time).toBeGreaterThan(Number(first.auth_time));
    }
  });

  it("gives the browser a new token at every authentication and invalidates the old one", async () => {
    const browser = service.browser();
    await authorize(browser);
    const before = browser.cookies.get("ua") ?? "";
    await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })));
    expect(browser.cookies.get("ua")).not.toBe(before);
    const thief = service.browser();
    thief.cookies.set("ua", before);
    expect(answerOf(await thief.get(authorizePath({ prompt: "none" }))).get("error")).toBe("login_required");
  });

  it("lets a user with two sessions choose, and returns an error for prompt=none", async () => {
    const browser = service.browser();
    await authorize(browser);
    await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), { loginName: "bob" });
    const asked = await browser.get(authorizePath());
    expect(asked.headers.get("location")).toContain("/login/select-account?flow=");
    expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("error")).toBe("interaction_required");

    const page = await browser.get(asked.headers.get("location") ?? "");
    const session = /value="([^"]+)" name="session"/.exec(await page.text())?.[1] ?? "";
    const flow = new URL(asked.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    expect(answerOf(await browser.post("/login/select-account/submit", { flow, session })).get("code")).toBeTruthy();
    const foreign = await browser.post("/login/select-account/submit", { flow, session: "another" });
    expect(foreign.headers.get("location")).toContain("/login/select-account");
  });

  it("responds to the implicit flow in the fragment, with claims in the id_token if there is no access token", async () => {
    const alone = await authorize(service.browser(), { client_id: "implicit", response_type: "id_token" });
    expect(decodeJwt(alone.get("id_token") ?? "")).toMatchObject({ name: "Ada Lovelace", nonce: "n-1" });
    expect(decodeJwt(alone.get("id_token") ?? "").at_hash).toBeUndefined();
    expect([...alone.keys()].sort()).toEqual(["id_token", "iss", "state", "token_type"]);
    expect(alone.get("token_type")).toBe("Bearer");
    const both = await authorize(service.browser(), { client_id: "implicit", response_type: "token id_token" });
    expect(both.get("token_type")).toBe("Bearer");
    const claims = decodeJwt(both.get("id_token") ?? "");
    expect([claims.name, typeof claims.at_hash]).toEqual([undefined, "string"]);
  });

  it("posts the response with response_mode=form_post", async () => {
    const browser = service.browser();
    const answer = await fillSignIn(browser, await browser.get(authorizePath({ response_mode: "form_post" })));
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain('action="https://rp.test/cb"');
    expect(html).toMatch(/name="code" value="[\w-]{43}"/);
  });

  it("accepts the request as a form post", async () => {
    const response = await service.fetch("/oauth/v2/authorize", {
      method: "POST",
      body: new URLSearchParams(authorizePath().split("?")[1]),
    });
    expect(response.headers.get("location")).toContain("/login?flow=");
  });
});
