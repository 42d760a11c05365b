import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD, SECRET } from "../testing/example";
import { authorize, authorizePath, basic, postToken, REDIRECT_URI, type Tokens } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const oidc = { clientSecret: SECRET, redirectUris: [REDIRECT_URI] };
const other = {
  id: "other",
  name: "Other",
  domains: [{ domain: "other.test", verified: true, primary: true }],
  users: [
    { id: "u-eve", userName: "eve", password: PASSWORD, roles: ["ORG_OWNER"] },
    { id: "u-mallory", userName: "mallory", password: PASSWORD },
  ],
  projects: [{ id: "po", name: "Other", apps: [{ id: "a-other", name: "O", oidc: { ...oidc, clientId: "other" } }] }],
};
const bootstrap = { organizations: [...exampleBootstrap.organizations, other] };

describe.each(ruleDatabases)("POST /v2/oidc/authorize_check on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const loginName of ["ada@acme.test", "eve", "mallory"]) {
      const scope = "openid urn:service:iam:org:project:id:service:aud";
      const code = (await authorize(service.browser(), { scope }, { loginName })).get("code") ?? "";
      const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
      const answer = await postToken(service, form, basic("web", SECRET));
      tokens[loginName] = ((await answer.json()) as Tokens).access_token;
    }
  });
  afterAll(() => service.close());

  const post = (body: unknown, who = "ada@acme.test") =>
    service.fetch("/v2/oidc/authorize_check", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${tokens[who]}`, "content-type": "application/json" },
    });
  const check = async (parameters: Partial<Record<string, string>>, who?: string) => {
    const response = await post({ url: `${BASE_URL}${authorizePath(parameters)}` }, who);
    expect(response.status).toBe(200);
    return response.json();
  };

  it("reports a valid request with the scopes it would be granted", async () => {
    expect(await check({ scope: "openid email unheard-of" })).toEqual({
      valid: true,
      clientId: "web",
      scope: "openid email",
    });
    expect(await service.ctx.db.prisma.grant.count()).toBe(3); // of the tokens above: nothing was issued
  });

  it("shows where the redirect URI differs from the registered one", async () => {
    expect(await check({ redirect_uri: "http://rp.test/cb/" })).toEqual({
      valid: false,
      rule: "redirect_uri",
      error: "invalid_request",
      description: "redirect_uri is not one of the registered addresses",
      answeredAt: "page",
      redirectUri: {
        sent: "http://rp.test/cb/",
        closest: "https://rp.test/cb",
        difference: [
          { kind: "same", text: "http" },
          { kind: "missing", text: "s" },
          { kind: "same", text: "://rp.test/cb" },
          { kind: "extra", text: "/" },
        ],
      },
    });
    expect(await check({ redirect_uri: "javascript:alert(1)" })).toMatchObject({
      redirectUri: { notRegistrable: "redirect_uri must not use this scheme: use https" },
    });
  });

  it.each([
    [{ client_id: undefined }, "client_id", "invalid_request", "page"],
    [{ client_id: "nobody" }, "client_id", "invalid_request", "page"],
    [{ redirect_uri: undefined }, "redirect_uri", "invalid_request", "page"],
    [{ request: "a.b.c" }, "request", "request_not_supported", "redirect_uri"],
    [{ request_uri: "https://rp.test/r" }, "request_uri", "request_uri_not_supported", "redirect_uri"],
    [{ response_type: undefined }, "response_type", "invalid_request", "redirect_uri"],
    [{ response_type: "token" }, "response_type", "unsupported_response_type", "redirect_uri"],
    [{ response_type: "id_token" }, "response_type", "unauthorized_client", "redirect_uri"],
    [{ response_mode: "x" }, "response_mode", "invalid_request", "redirect_uri"],
    [{ scope: undefined }, "scope", "invalid_request", "redirect_uri"],
    [{ scope: "email" }, "scope", "invalid_scope", "redirect_uri"],
    [{ scope: "openid urn:service:iam:org:id:nowhere" }, "scope", "invalid_scope", "redirect_uri"],
    [{ client_id: "spa" }, "code_challenge", "invalid_request", "redirect_uri"],
    [
      { client_id: "implicit", response_type: "id_token", nonce: undefined },
      "nonce",
      "invalid_request",
      "redirect_uri",
    ],
    [{ prompt: "never" }, "prompt", "invalid_request", "redirect_uri"],
    [{ max_age: "soon" }, "max_age", "invalid_request", "redirect_uri"],
    [{ claims: "{" }, "claims", "invalid_request", "redirect_uri"],
    [{ state: "x".repeat(5_000) }, "state", "invalid_request", "redirect_uri"],
  ])("names the first rule that %j breaks: %s", async (parameters, rule, error, answeredAt) => {
    expect(await check(parameters as Partial<Record<string, string>>)).toMatchObject({ rule, error, answeredAt });
  });

  it("names a repeated parameter and a different redirect URI", async () => {
    const url = `${BASE_URL}${authorizePath()}&nonce=again`;
    expect(await (await post({ url })).json()).toMatchObject({ rule: "nonce", error: "invalid_request" });
    const elsewhere = `https://elsewhere.test${authorizePath()}`;
    expect(await (await post({ url: elsewhere })).json()).toMatchObject({ rule: "url" });
  });

  it("reports an unreadable parameter to the application, and an unreadable address on a page", async () => {
    const ruleOf = async (more: string) => (await post({ url: `${BASE_URL}${authorizePath()}&${more}` })).json();
    expect(await ruleOf("nonce=%FF")).toMatchObject({ rule: "url", answeredAt: "redirect_uri" });
    expect(await ruleOf("redirect_uri=%FF")).toMatchObject({ rule: "url", answeredAt: "page" });
  });

  it("gives the same response for an app of another organization as for an unknown one", async () => {
    const foreign = await check({ client_id: "web" }, "eve");
    expect(foreign).toMatchObject({ rule: "client_id" });
    expect(foreign).toEqual(await check({ client_id: "nobody" }, "eve"));
    expect(await check({ client_id: "other" }, "eve")).toMatchObject({ valid: true });
    expect(await check({ client_id: "other" })).toMatchObject({ valid: true }); // the instance's owner
  });

  it("is open to administrators only", async () => {
    expect((await post({ url: "x" }, "mallory")).status).toBe(403);
    expect((await post({ url: "x" }, "nobody")).status).toBe(401);
    expect((await service.fetch("/v2/oidc/authorize_check", { method: "POST" })).status).toBe(401);
  });

  it.each([undefined, {}, { url: 1 }, { url: "" }, [], { url: "x".repeat(50_000) }])(
    "refuses a body without an address: 400",
    async (body) => {
      const response = await post(body);
      expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([400, 3]);
    },
  );
});
