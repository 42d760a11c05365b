import net from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findSlapd } from "../../../scripts/slapd.mjs";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { directorySettings, PERSON_PASSWORD, startDirectory } from "../../testing/directory";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath, flowOf, letIn, onOf } from "../../testing/flow";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };

/** A server that does as it likes: `answer` is called with each connection. */
async function badServer(answer: (socket: net.Socket) => void): Promise<{ address: string; close(): void }> {
  const server = net.createServer((socket) => answer(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return { address: `ldap://localhost:${port}`, close: () => server.close() };
}

describe.skipIf(!findSlapd())("sign-in at an LDAP directory (slapd)", () => {
  let service: TestService;
  let token: string;
  let directory: Awaited<ReturnType<typeof startDirectory>>;
  let settings: ReturnType<typeof directorySettings>;
  beforeAll(async () => {
    directory = await startDirectory();
    settings = directorySettings([directory.tls]);
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(async () => {
    await service.close();
    await directory.stop();
  });
  beforeEach(async () => {
    const { prisma } = service.ctx.db;
    await flushAttempts(service.ctx);
    await prisma.signInAttempt.deleteMany();
    await prisma.throttle.deleteMany();
    await prisma.user.deleteMany({ where: { email: { endsWith: "@navy.test" } } });
  });

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const offer = async (differing: object = {}): Promise<string> => {
    const name = `Directory ${Math.random().toString(36).slice(2, 8)}`;
    const body = { name, ...settings, emailVerified: true, providerOptions: OPTIONS, ...differing };
    const added = await call("POST", "/management/v1/idps/ldap", body);
    expect(added.body).toHaveProperty("id");
    await call("POST", "/management/v1/policies/login/idps", { idpId: added.body.id });
    return added.body.id;
  };
  const openPage = async (browser: TestBrowser, idp: string): Promise<string> => {
    const first = await browser.get(authorizePath());
    return onOf(await browser.post("/login/idp", { flow: flowOf(first), idp }));
  };
  const signIn = async (idp: string, loginName: string, password = PERSON_PASSWORD, browser = service.browser()) => {
    const page = await openPage(browser, idp);
    const flow = new URL(page, "http://x").searchParams.get("flow") ?? "";
    return letIn(browser, await browser.post(`/idps/${idp}/ldap`, { flow, loginName, password }));
  };
  const isIn = (response: Response) => onOf(response).startsWith("/cb?code=");
  const attempts = async () => {
    await flushAttempts(service.ctx);
    return (await service.ctx.db.prisma.signInAttempt.findMany()).map(({ reason, detail }) => `${reason} ${detail}`);
  };
  const links = () => service.ctx.db.prisma.identityLink.findMany();

  it("creates an account, and signs in to it again by another of its names", async () => {
    const idp = await offer();
    const browser = service.browser();
    const page = await openPage(browser, idp);
    expect(page).toMatch(new RegExp(`^/idps/${idp}/ldap\\?flow=`));
    const html = await (await browser.get(page)).text();
    for (const name of ["loginName", "password"]) expect(html).toContain(`name="${name}"`);
    expect(html).toContain('id="submit"');
    expect(isIn(await signIn(idp, "grace"))).toBe(true);
    const [link] = await links();
    const user = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id: link?.userId } });
    expect(user).toMatchObject({
      ...{ firstName: "Grace", lastName: "Person", email: "grace@navy.test", isEmailVerified: true },
      ...{ preferredLanguage: "de", passwordHash: null, userName: "grace@navy.test" },
    });
    expect(isIn(await signIn(idp, "GHopper"))).toBe(true);
    expect(await links()).toHaveLength(1);
  });

  it("uses StartTLS where it is set, and binds with the attribute that userBase names", async () => {
    const idp = await offer({ servers: [directory.plain], startTls: true });
    expect(isIn(await signIn(idp, "grace"))).toBe(true);
    const byName = await offer({ userBase: "uid" });
    // slapd binds with DNs only, so the name is refused there.
    expect(isIn(await signIn(byName, "grace"))).toBe(false);
    expect(await attempts()).toContainEqual(expect.stringContaining("bind: the DN is not well-formed (result 34)"));
  });

  it("identifies users by the GUID that Active Directory shows", async () => {
    const idp = await offer({ attributes: { ...settings.attributes, idAttribute: "objectGUID" } });
    expect(isIn(await signIn(idp, "grace"))).toBe(true);
    expect(await links()).toMatchObject([{ externalId: "03020100-0504-0706-0809-0a0b0c0d0e0f" }]);
  });

  it.each([
    [
      "a wrong password",
      "grace",
      "wrong",
      /^wrong_password .*bind: name or password is wrong \(result 49\) \(passed: connect, service_bind, search, entry\)/,
    ],
    ["an unknown name", "nobody", "wrong", /^unknown_name .*search: no entry/],
    ["a name of two users", "twins@navy.test", PERSON_PASSWORD, /^unknown_name .*search: several/],
    ["a wildcard", "*", PERSON_PASSWORD, /^unknown_name .*search: no entry/],
    ["a filter within the name", "x)(uid=*))(|(uid=grace", PERSON_PASSWORD, /^unknown_name .*search: no entry/],
  ])("refuses %s alike, and records the check that failed", async (_, loginName, password, noted) => {
    const idp = await offer();
    const answer = await signIn(idp, loginName, password);
    const browser = service.browser();
    expect(await (await browser.get(onOf(answer))).text()).toContain("Login name or password is not correct");
    expect(await attempts()).toEqual([expect.stringMatching(noted)]);
    expect(await links()).toEqual([]);
  });

  it.each(["star*name", "paren(name)\\x"])(
    "finds names with the special characters of filters: %s",
    async (loginName) => {
      expect(isIn(await signIn(await offer(), loginName))).toBe(true);
    },
  );

  it("never sends an empty password, with which directories let in anyone", async () => {
    const idp = await offer();
    const answer = await signIn(idp, "grace", "");
    expect(await (await service.browser().get(onOf(answer))).text()).toContain("Enter your password");
    expect(await links()).toEqual([]);
  });

  it("counts wrong passwords against the entry, however its name is written, and then does not ask the directory", async () => {
    const idp = await offer();
    for (const name of ["grace", "GRACE", "grace@navy.test", "ghopper", " grace "]) await signIn(idp, name, "wrong");
    const blocked = await signIn(idp, "Grace");
    expect(isIn(blocked)).toBe(false);
    expect((await service.browser().get(onOf(blocked))).status).toBe(429);
    expect((await attempts()).at(-1)).toMatch(/^throttled/);
    service.advance(61_000);
    expect(isIn(await signIn(idp, "Grace"))).toBe(true);
  });

  it("does not follow a referral", async () => {
    const idp = await offer({ baseDn: "ou=elsewhere,dc=acme,dc=test" });
    expect(onOf(await signIn(idp, "grace"))).toMatch(/^\/login\?/);
    expect(await attempts()).toEqual([
      expect.stringContaining("search: it refers to another server, which is not followed"),
    ]);
  });

  it("asks the next server if one is down, silent, or has a certificate that is not trusted", async () => {
    const silent = await badServer(() => {});
    const untrusted = await offer({ servers: [directory.tls], rootCa: undefined });
    const idp = await offer({ servers: ["ldap://localhost:1", silent.address, directory.tls], timeout: "1s" });
    expect(isIn(await signIn(idp, "grace"))).toBe(true);
    const begun = performance.now();
    expect(isIn(await signIn(idp, "grace"))).toBe(true);
    expect(performance.now() - begun).toBeLessThan(1_000);
    silent.close();
    expect(isIn(await signIn(untrusted, "grace"))).toBe(false);
    expect(await attempts()).toContainEqual(expect.stringMatching(/connect: .*its certificate is not trusted/));
  });

  it("ends with a calm page if the directory is not there or answers without end", async () => {
    const endless = await badServer((socket) => {
      const more = () => socket.writable && socket.write(Buffer.alloc(65_536, 0x30), more);
      more();
    });
    const idp = await offer({ servers: [endless.address] });
    const answer = await signIn(idp, "grace");
    expect(await (await service.browser().get(onOf(answer))).text()).toContain("didn’t work");
    expect(await attempts()).toContainEqual(expect.stringMatching(/^provider_failed .*connect: /));
    endless.close();
  });

  it("shows what a sign-in would take, and explains what is wrong, without saving anything", async () => {
    const body = { ...settings, loginName: "grace" };
    const before = await service.ctx.db.prisma.identityProvider.count();
    const tried = await call("POST", "/management/v1/idps/ldap/_test", body);
    expect(tried.body.user).toMatchObject({
      ...{ userName: "grace", email: "grace@navy.test", isEmailVerified: false, givenName: "Grace", language: "de" },
      groups: ["cn=captains,dc=acme,dc=test"],
    });
    const { loginName: _, ...alone } = body;
    expect((await call("POST", "/management/v1/idps/ldap/_test", alone)).body).toEqual({});
    const because = async (differing: object) => {
      const answer = await call("POST", "/management/v1/idps/ldap/_test", { ...body, ...differing });
      return { ...refusalOf(answer), message: answer.body.message };
    };
    for (const [differing, message] of [
      [{ bindPassword: "wrong" }, /service_bind: name or password is wrong/],
      [{ baseDn: "dc=other,dc=test" }, /search: baseDn does not exist there/],
      [{ loginName: "nobody" }, /search: no entry has this name/],
      [{ attributes: { idAttribute: "objectSid" } }, /entry: the entry has no objectSid/],
      [{ servers: ["ldaps://localhost:1"] }, /connect: localhost:1: no connection \(ECONNREFUSED\)/],
      [{ rootCa: "" }, /connect: .*its certificate is not trusted/],
    ] as const) {
      expect(await because(differing)).toMatchObject({
        ...{ status: 400, id: "identity_provider.test_failed" },
        message: expect.stringMatching(message),
      });
    }
    expect(await service.ctx.db.prisma.identityProvider.count()).toBe(before);
  });

  it("is gone from the page as soon as it is not offered", async () => {
    const idp = await offer();
    const browser = service.browser();
    const page = await openPage(browser, idp);
    await call("DELETE", `/management/v1/policies/login/idps/${idp}`);
    expect(onOf(await browser.get(page))).toMatch(/^\/login\?/);
    const flow = new URL(page, "http://x").searchParams.get("flow") ?? "";
    const form = { flow, loginName: "grace", password: PERSON_PASSWORD };
    expect(onOf(await browser.post(`/idps/${idp}/ldap`, form))).toMatch(/^\/login\?/);
  });
});
