import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { exchange } from "../../testing/exchange";
import { basic, flowOf, letIn, onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { atHome } from "../../testing/own-account";
import { responseOf } from "../../testing/provider-sign-in";
import {
  type ForgedLogout,
  forgedLogout,
  logoutService,
  type TestSamlProvider,
  testSamlProvider,
} from "../../testing/saml-provider";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { confirm, redeemed, requestOf, signedIn, visit } from "../../testing/visits";

const CLIENT = { clientId: "us", clientSecret: "s3cret" };
const ALL = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
/** Responses without `iss`, which few providers send. */
const SILENT = { authorization_response_iss_parameter_supported: false };

/** One organization's server, which says what it wants, beside the service's own provider. */
describe.each(ruleDatabases)("identity providers of a hostile organization, on %s", (kind) => {
  let service: TestService;
  let honest: ForgedProvider;
  let hostile: ForgedProvider;
  let evil: ApiCaller;
  let ours = "";
  let theirs = "";
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    evil = await callerOf(service, "evil-mallory");
    const operator = await callerOf(service, "acme-iam");
    [honest, hostile] = [await forgedProvider(), await forgedProvider()];
    const body = (at: ForgedProvider, more: object = {}) => {
      return { name: at.issuer, ...CLIENT, issuer: at.issuer, providerOptions: { ...ALL, ...more } };
    };
    ours = (await operator("POST", "/admin/v1/idps/generic_oidc", body(honest))).body.id;
    await operator("POST", "/admin/v1/policies/login/idps", { idpId: ours });
    const links = { idpLink: { idpId: ours, userId: "eve-there", userName: "eve" } };
    await operator("POST", "/v2/users/u-eve/links", links);
    const own = body(hostile, { autoLinking: "AUTO_LINKING_OPTION_EMAIL" });
    theirs = (await evil("POST", "/management/v1/idps/generic_oidc", own)).body.id;
    await evil("POST", "/management/v1/policies/login/idps", { idpId: theirs });
  });
  beforeEach(() => {
    for (const provider of [honest, hostile]) Object.assign(provider, { claims: {}, redeemed: [], document: SILENT });
  });
  afterAll(async () => {
    await Promise.all([honest.close(), hostile.close()]);
    await service.close();
  });

  /** Presses the button of the provider on the sign-in page of an app. */
  const go = async (browser: TestBrowser, client: string, idp: string): Promise<URL> => {
    const first = await browser.get(requestOf(client));
    const answer = await browser.post("/login/idp", { flow: flowOf(first), idp });
    return new URL(answer.headers.get("location") ?? "about:blank");
  };
  const silently = (provider: ForgedProvider, at: URL, more: Record<string, string> = {}) =>
    responseOf(provider, at, more).replace(/&iss=[^&]*/, "");
  const byTheirs = async (claims: object) => {
    hostile.claims = { ...claims };
    const browser = service.browser();
    return letIn(browser, await browser.get(silently(hostile, await go(browser, "evil-web", theirs))));
  };
  const linksOf = (userId: string) => service.ctx.db.prisma.identityLink.findMany({ where: { userId } });

  it("get nothing from a code that another provider sent for their sign-in (mix-up)", async () => {
    honest.claims = { sub: "eve-there" };
    const [thief, victim] = [service.browser(), service.browser()];
    const atHonest = await go(thief, "own", ours);
    // The victim starts at the hostile provider, which sends them on with the request of the thief.
    const atHostile = await go(victim, "evil-web", theirs);
    const code = atHonest.searchParams.get("nonce") ?? "";
    await victim.get(silently(hostile, atHostile, { code }));
    expect(hostile.redeemed.map((form) => form.get("code"))).toEqual([code]);
    const answer = await thief.get(silently(honest, atHonest));
    expect([onOf(answer).split("?")[0], honest.redeemed.length]).toEqual(["/login", 0]);
    const right = await victim.get(silently(honest, await go(victim, "own", ours)));
    expect(onOf(await letIn(victim, right))).toMatch(/^\/cb\?code=/);
  });

  it("sign in and link no user of another organization, whatever address and name they report", async () => {
    const before = await service.ctx.db.prisma.session.count({ where: { user: { organizationId: "acme" } } });
    const claims = { email: "bob@acme.test", email_verified: true, preferred_username: "bob@acme.test", name: "B O" };
    const answer = await byTheirs({ sub: "u-bob", ...claims });
    expect(onOf(answer)).not.toMatch(/code=/);
    expect(await linksOf("u-bob")).toEqual([]);
    expect(await service.ctx.db.prisma.session.count({ where: { user: { organizationId: "acme" } } })).toBe(before);
    const names = await service.ctx.db.prisma.user.findMany({ where: { organizationId: "evil" } });
    expect(names.filter(({ loginNameKey, email }) => /acme\.test/.test(`${loginNameKey} ${email}`))).toEqual([]);
  });

  it("give their own users no address in a domain that another organization has proven", async () => {
    const claims = { sub: "own-user", email: "new@elsewhere.test", email_verified: true, name: "N E" };
    expect(onOf(await byTheirs(claims))).toMatch(/code=/);
    expect(onOf(await byTheirs({ ...claims, email: "ceo@acme.test" }))).toMatch(/code=/);
    const [link] = await service.ctx.db.prisma.identityLink.findMany({ where: { externalId: "own-user" } });
    const user = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id: link?.userId ?? "" } });
    expect(user).toMatchObject({ organizationId: "evil", email: "new@elsewhere.test", isEmailTrusted: false });
  });

  it("are offered nowhere else: not by a hint, a form, the account pages, or as a directory", async () => {
    const browser = service.browser();
    const hinted = await browser.get(requestOf("own", { scope: `openid urn:service:iam:org:idp:id:${theirs}` }));
    expect((await browser.get(onOf(hinted))).status).toBe(200);
    expect((await go(browser, "own", theirs)).pathname).toBe("/login");
    const { browser: at, session } = await atHome(service, { id: "u-olga", loginName: "olga@acme.test" });
    const linking = await at.post("/account/link/submit", { session, idp: theirs });
    expect(linking.headers.get("location") ?? "").not.toContain(hostile.issuer);
    const ldap = {
      ...{
        name: "Directory",
        servers: ["ldaps://ldap.evil.test"],
        baseDn: "dc=evil",
        bindDn: "cn=r",
        bindPassword: "p",
      },
      ...{ userFilters: ["uid"], attributes: { idAttribute: "uid" } },
    };
    const { id } = (await evil("POST", "/management/v1/idps/ldap", ldap)).body;
    await evil("POST", "/management/v1/policies/login/idps", { idpId: id });
    const flow = flowOf(await browser.get(requestOf("own")));
    const page = await browser.get(`/idps/${id}/ldap?${new URLSearchParams({ flow })}`);
    expect(await page.text()).not.toContain("Directory");
    const typed = await browser.post(`/idps/${id}/ldap`, { flow, loginName: "bob", password: "secret" });
    expect(await typed.text()).not.toContain("ldap.evil.test");
    expect((await service.fetch(`/idps/${theirs}/saml/metadata`)).status).toBe(404);
  });

  it("cannot be sent responses or sign-ins of the service's own provider", async () => {
    const browser = service.browser();
    const at = await go(browser, "own", ours);
    const state = at.searchParams.get("state") ?? "";
    const form = new URLSearchParams({ RelayState: state, SAMLResponse: "PGEvPg==" });
    expect((await service.fetch(`/idps/${theirs}/saml/acs`, { method: "POST", body: form })).status).toBe(410);
    expect((await service.browser().get(silently(hostile, at))).status).toBe(410);
    expect(hostile.redeemed).toEqual([]);
  });

  it("end no session of another provider by single logout, whatever their own key signs", async () => {
    const operator = await callerOf(service, "acme-iam");
    const [partner, forger] = [await testSamlProvider(), await testSamlProvider("https://saml.evil.test")];
    const metadataOf = (at: TestSamlProvider, logout: string) =>
      at.metadata.replace("<md:SingleSignOnService", `${logout}<md:SingleSignOnService`);
    const add = async (by: ApiCaller, level: string, metadataXml: string): Promise<string> =>
      (await by("POST", `/${level}/v1/idps/saml`, { name: "SAML", metadataXml })).body.id;
    const at = await add(operator, "admin", metadataOf(partner, logoutService("https://login.partner.test/slo")));
    // Its answers would be posted to a form of ours.
    const theirSaml = await add(
      evil,
      "management",
      metadataOf(forger, logoutService(`${BASE_URL}/logout/submit`, "POST")),
    );
    const person = await signedIn(service, "olga");
    const { prisma } = service.ctx.db;
    const [session] = await prisma.session.findMany({ where: { userId: "u-olga" }, orderBy: { createdAt: "desc" } });
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
    const known = { id: "ps-olga", providerId: at, subject: "olga-there", sid: "_s1", ...times };
    await prisma.providerSession.create({ data: { ...known, sessionId: session?.id } });
    const bring = async (to: string, from: TestSamlProvider, more: ForgedLogout) => {
      const path = `/idps/${to}/saml/slo`;
      const now = service.ctx.clock();
      const message = await forgedLogout(from, { sloUrl: BASE_URL + path, now }, { nameId: "olga-there", ...more });
      const answer = await service.fetch(`${path}?${message.parameters}`);
      return [answer.status, answer.headers.get("location")];
    };
    expect(await bring(at, forger, {})).toEqual([400, null]);
    expect(await bring(at, forger, { issuer: partner.entityId })).toEqual([400, null]);
    expect(await bring(theirSaml, partner, {})).toEqual([400, null]);
    expect(await bring(theirSaml, forger, {})).toEqual([303, `${BASE_URL}/logout/done`]);
    expect(await bring(theirSaml, forger, { sessionIndexes: ["_s1"] })).toEqual([303, `${BASE_URL}/logout/done`]);
    const isSignedIn = async () => onOf(await person.get(requestOf("own", { prompt: "none" }))).includes("code=");
    const ended = () => prisma.session.count({ where: { id: session?.id ?? "", endedAt: { not: null } } });
    expect([await isSignedIn(), await ended()]).toEqual([true, 0]);
    expect((await bring(at, partner, {}))[0]).toBe(303);
    expect([await isSignedIn(), await ended()]).toEqual([false, 1]);
  });

  it("get no tokens that a provider issued for users, except those of their own provider for their own apps", async () => {
    const operator = await callerOf(service, "acme-iam");
    const keeping = (idp: string, at: ForgedProvider, by: ApiCaller, level: string, ...tokenClientIds: string[]) =>
      by("PUT", `/${level}/v1/idps/${idp}`, {
        ...{ name: at.issuer, ...CLIENT, issuer: at.issuer },
        providerOptions: { ...ALL, tokenClientIds },
      });
    expect((await keeping(ours, honest, operator, "admin", "own-exchange")).status).toBe(200);
    expect((await keeping(theirs, hostile, evil, "management", "own-exchange")).status).toBe(400);
    expect((await keeping(ours, honest, evil, "management", "evil-exchange")).status).toBe(404);
    honest.claims = { sub: "eve-there" };
    const browser = service.browser();
    expect(onOf(await letIn(browser, await browser.get(silently(honest, await go(browser, "own", ours)))))).toMatch(
      /code=/,
    );
    expect(await service.ctx.db.prisma.providerToken.count()).toBe(1);
    // The account is eve's: an administrator of another organization cannot have it for a user of their own.
    const idpLink = { idpId: ours, userId: "eve-there", userName: "eve" };
    expect((await evil("POST", "/v2/users/u-mallory/links", { idpLink })).status).toBe(409);
    const person = await signedIn(service, "mallory");
    const at = "evil-exchange";
    const { access_token: own } = await redeemed(service, at, await confirm(person, await visit(person, at, {})));
    for (const requested_issuer of [ours, theirs]) {
      const form = { subject: ["accessToken", own] as ["accessToken", string], more: { requested_issuer } };
      expect(await exchange(service, form, basic(at, SECRET))).toMatchObject({ error: "invalid_target" });
    }
  });

  it("cannot be offered, read or changed by another organization", async () => {
    const operator = await callerOf(service, "acme-bot");
    const own = { name: "ACME's", ...CLIENT, issuer: honest.issuer };
    const { id } = (await operator("POST", "/management/v1/idps/generic_oidc", own)).body;
    const tries = [
      evil("POST", "/management/v1/policies/login/idps", { idpId: id }),
      evil("GET", `/management/v1/idps/${id}`),
      evil("PUT", `/management/v1/idps/${id}`, { ...own, issuer: hostile.issuer }),
      evil("PUT", `/management/v1/idps/${ours}`, { ...own, issuer: hostile.issuer }),
      evil("PUT", `/management/v1/idps/${ours}/mapping`, {}),
      evil("POST", `/management/v1/idps/${id}/_test`),
      evil("DELETE", `/management/v1/idps/templates/${ours}`),
    ];
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([400, ...tries.slice(1).map(() => 404)]);
  });
});
