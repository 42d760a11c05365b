import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { authorize, authorizePath, flowOf, letIn, onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { atHome } from "../../testing/own-account";
import { goToProvider, offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const EAGER = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
const CHOSEN = "a password of the victim";
let number = 0;

/**
 * The five attacks of Sudhodanan and Paverd, "Pre-hijacked accounts" (USENIX Security 2022): a stranger prepares an
 * account for the address of a victim, who signs up later by a provider or recovers it.
 */
describe.each(ruleDatabases)("account pre-hijacking, on %s", (kind) => {
  let service: TestService;
  let provider: ForgedProvider;
  let idp: string;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    provider = await forgedProvider();
    const providerOptions = { ...EAGER, autoLinking: "AUTO_LINKING_OPTION_EMAIL" };
    idp = await offerProviderOf(service, token, provider, { providerOptions });
  });
  afterAll(async () => {
    await provider.close();
    await service.close();
  });

  const victim = () => `victim-${kind}-${number++}@acme.test`;
  const prepare = async (address: string, { isEmailVerified = false, userName = "" } = {}) => {
    const loginName = userName || `prepared-${kind}-${number++}@acme.test`;
    const human = { userName: loginName, profile: { firstName: "P", lastName: "P" }, password: PASSWORD };
    const body = { ...human, email: { email: address, isEmailVerified } };
    const { userId } = (await callApi(service, "POST", "/management/v1/users/human/_import", { token, body })).body;
    return { id: String(userId), loginName };
  };
  const signIn = async (claims: Record<string, unknown>, browser: TestBrowser = service.browser()) => {
    provider.claims = { name: "Vic Tim", ...claims };
    const at = await goToProvider(browser, idp);
    return letIn(browser, await browser.get(responseOf(provider, at)));
  };
  const linksOf = (userId: string) => service.ctx.db.prisma.identityLink.count({ where: { userId } });
  const askForReset = async (loginName: string) => {
    const browser = service.browser();
    const flow = flowOf(await browser.get(authorizePath()));
    await browser.post("/login/forgot-password/submit", { flow, loginName });
  };

  const resetPasswordOf = async (email: string) => {
    await askForReset(email);
    const link = new URL((await lastMailTo(service, email)).path, "http://localhost");
    service.advance(1_000);
    const form = { token: link.searchParams.get("token") ?? "", password: CHOSEN };
    await service.browser().post("/login/reset-password/submit", form);
  };

  it("classic-federated merge: no sign-in is merged into an account whose address is not verified", async () => {
    const email = victim();
    const { id } = await prepare(email, { userName: email });
    const answer = await signIn({ sub: email, email, email_verified: true });
    expect([onOf(answer).split("?")[0], await linksOf(id)]).toEqual(["/login", 0]);
  });

  it("unexpired session: a session in the prepared account never becomes one of the victim's account", async () => {
    const email = victim();
    const { id, loginName } = await prepare(email);
    const stranger = await atHome(service, { id, loginName });
    await askForReset(email);
    expect(await mailsTo(service, email)).toEqual([]);
    // The owner of the organization vouches for the address, and the victim recovers the account.
    const body = { email, isEmailVerified: true };
    await callApi(service, "PUT", `/management/v1/users/${id}/email`, { token, body });
    await resetPasswordOf(email);
    const page = await stranger.browser.get(`/account?session=${stranger.session}`);
    const silent = await stranger.browser.get(authorizePath({ prompt: "none" }));
    expect([onOf(page).split("?")[0], silent.headers.get("location")]).toEqual([
      "/login",
      expect.stringContaining("login_required"),
    ]);
    expect(onOf(await signIn({ sub: email, email, email_verified: true }))).toMatch(/^\/cb\?code=/);
    expect(await linksOf(id)).toBe(1);
  });

  it("trojan identifier: an account with the stranger's link does not get the victim's address without its code", async () => {
    const email = victim();
    const own = await prepare(`stranger-${kind}-${number++}@elsewhere.test`, { isEmailVerified: true });
    const stranger = await atHome(service, own);
    const at = await stranger.browser.post("/account/link/submit", { session: stranger.session, idp });
    provider.claims = { sub: "trojan" };
    await stranger.browser.get(responseOf(provider, new URL(at.headers.get("location") ?? "about:blank")));
    expect(await linksOf(own.id)).toBe(1);
    const form = { session: stranger.session, email, currentPassword: PASSWORD };
    await stranger.browser.post("/account/email/change/submit", form);
    expect((await lastMailTo(service, email)).type).toBe("verifyemail");
    expect(onOf(await signIn({ sub: email, email, email_verified: true }))).toMatch(/^\/cb\?code=/);
    const found = await service.ctx.db.prisma.identityLink.findFirst({ where: { externalId: email } });
    expect([found?.userId === own.id, await linksOf(own.id)]).toEqual([false, 1]);
  });

  it("unexpired email change: a change that a stranger began ends with the sessions, and its code does nothing", async () => {
    const email = victim();
    const prepared = await prepare(email, { isEmailVerified: true });
    const stranger = await atHome(service, prepared);
    const other = `stranger-${kind}-${number++}@elsewhere.test`;
    const form = { session: stranger.session, email: other, currentPassword: PASSWORD };
    await stranger.browser.post("/account/email/change/submit", form);
    const { code, path } = await lastMailTo(service, other);
    await resetPasswordOf(email);
    await stranger.browser.post("/account/email/submit", { session: stranger.session, code });
    const link = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    await stranger.browser.post("/account/email/confirm/submit", { session: stranger.session, token: link });
    const user = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id: prepared.id } });
    expect(user.email).toBe(email);
    const theirs = { loginName: prepared.loginName, password: CHOSEN };
    expect((await authorize(service.browser(), {}, theirs)).get("code")).toBeTruthy();
  });

  it.each([
    ["says that it is not", { email_verified: false }],
    ["does not say so", {}],
    ["says so in words of its own", { email_verified: "yes", verified: true, verified_email: true }],
  ])("non-verifying provider: an address is not verified if the provider %s", async (_, says) => {
    const email = victim();
    const { id } = await prepare(email, { isEmailVerified: true });
    for (const address of [email, `fresh-${email}`]) {
      const browser = service.browser();
      const asked = await signIn({ sub: address, email: address, ...says }, browser);
      expect(onOf(asked)).not.toMatch(/^\/cb/);
      const names = { givenName: "V", familyName: "T" };
      await browser.post("/login/create-account/submit", { flow: flowOf(asked), email: address, ...names });
      expect(await service.ctx.db.prisma.identityLink.count({ where: { externalId: address } })).toBe(0);
    }
    expect(await linksOf(id)).toBe(0);
  });
});
