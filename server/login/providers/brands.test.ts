import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { reachProvidersBy } from "../../oidc/provider-endpoints";
import { apiToken, callApi } from "../../testing/api";
import { type BrandedProviders, brandedClaims, brandedProviders, TENANT } from "../../testing/branded-providers";
import { exampleBootstrap } from "../../testing/example";
import { letIn, onOf } from "../../testing/flow";
import { goToProvider } from "../../testing/provider-sign-in";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

const CLIENT = { clientId: "us", clientSecret: "s3cret" };
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
const team = generateKeyPairSync("ec", { namedCurve: "P-256" });
const APPLE = {
  ...{ clientId: "us", teamId: "TEAM123456", keyId: "KEY1234567" },
  privateKey: team.privateKey.export({ type: "pkcs8", format: "pem" }),
};

/** What each provider answers is not what the standards say, in ways of its own. */
describe("sign-in at well-known providers", () => {
  let service: TestService;
  let token: string;
  let providers: BrandedProviders;
  /** Rows of attempts are merged, so the checks are read from the log. */
  const refusals: string[] = [];
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
    providers = await brandedProviders(String(team.publicKey.export({ type: "spki", format: "pem" })));
    reachProvidersBy(service.ctx, providers.fetch);
    const info = ({ reason }: { reason?: string }) => (reason === undefined ? 0 : refusals.push(reason));
    Object.assign(service.ctx, { log: { ...service.ctx.log, info } });
  });
  beforeEach(() => void Object.assign(providers, { claims: {}, redeemed: [] }));
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const offer = async (path: string, more: object = CLIENT): Promise<string> => {
    const { body } = await call("POST", `/management/v1/idps/${path}`, { ...more, providerOptions: OPTIONS });
    await call("POST", "/management/v1/policies/login/idps", { idpId: body.id });
    return body.id;
  };
  /** Goes there and comes back with a code and no `iss`, which none of them sends. */
  const signIn = async (idp: string, more: Record<string, string> = {}) => {
    const browser = service.browser();
    const at = await goToProvider(browser, idp);
    const state = at.searchParams.get("state") ?? "";
    const query = new URLSearchParams({ code: at.searchParams.get("nonce") ?? state, state, ...more });
    const answer = await browser.get(`/idps/callback?${query}`);
    return { at, browser, answer: await letIn(browser, answer) };
  };
  const linkOf = (providerId: string) =>
    service.ctx.db.prisma.identityLink.findFirst({ where: { providerId } }).then(async (link) => ({
      ...link,
      user: link && (await service.ctx.db.prisma.user.findUnique({ where: { id: link.userId } })),
    }));
  const hasCode = (answer: Response) => onOf(answer).startsWith("/cb?code=");
  it("takes Google's id_token, whose `hd` decides nothing", async () => {
    const idp = await offer("google");
    const { answer, at } = await signIn(idp);
    expect([hasCode(answer), at.origin]).toEqual([true, "https://accounts.google.com"]);
    const user = { email: "gwen@elsewhere.test", isEmailVerified: true, firstName: "Gwen", lastName: "Gold" };
    expect(await linkOf(idp)).toMatchObject({ externalId: brandedClaims.google.sub, user });
    expect(providers.redeemed[0]?.form.get("client_secret")).toBe("s3cret");
    await flushAttempts(service.ctx);
    const where = { reason: "signed_in", detail: { startsWith: "Google" } };
    const attempt = await service.ctx.db.prisma.signInAttempt.findFirst({ where });
    expect(attempt?.detail).toBe("Google (passed: response, token, id_token, signature, user, identity)");
  });

  it("creates no account of an address at Google that is not verified", async () => {
    providers.claims = { sub: "2", email: "other@elsewhere.test", email_verified: false };
    const { answer } = await signIn(await offer("google", { ...CLIENT, name: "Google 2" }));
    expect(onOf(answer)).toMatch(/^\/login\/create-account/);
  });

  describe("at Microsoft", () => {
    it.each([
      ["any tenant", {}],
      ["any organization", { tenantType: "AZURE_AD_TENANT_TYPE_ORGANISATIONS" }],
    ])(
      "of %s, checks the issuer of the token's tenant, and does not take the address as verified",
      async (_, tenant) => {
        const idp = await offer("azure", {
          ...CLIENT,
          name: JSON.stringify(tenant).slice(0, 60),
          tenant,
          emailVerified: true,
        });
        const { answer } = await signIn(idp);
        expect(onOf(answer)).toMatch(/^\/login\/create-account/);
        providers.claims = { iss: `https://login.microsoftonline.com/${TENANT.replace("7f", "8a")}/v2.0` };
        expect(onOf((await signIn(idp)).answer)).toMatch(/^\/login\?/);
        expect(refusals.at(-1)).toMatch(/id_token: .*iss/);
      },
    );

    it.each([
      ["its id", TENANT],
      ["its domain", "acme.onmicrosoft.com"],
    ])(
      "of one tenant by %s, links by the object id, and takes the address as verified if that is set",
      async (_, tenantId) => {
        const more = { tenant: { tenantId }, emailVerified: true, name: `Entra ${tenantId}` };
        const idp = await offer("azure", { ...CLIENT, ...more });
        providers.claims = { oid: `oid-${tenantId}`, email: `mia@${tenantId}.test` };
        expect(hasCode((await signIn(idp)).answer)).toBe(true);
        const user = { firstName: "Mia", lastName: "Major", isEmailVerified: true };
        expect(await linkOf(idp)).toMatchObject({ externalId: `oid-${tenantId}`, user });
      },
    );

    it("refuses another tenant than the one that is set", async () => {
      const idp = await offer("azure", { ...CLIENT, tenant: { tenantId: TENANT }, name: "One tenant" });
      providers.claims = { tid: "11111111-1111-1111-1111-111111111111" };
      expect(onOf((await signIn(idp)).answer)).toMatch(/^\/login\?/);
    });

    it("knows the issuer of personal accounts", async () => {
      const tenant = { tenantType: "AZURE_AD_TENANT_TYPE_CONSUMERS" };
      const idp = await offer("azure", { ...CLIENT, tenant, name: "Personal" });
      providers.claims = {
        tid: "9188040d-6c67-4c5b-b112-36a304b66dad",
        xms_edov: true,
        oid: "me",
        email: "m@live.test",
      };
      expect(hasCode((await signIn(idp)).answer)).toBe(true);
    });

    it("does not count `common` as the one tenant whose addresses are verified", async () => {
      const tenant = { tenantId: "common" };
      const idp = await offer("azure", { ...CLIENT, tenant, emailVerified: true, name: "Common" });
      providers.claims = { oid: "oid-common" };
      expect(onOf((await signIn(idp)).answer)).toMatch(/^\/login\/create-account/);
    });
  });

  it("returns from Apple by a form, with the name that Apple sends once, and makes its secret of the key", async () => {
    const idp = await offer("apple", APPLE);
    const walk = async (user?: object) => {
      const browser = service.browser();
      const at = await goToProvider(browser, idp);
      const [state, nonce] = ["state", "nonce"].map((name) => at.searchParams.get(name) ?? "");
      const form = { code: nonce ?? "", state: state ?? "", ...(user && { user: JSON.stringify(user) }) };
      // From Apple's site, without our cookies.
      const headers = { origin: "https://appleid.apple.com", "sec-fetch-site": "cross-site" };
      const init = { method: "POST", body: new URLSearchParams(form), headers };
      const posted = await service.fetch("/idps/callback", init);
      return { at, answer: await letIn(browser, await browser.get(onOf(posted))) };
    };
    const { at, answer } = await walk({ name: { firstName: "Anna", lastName: "Apple" }, email: "evil@elsewhere.test" });
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      response_mode: "form_post",
      scope: "openid name email",
    });
    expect(hasCode(answer)).toBe(true);
    const user = { firstName: "Anna", lastName: "Apple", email: brandedClaims.apple.email, isEmailVerified: true };
    expect(await linkOf(idp)).toMatchObject({ externalId: brandedClaims.apple.sub, user });
    expect(hasCode((await walk()).answer)).toBe(true);
    expect(await linkOf(idp)).toMatchObject({ user });
    const browser = service.browser();
    const state = (await goToProvider(browser, idp)).searchParams.get("state") ?? "";
    const canceled = await browser.get(
      `/idps/callback?${new URLSearchParams({ error: "user_cancelled_authorize", state })}`,
    );
    expect(await (await browser.get(onOf(canceled))).text()).toContain("You canceled");
  });

  it("asks GitHub for the primary verified address, and names the error that it sends with the status 200", async () => {
    const idp = await offer("github");
    const { answer, at } = await signIn(idp);
    expect([hasCode(answer), at.searchParams.get("scope"), at.searchParams.has("nonce")]).toEqual([
      true,
      "read:user user:email",
      false,
    ]);
    const user = { email: "octo@elsewhere.test", isEmailVerified: true };
    expect(await linkOf(idp)).toMatchObject({ externalId: "583231", userName: "octo", user });
    expect(onOf((await signIn(idp, { code: "stale" })).answer)).toMatch(/^\/login\?/);
    expect(refusals.at(-1)).toContain("token: it answered bad_verification_code (passed: response)");
  });

  it.each([
    ["is not verified", [{ email: "ada@acme.test", verified: false, primary: true }]],
    ["is not primary", [{ email: "ada@acme.test", verified: true, primary: false }]],
    ["is not told", { message: "Resource not accessible by integration" }],
  ])("takes no address of GitHub that %s", async (why, emails) => {
    const idp = await offer("github", { ...CLIENT, name: `GitHub ${why}` });
    await service.ctx.db.prisma.identityLink.deleteMany();
    providers.githubEmails = emails;
    expect(onOf((await signIn(idp)).answer)).toMatch(/^\/login\/create-account/);
  });

  it("takes GitLab's id_token and userinfo", async () => {
    const idp = await offer("gitlab");
    expect(hasCode((await signIn(idp)).answer)).toBe(true);
    const user = { firstName: "Lee", lastName: "Lab", email: "lee@elsewhere.test" };
    expect(await linkOf(idp)).toMatchObject({ externalId: "4711", userName: "lee", user });
  });

  it.each(["invalid_scope", "server_error", "redirect_uri_mismatch"])(
    "does not say that users canceled if the provider answers %s",
    async (error) => {
      const idp = await offer("gitlab", { ...CLIENT, name: `GitLab ${error}` });
      const browser = service.browser();
      const state = (await goToProvider(browser, idp)).searchParams.get("state") ?? "";
      const answer = await browser.get(`/idps/callback?${new URLSearchParams({ error, state })}`);
      expect(await (await browser.get(onOf(answer))).text()).not.toContain("You canceled");
      expect(refusals.at(-1)).toContain(`response: it says ${error}`);
    },
  );

  it("is tested without a user at each of them", async () => {
    for (const [path, more] of [
      ["google", CLIENT],
      ["apple", APPLE],
      ["github", CLIENT],
      ["gitlab", CLIENT],
    ] as const) {
      const { id } = (await call("POST", `/management/v1/idps/${path}`, { ...more, name: `Tested ${path}` })).body;
      const { checks } = (await call("POST", `/management/v1/idps/${id}/_test`)).body;
      expect(checks.map(({ passed }: { passed?: boolean }) => passed)).not.toContain(false);
    }
    expect(BASE_URL).toBe(new URL(providers.redeemed[0]?.form.get("redirect_uri") ?? "").origin);
  });
});
