import { randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInstance } from "../../directory/instance";
import { deliverNextNotification } from "../../oidc/backchannel/deliver";
import { apiToken } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { answerOf, authorizePath, flowOf, letIn, onOf, redeem, type Tokens, userinfo } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { serviceOnAPort, surfer } from "../../testing/on-a-port";
import { goToProvider, offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const BYE = "https://rp.test/bye";
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true };

describe.each(databaseKinds)("sign-out at and by identity providers, on %s", (kind) => {
  let service: TestService;
  let provider: ForgedProvider;
  let token: string;
  let idp: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    provider = await forgedProvider();
    provider.document = { end_session_endpoint: `${provider.issuer}/logout?tenant=1` };
    idp = await offerProviderOf(service, token, provider, {
      providerOptions: { ...OPTIONS, isFederatedLogoutEnabled: true },
    });
  });
  afterAll(async () => {
    await provider.close();
    await service.close();
  });

  let number = 0;
  interface Visitor {
    browser: TestBrowser;
    tokens: Tokens;
    sub: string;
    sid: string;
  }
  const visit = async (at = idp): Promise<Visitor> => {
    const [sub, sid] = [`sub-${number++}`, randomUUID()];
    provider.claims = { sub, sid, email: `${sub}-${kind}@elsewhere.test`, email_verified: true, name: "Pat Doe" };
    const browser = service.browser();
    // Without offline access, which stays.
    const flow = flowOf(await browser.get(authorizePath({ scope: "openid profile" })));
    const sent = await browser.post("/login/idp", { flow, idp: at });
    const back = await browser.get(responseOf(provider, new URL(sent.headers.get("location") ?? "")));
    const code = answerOf(await letIn(browser, back)).get("code") ?? "";
    return { browser, sub, sid, tokens: (await (await redeem(service, code)).json()) as Tokens };
  };
  const signOut = async ({ browser, tokens }: Visitor, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ id_token_hint: tokens.id_token, ...more });
    return new URL((await browser.get(`/oidc/v1/end_session?${query}`)).headers.get("location") ?? "");
  };
  const isSignedIn = async ({ browser }: Visitor) =>
    answerOf(await browser.get(authorizePath({ prompt: "none" }))).has("code");
  const hasToken = async ({ tokens }: Visitor) => (await userinfo(service, tokens.access_token)).status === 200;

  it("leads a sign-out to the provider with its id_token, and on to the application", async () => {
    const visitor = await visit();
    const at = await signOut(visitor, { post_logout_redirect_uri: BYE, state: "s" });
    expect(`${at.origin}${at.pathname}`).toBe(`${provider.issuer}/logout`);
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      ...{ tenant: "1", client_id: "us", id_token_hint: expect.stringMatching(/^ey/) },
      ...{ post_logout_redirect_uri: "http://localhost:8080/logout/done", state: expect.anything() },
    });
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await service.ctx.db.prisma.providerSession.count({ where: { sid: visitor.sid } })).toBe(0);
    const back = await visitor.browser.get(`/logout/done?state=${at.searchParams.get("state")}`);
    expect(back.headers.get("location")).toBe(`${BYE}?state=s`);
  });

  it("leads by a page after the form of ours, whose policy would apply to the redirect", async () => {
    const { browser } = await visit();
    const form = await browser.get("/logout");
    expect(await form.text()).toContain("/logout/submit");
    const { origin } = new URL(service.config.baseUrl);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const fetchHeaders = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
    const page = await service.fetch("/logout/submit", {
      method: "POST",
      body: new URLSearchParams(),
      headers: { origin, cookie, ...fetchHeaders },
    });
    expect([page.status, page.headers.get("refresh")]).toEqual([200, expect.stringContaining(provider.issuer)]);
  });

  it("ends on our page if the provider has no address for it, one of another kind, or does not ask for it", async () => {
    const { document } = provider;
    for (const endpoint of [undefined, "javascript:alert(1)", "http://evil.test/logout"]) {
      const visitor = await visit();
      provider.document = { end_session_endpoint: endpoint };
      service.advance(20_000);
      expect((await signOut(visitor)).pathname).toBe("/logout/done");
    }
    provider.document = document;
    service.advance(20_000);
    const quiet = await offerProviderOf(service, token, provider, { providerOptions: OPTIONS });
    expect((await signOut(await visit(quiet))).pathname).toBe("/logout/done");
    const rows = await service.ctx.db.prisma.providerSession.findMany({ where: { providerId: quiet } });
    expect(rows.every(({ sealedIdToken }) => sealedIdToken === null)).toBe(true);
  });

  it("ends on our page if the provider is down", async () => {
    const gone = await forgedProvider();
    gone.document = { end_session_endpoint: `${gone.issuer}/logout` };
    const options = { ...OPTIONS, isFederatedLogoutEnabled: true };
    const [usual, at] = [provider, await offerProviderOf(service, token, gone, { providerOptions: options })];
    provider = gone;
    const visitor = await visit(at);
    provider = usual;
    await gone.close();
    service.advance(20_000);
    expect((await signOut(visitor)).pathname).toBe("/logout/done");
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it("asks the provider for the choice of an account while another user is signed in", async () => {
    const { browser } = await visit();
    const asked = async (more: Record<string, string>) => {
      const first = await browser.get(authorizePath({ prompt: "login", ...more }));
      const answer = await browser.post("/login/idp", { flow: flowOf(first), idp });
      return new URL(answer.headers.get("location") ?? "").searchParams;
    };
    expect((await asked({})).get("prompt")).toBe("login");
    expect((await asked({ prompt: "", max_age: "0" })).get("max_age")).toBe("0");
    const select = await browser.get(authorizePath({ prompt: "select_account" }));
    const other = await browser.post("/login/select-account/submit", {
      flow: flowOf(select),
      "use-another-account": "1",
    });
    const to = await browser.post("/login/idp", { flow: flowOf(other), idp });
    expect(new URL(to.headers.get("location") ?? "").searchParams.get("prompt")).toBe("select_account");
  });

  const now = () => Math.floor(service.ctx.clock() / 1000);
  const claims = (more: JWTPayload): JWTPayload => {
    const at = { iat: now(), exp: now() + 120, jti: randomUUID() };
    return { iss: provider.issuer, aud: "us", ...at, events: EVENTS, ...more };
  };
  const post = (logoutToken: string, at = idp) =>
    service.fetch(`/idps/${at}/backchannel_logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: logoutToken }),
    });
  const told = async (more: JWTPayload, at = idp) => post(await provider.sign(claims(more)), at);

  it("ends the session and its tokens that the provider names, and no other", async () => {
    const [one, other] = [await visit(), await visit()];
    const answer = await told({ sid: one.sid });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect([await isSignedIn(one), await hasToken(one)]).toEqual([false, false]);
    expect([await isSignedIn(other), await hasToken(other)]).toEqual([true, true]);
    expect((await told({ sid: one.sid, sub: other.sub })).status).toBe(200);
    expect(await isSignedIn(other)).toBe(true);
    expect((await told({ sub: other.sub })).status).toBe(200);
    expect(await isSignedIn(other)).toBe(false);
    const events = await service.ctx.db.prisma.event.findMany({ where: { type: "user.signed_out", actor: "system" } });
    expect(events.map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ providerId: idp }));
  });

  it("refuses logout tokens that are wrong in any part, and ends nothing", async () => {
    const visitor = await visit();
    const { sid } = visitor;
    const signed = await provider.sign(claims({ sid }));
    const another = await offerProviderOf(service, token, provider, { clientId: "another" });
    const refused = async (answer: Promise<Response>) => {
      const { status } = await answer;
      expect([status, await isSignedIn(visitor)]).toEqual([400, true]);
    };
    const typed = (typ: string) =>
      new SignJWT(claims({ sid })).setProtectedHeader({ alg: "HS256", typ }).sign(new TextEncoder().encode(SECRET));
    await refused(post(""));
    await refused(post(new UnsecuredJWT(claims({ sid })).encode()));
    await refused(post(await typed("logout+jwt")));
    await refused(post(`${signed.slice(0, -8)}AAAAAAAA`));
    await refused(post(signed, another));
    await refused(post(signed, "unknown"));
    const wrong: JWTPayload[] = [
      { iss: "https://evil.test" },
      { aud: "another" },
      { iat: undefined },
      { iat: now() - 3_600 },
      { iat: now() + 3_600 },
      { exp: now() - 3_600 },
      { exp: undefined },
      { jti: undefined },
      { events: undefined },
      { events: {} },
      { events: { [Object.keys(EVENTS)[0] ?? ""]: "yes" } },
      { nonce: "n" },
      { sid: undefined },
      { sid: 1 },
      { sub: 1 as never },
    ];
    for (const one of wrong) await refused(told({ sid, ...one }));
    const once = await provider.sign(claims({ sub: "no one" }));
    expect([(await post(once)).status, (await post(once)).status]).toEqual([200, 400]);
  });

  it("ends the session that began behind a second page, when the account was connected", async () => {
    const quiet = await offerProviderOf(service, token, provider);
    const sid = randomUUID();
    provider.claims = { sub: `asked-${kind}`, sid, email: `asked-${kind}@elsewhere.test`, email_verified: true };
    const browser = service.browser();
    const asked = await browser.get(responseOf(provider, await goToProvider(browser, quiet)));
    expect(onOf(asked)).toMatch(/^\/login\/create-account\?/);
    const form = { email: String(provider.claims.email), givenName: "Pat", familyName: "Doe" };
    const made = await browser.post("/login/create-account/submit", { flow: flowOf(asked), ...form });
    expect(answerOf(await letIn(browser, made)).has("code")).toBe(true);
    const visitor = { browser } as Visitor;
    expect(await isSignedIn(visitor)).toBe(true);
    expect((await told({ sid }, quiet)).status).toBe(200);
    expect(await isSignedIn(visitor)).toBe(false);
  });
});

describe("this service as the identity provider of another one", () => {
  it("ends the sessions of both at a sign-out at either of them", async () => {
    const [acme] = exampleBootstrap.organizations;
    const relying = await serviceOnAPort({ organizations: [{ id: "rp", name: "Relying" }] }, "127.0.0.1");
    // Its address is known only now; the provider's key set and document are read by HTTP.
    const client = {
      ...{ clientId: "relying", clientSecret: SECRET, devMode: true },
      redirectUris: [`${relying.origin}/idps/callback`],
      postLogoutRedirectUris: [`${relying.origin}/logout/done`],
      backChannelLogoutUri: `${relying.origin}/idps/partner/backchannel_logout`,
    };
    const projects = [{ id: "p-relying", name: "Relying", apps: [{ name: "Relying", oidc: client }] }];
    const provider = await serviceOnAPort({ organizations: [{ ...acme, projects }] });
    const { prisma } = relying.ctx.db;
    const at = new Date();
    const ownerId = (await findInstance(relying.ctx)).id;
    const settings = { clientId: "relying", issuer: provider.origin, usePkce: true };
    const options = { ...OPTIONS, autoLinking: "AUTO_LINKING_OPTION_UNSPECIFIED", isFederatedLogoutEnabled: true };
    const row = { id: "partner", ownerId, kind: "oidc", name: "Partner", state: "active", settings, options };
    const sealedSecret = relying.ctx.secrets.seal("identity-provider", SECRET);
    await prisma.identityProvider.create({ data: { ...row, sealedSecret, createdAt: at, changedAt: at } });
    const policy = { ownerId, kind: "identityProviders", settings: { offered: ["partner"] } };
    await prisma.policy.create({ data: { ...policy, createdAt: at, changedAt: at } });

    const ada = surfer(provider.origin);
    const signIn = async () => {
      const first = await ada.open(`${relying.origin}/account`);
      const flow = first.url.searchParams.get("flow") ?? "";
      return ada.post(`${relying.origin}/login/idp`, { flow, idp: "partner" });
    };
    expect((await signIn()).url.pathname).toBe("/account");
    expect(ada.signIns()).toBe(1);
    const done = await ada.post(`${relying.origin}/logout/submit`, {});
    expect([done.url.href, done.status]).toEqual([`${relying.origin}/logout/done`, 200]);
    // The session of the provider has ended too: it asks for the password again.
    await signIn();
    expect(ada.signIns()).toBe(2);

    await ada.post(`${provider.origin}/logout/submit`, {});
    // That of the first session is due too.
    for (let count = 0; count < 2; count++) await (await deliverNextNotification(provider.ctx))?.ended;
    expect((await ada.open(`${relying.origin}/account`)).url.pathname).toBe("/login");
    await Promise.all([provider.close(), relying.close()]);
  });
});
