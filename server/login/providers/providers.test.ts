import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { apiToken, callApi } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { setLoginPolicy } from "../../testing/factors";
import { authorizePath, flowOf, letIn, onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const ALL = { isLinkingAllowed: true, isCreationAllowed: true };
let number = 0;
let name = "";

describe.each(ruleDatabases)("sign-in at identity providers, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let provider: ForgedProvider;
  /** Rows of attempts are merged, so the checks are read from the log. */
  const refusals: string[] = [];
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    const info = ({ reason }: { reason?: string }) => (reason === undefined ? 0 : refusals.push(reason));
    Object.assign(service.ctx, { log: { ...service.ctx.log, info } });
  });
  beforeEach(async () => {
    provider = await forgedProvider();
    await flushAttempts(service.ctx);
    await service.ctx.db.prisma.signInAttempt.deleteMany();
    return () => provider.close();
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const offer = async (options: object = ALL): Promise<string> => {
    name = `Provider ${number++}.`;
    const body = { name, clientId: "us", clientSecret: "s3cret", issuer: provider.issuer };
    const { id } = (await call("POST", "/management/v1/idps/generic_oidc", { ...body, providerOptions: options })).body;
    await call("POST", "/management/v1/policies/login/idps", { idpId: id });
    return id;
  };
  /** Presses the button and returns the address at the provider. */
  const start = async (browser: TestBrowser, idp: string, parameters = {}): Promise<URL> => {
    const first = await browser.get(authorizePath(parameters));
    const answer = await browser.post("/login/idp", { flow: flowOf(first), idp });
    return new URL(answer.headers.get("location") ?? "about:blank");
  };
  const responseTo = (at: URL, more: Record<string, string> = {}) =>
    `/idps/callback?${new URLSearchParams({
      code: at.searchParams.get("nonce") ?? "",
      state: at.searchParams.get("state") ?? "",
      iss: provider.issuer,
      ...more,
    })}`;
  const signIn = async (browser: TestBrowser, idp: string, more: Record<string, string> = {}) =>
    letIn(browser, await browser.get(responseTo(await start(browser, idp), more)));
  const codeOf = (response: Response) => onOf(response).startsWith("/cb?code=");
  const lastReason = async () => {
    await flushAttempts(service.ctx);
    const row = await service.ctx.db.prisma.signInAttempt.findFirst({ where: { detail: { startsWith: name } } });
    return [row?.reason, row?.detail ?? ""] as const;
  };
  const people = (email: string) => service.ctx.db.prisma.user.findMany({ where: { email } });
  const linksOf = (userId: string) => service.ctx.db.prisma.identityLink.count({ where: { userId } });
  const fresh = () => {
    number++;
    return { sub: `sub-${number}-${kind}`, email: `p${number}@elsewhere.test`, email_verified: true, name: "Pat Doe" };
  };

  it("creates an account without asking, links it, and signs in to it again", async () => {
    const idp = await offer({ ...ALL, isAutoCreation: true, isAutoUpdate: true });
    provider.claims = fresh();
    const answer = await signIn(service.browser(), idp);
    expect(onOf(answer)).toMatch(/^\/cb\?code=/);
    const [user] = await people(String(provider.claims.email));
    expect(user).toMatchObject({ firstName: "Pat", lastName: "Doe", isEmailVerified: true, passwordHash: null });
    provider.claims = { ...provider.claims, name: "Pat Roe" };
    expect(codeOf(await signIn(service.browser(), idp))).toBe(true);
    expect(await people(String(provider.claims.email))).toMatchObject([{ id: user?.id, lastName: "Roe" }]);
    expect(await linksOf(user?.id ?? "")).toBe(1);
    expect(provider.redeemed.at(-1)?.get("code_verifier")).toMatch(/^[\w-]{43}$/);
  });

  it("asks with a form that is filled in, and connects an account that the user proves by signing in", async () => {
    const idp = await offer();
    provider.claims = fresh();
    const browser = service.browser();
    const asked = await browser.get(responseTo(await start(browser, idp)));
    expect(onOf(asked)).toMatch(/^\/login\/create-account\?/);
    const page = await (await browser.get(onOf(asked))).text();
    expect(page).toContain(`value="${provider.claims.email}"`);
    expect(page).not.toContain('name="password"');
    const flow = flowOf(asked);
    const signedIn = await browser.post("/login/submit", { flow, loginName: "ada@acme.test", password: PASSWORD });
    expect(codeOf(await letIn(browser, signedIn))).toBe(true);
    expect(await linksOf("u-ada")).toBeGreaterThan(0);
    expect(codeOf(await signIn(service.browser(), idp))).toBe(true);
    await service.ctx.db.prisma.identityLink.deleteMany({ where: { userId: "u-ada" } });
  });

  it("creates the account of the form without a mailed code, as the provider has verified the address", async () => {
    const idp = await offer();
    provider.claims = fresh();
    const browser = service.browser();
    const asked = await browser.get(responseTo(await start(browser, idp)));
    const form = { email: String(provider.claims.email), givenName: "Pat", familyName: "Doe" };
    const made = await browser.post("/login/create-account/submit", { flow: flowOf(asked), ...form });
    expect(codeOf(await letIn(browser, made))).toBe(true);
    expect(await people(form.email)).toHaveLength(1);
  });

  it("connects accounts without asking only in a domain that their organization has proven", async () => {
    const idp = await offer({ ...ALL, autoLinking: "AUTO_LINKING_OPTION_EMAIL" });
    provider.claims = { ...fresh(), email: "ada@acme.test", email_verified: false };
    expect(codeOf(await signIn(service.browser(), idp))).toBe(false);
    provider.claims = { ...fresh(), email: "ada@acme.test" };
    expect(codeOf(await signIn(service.browser(), idp))).toBe(true);
    expect(await linksOf("u-ada")).toBe(1);
    await service.ctx.db.prisma.identityLink.deleteMany({ where: { userId: "u-ada" } });
  });

  it("does not link an account when another browser is led into the flow of a stranger", async () => {
    const idp = await offer();
    provider.claims = fresh();
    const stranger = service.browser();
    const flow = flowOf(await stranger.get(responseTo(await start(stranger, idp))));
    const victim = service.browser();
    await victim.post("/login/submit", { flow, loginName: "ada@acme.test", password: PASSWORD });
    expect(await linksOf("u-ada")).toBe(0);
  });

  it("refuses users of no account if nothing is allowed, and inactive users", async () => {
    const idp = await offer({ isAutoUpdate: true });
    provider.claims = fresh();
    const answer = await signIn(service.browser(), idp);
    expect(onOf(answer)).toMatch(/^\/login\?/);
    expect((await lastReason())[0]).toBe("provider_unknown_user");
  });

  it("shows the sign-in page again if the user cancels at the provider", async () => {
    const idp = await offer();
    const browser = service.browser();
    const at = await start(browser, idp);
    const query = new URLSearchParams({
      error: "access_denied",
      state: at.searchParams.get("state") ?? "",
      iss: provider.issuer,
    });
    const answer = await browser.get(`/idps/callback?${query}`);
    expect(await (await browser.get(onOf(answer))).text()).toContain("You canceled");
    expect(await lastReason()).toEqual(["provider_denied", expect.stringContaining("access_denied")]);
  });

  describe("attacks", () => {
    const attacked = async (more: Record<string, string>, detail: RegExp) => {
      const idp = await offer({ ...ALL, isAutoCreation: true });
      provider.claims = { ...fresh(), ...provider.claims };
      const answer = await signIn(service.browser(), idp, more);
      expect(onOf(answer)).toMatch(/^\/login\?/);
      expect(refusals.at(-1)).toMatch(detail);
      expect(await people(String(provider.claims.email))).toEqual([]);
    };

    it("refuses the issuer of another provider in the response (mix-up)", () =>
      attacked({ iss: "https://honest.test" }, /response:/));
    it("refuses a response without the issuer that the provider announces", () => attacked({ iss: "" }, /response:/));
    it("refuses an injected code, whose id_token has another nonce", () =>
      attacked({ code: "other" }, /id_token:.*nonce/));
    it("refuses another issuer in the id_token", () => {
      provider.claims = { iss: "https://evil.test" };
      return attacked({}, /id_token:.*iss/);
    });
    it("refuses another audience", () => {
      provider.claims = { aud: "them" };
      return attacked({}, /id_token:.*aud/);
    });
    it("refuses an expired id_token", () => {
      provider.claims = { exp: 1 };
      return attacked({}, /id_token:.*exp/);
    });
    it("refuses the algorithm none", () => {
      provider.forge = async (claims) => new UnsecuredJWT(claims).encode();
      return attacked({}, /id_token:/);
    });
    it("refuses HS256 with the public key or the client secret as key", () => {
      provider.document = { id_token_signing_alg_values_supported: ["ES256", "HS256"] };
      provider.forge = (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256", kid: "k1" })
          .sign(new TextEncoder().encode(provider.publicPem));
      return attacked({}, /(id_token|signature):/);
    });
    it("refuses a wrong signature", () => {
      provider.forge = async (claims) =>
        `${(await provider.sign(claims)).split(".").slice(0, 2).join(".")}.${"A".repeat(86)}`;
      return attacked({}, /signature:/);
    });

    it("refuses two issuers in the response", async () => {
      const browser = service.browser();
      const response = responseTo(await start(browser, await offer({ ...ALL, isAutoCreation: true })));
      expect(onOf(await browser.get(`${response}&iss=https://honest.test`))).toMatch(/^\/login\?/);
      expect([refusals.at(-1), provider.redeemed]).toEqual([expect.stringMatching(/^response:.*iss/), []]);
    });
    it("does not follow the token endpoint into the network", () => {
      provider.refusal = { status: 307, error: "moved", location: "http://169.254.169.254/latest" };
      return attacked({}, /^token: it answered moved/);
    });
    it("ends with the sign-in page if the provider goes down meanwhile, which is the check of the token", async () => {
      const idp = await offer({ ...ALL, isAutoCreation: true });
      const browser = service.browser();
      const at = await start(browser, idp);
      await provider.close();
      expect(onOf(await browser.get(responseTo(at)))).toMatch(/^\/login\?/);
      expect(refusals.at(-1)).toMatch(/^token: .*\(passed: response\)/);
    });

    it("refuses a response in a browser that did not start it (login CSRF), and one that is sent again", async () => {
      const idp = await offer({ ...ALL, isAutoCreation: true });
      provider.claims = fresh();
      const browser = service.browser();
      const at = await start(browser, idp);
      const foreign = await service.browser().get(responseTo(at));
      expect([foreign.status, provider.redeemed.length]).toEqual([410, 0]);
      expect(codeOf(await letIn(browser, await browser.get(responseTo(at))))).toBe(true);
      const again = await browser.get(responseTo(at));
      expect([onOf(again).split("?")[0], provider.redeemed.length]).toEqual(["/login", 1]);
    });

    it.each([
      ["token_endpoint", "https://169.254.169.254/token"],
      ["jwks_uri", "https://10.0.0.1/keys"],
      ["issuer", "https://evil.test"],
    ])("calls no address inside the network that the document names as %s", async (member, value) => {
      provider.document = { [member]: value };
      const idp = await offer({ ...ALL, isAutoCreation: true });
      provider.claims = fresh();
      const at = await start(service.browser(), idp);
      if (member === "issuer") return expect(at.pathname).toBe("/login");
      expect(codeOf(await signIn(service.browser(), idp))).toBe(false);
      expect(refusals.at(-1)).toContain("the address");
    });
  });

  it("offers no provider and signs no one in while the login policy turns them off", async () => {
    const idp = await offer({ ...ALL, isAutoCreation: true });
    provider.claims = fresh();
    const at = await start(service.browser(), idp);
    await setLoginPolicy(service, { allowExternalIdp: false });
    const browser = service.browser();
    const hinted = await browser.get(authorizePath({ scope: `openid urn:service:iam:org:idp:id:${idp}` }));
    const page = await (await browser.get(onOf(hinted))).text();
    expect([page.includes('name="password"'), page.includes('name="idp"')]).toEqual([true, false]);
    expect((await start(browser, idp)).pathname).toBe("/login");
    expect(codeOf(await browser.get(responseTo(at)))).toBe(false);
    await setLoginPolicy(service, { allowExternalIdp: true });
    expect(codeOf(await signIn(service.browser(), idp))).toBe(true);
  });

  it("leads straight to the provider that the scope names, and lists the buttons otherwise", async () => {
    const idp = await offer();
    const browser = service.browser();
    const hinted = await browser.get(authorizePath({ scope: `openid urn:service:iam:org:idp:id:${idp}` }));
    const sent = await browser.get(onOf(hinted));
    expect(new URL(sent.headers.get("location") ?? "").origin).toBe(provider.issuer);
    const page = await service.browser().get(onOf(await service.browser().get(authorizePath())));
    expect(await page.text()).toContain(`value="${idp}" name="idp"`);
  });

  it("leads on by a page when the browser comes from one of ours, whose policy would apply to redirects", async () => {
    const idp = await offer();
    const browser = service.browser();
    const hinted = await browser.get(authorizePath({ scope: `openid urn:service:iam:org:idp:id:${idp}` }));
    const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" };
    const page = await browser.get(onOf(hinted), navigation);
    expect(page.status).toBe(200);
    expect(page.headers.get("refresh")).toMatch(new RegExp(`^0; url=${provider.issuer}/authorize\\?`));
    expect(await page.text()).toContain(`Continue to ${name}`);
    expect((await browser.get(onOf(hinted), { ...navigation, "sec-fetch-site": "cross-site" })).status).toBe(303);
  });
});
