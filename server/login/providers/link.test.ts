import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { hiddenFields, pageAt } from "../../testing/factors";
import { onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { atHome, eventsOf } from "../../testing/own-account";
import { goToProvider, offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const LINK = "/account/link/submit";

describe.each(ruleDatabases)("accounts at identity providers on the account pages, on %s", (kind) => {
  let service: TestService;
  let provider: ForgedProvider;
  let idp: string;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    provider = await forgedProvider();
    idp = await offerProviderOf(service, token, provider);
  });
  afterAll(async () => {
    await provider.close();
    await service.close();
  });

  const linksOf = (userId: string) => service.ctx.db.prisma.identityLink.findMany({ where: { userId } });
  const start = async (browser: TestBrowser, session: string) => {
    const answer = await browser.post(LINK, { session, idp });
    return new URL(answer.headers.get("location") ?? "about:blank");
  };
  const connect = async ({ browser, session }: { browser: TestBrowser; session: string }, sub: string) => {
    provider.claims = { sub, preferred_username: `${sub} there` };
    return browser.get(responseOf(provider, await start(browser, session)));
  };

  it("are connected by a button, listed, and removed", async () => {
    const home = await atHome(service);
    const page = await home.page("security");
    expect(hiddenFields(page, LINK)).toMatchObject({ session: home.session });
    const at = await start(home.browser, home.session);
    expect(at.origin).toBe(provider.issuer);
    expect(at.searchParams.get("prompt")).toBe("select_account");
    const done = await connect(home, "sub-own");
    expect(onOf(done)).toMatch(/^\/account\/security\?session=[\w-]+&saved=1$/);
    expect(await pageAt(home.browser, done)).toContain("sub-own there");
    expect(await eventsOf(service, home.id)).toContain("user.identity.linked");
    const id = `${idp}/sub-own`;
    const query = new URLSearchParams({ session: home.session, what: "remove-link", id });
    const question = await (await home.browser.get(`/account/confirm?${query}`)).text();
    await home.browser.post("/account/submit", hiddenFields(question, "/account/submit"));
    expect(await linksOf(home.id)).toEqual([]);
  });

  it("are refused if they belong to another user here, and nothing changes", async () => {
    const [first, second] = [await atHome(service), await atHome(service)];
    await connect(first, "sub-taken");
    const refused = await pageAt(second.browser, await connect(second, "sub-taken"));
    expect(refused).toContain("already connected to another user");
    expect([(await linksOf(first.id)).length, (await linksOf(second.id)).length]).toEqual([1, 0]);
  });

  it("are connected only in the session that asked for it, by a form of ours", async () => {
    const [victim, thief] = [await atHome(service), await atHome(service)];
    provider.claims = { sub: "sub-thief" };
    const response = responseOf(provider, await start(thief.browser, thief.session));
    expect((await victim.browser.get(response)).status).toBe(410);
    const foreign = await service.fetch(LINK, {
      method: "POST",
      body: new URLSearchParams({ session: victim.session, idp }),
      headers: {
        origin: "https://evil.test",
        cookie: [...victim.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
    });
    expect(foreign.status).toBe(403);
    // The same browser, after its user has signed out.
    const late = responseOf(provider, await start(victim.browser, victim.session));
    await service.ctx.db.prisma.session.deleteMany({ where: { userId: victim.id } });
    await victim.browser.get(late);
    expect([(await linksOf(victim.id)).length, (await linksOf(thief.id)).length]).toEqual([0, 0]);
  });

  it("stay if they are the last way to sign in", async () => {
    const home = await atHome(service);
    await connect(home, "sub-last");
    await service.ctx.db.prisma.user.update({ where: { id: home.id }, data: { passwordHash: null } });
    const answer = await home.browser.post("/account/submit", {
      session: home.session,
      what: "remove-link",
      id: `${idp}/sub-last`,
    });
    expect(await answer.text()).toContain("your only way to sign in");
    expect(await linksOf(home.id)).toHaveLength(1);
  });

  it("can be canceled, which the page says", async () => {
    const home = await atHome(service);
    const state = (await start(home.browser, home.session)).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
    const answer = await home.browser.get(`/idps/callback?${query}`);
    expect(await pageAt(home.browser, answer)).toContain("You canceled connecting");
  });

  it("are linked by API for users of the organization that owns the provider, once", async () => {
    const person = await atHome(service);
    const link = (userId: string) =>
      callApi(service, "POST", `/v2/users/${userId}/links`, {
        token,
        body: { idpLink: { idpId: idp, userId: "auth0|5/ü", userName: "by API" } },
      });
    expect((await link(person.id)).status).toBe(200);
    expect(refusalOf(await link("u-ada")).id).toBe("identity_link.already_exists");
    const path = `/v2/users/${person.id}/links/${idp}/${encodeURIComponent("auth0|5/ü")}`;
    expect((await callApi(service, "DELETE", path, { token })).status).toBe(200);
    expect(await linksOf(person.id)).toEqual([]);
    const browser = service.browser();
    provider.claims = { sub: "auth0|5/ü" };
    const answer = await browser.get(responseOf(provider, await goToProvider(browser, idp)));
    expect(onOf(answer)).toMatch(/^\/login\/create-account/);
  });
});
