import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { MULTI_FACTOR } from "../../protocol/authentication-context";
import { type Authenticator, type Lies, newAuthenticator, type Options } from "../../testing/authenticator";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import {
  attribute,
  enterPassword,
  formOptions,
  hiddenFields,
  newPerson,
  pageAt,
  pathOf,
  setLoginPolicy,
} from "../../testing/factors";
import { answerOf, authorizePath, redeem, type Tokens } from "../../testing/flow";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const FIRST = "/login/passkey";
const SECOND = "/login/mfa/passkey";
const NEW = "/login/mfa/set-up/passkey/submit";

describe.each(databaseKinds)("passkeys on %s (WebAuthn Level 3 §7)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    await applyBootstrap(service.ctx, { organizations: [{ id: "other", name: "Other" }] });
  });
  afterAll(() => service.close());

  /** Opens the page on which a user adds the first passkey during the sign-in. */
  const enrolling = async (browser = service.browser()) => {
    const person = await newPerson(service, PASSWORD);
    await setLoginPolicy(service, { forceMfa: true });
    const choice = await pageAt(browser, await enterPassword(browser, {}, { ...person, password: PASSWORD }));
    await setLoginPolicy(service, {});
    const page = await (await browser.get(attribute(choice, "set-up-passkey", "href"))).text();
    const fields = hiddenFields(page, NEW);
    const send = (credential: string) => browser.post(NEW, { ...fields, credential });
    return { ...person, browser, options: formOptions(page) as Options, send };
  };
  const withPasskey = async (authenticator: Authenticator = newAuthenticator()) => {
    const { send, options, ...person } = await enrolling();
    expect((await send(authenticator.create(options))).status).toBe(200);
    return { ...person, authenticator };
  };
  /** Opens the sign-in page and returns how to answer it with a passkey. */
  const signInPage = async (browser: TestBrowser = service.browser(), parameters: Record<string, string> = {}) => {
    const page = await pageAt(browser, await browser.get(authorizePath(parameters)));
    const fields = hiddenFields(page, FIRST);
    const send = (credential: string) => browser.post(FIRST, { ...fields, credential });
    return { browser, options: formOptions(page) as Options, send };
  };
  const challenge = async (loginName: string, browser: TestBrowser = service.browser()) => {
    const page = await pageAt(browser, await enterPassword(browser, {}, { loginName, password: PASSWORD }));
    const fields = hiddenFields(page, SECOND);
    const send = (credential: string) => browser.post(SECOND, { ...fields, credential });
    return { browser, options: formOptions(page) as Options & { allowCredentials: { id: string }[] }, send };
  };
  const claimsOf = async (response: Response) => {
    const tokens = (await (await redeem(service, answerOf(response).get("code") ?? "")).json()) as Tokens;
    return JSON.parse(Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString());
  };
  const isRefused = (response: Response) => pathOf(response).startsWith("/login?") && !answerOf(response).has("code");

  it("are set up during sign-in, with recovery codes, and then count as two factors by themselves", async () => {
    const { id, authenticator } = await withPasskey();
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id } })).toBe(10);
    const { browser, options, send } = await signInPage();
    const claims = await claimsOf(await send(authenticator.get(options)));
    expect(claims).toMatchObject({ sub: id, amr: ["hwk", "user", "mfa"], acr: MULTI_FACTOR });
    expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("code")).toBeTruthy();
  });

  it("that are synced among devices are distinguished from others (RFC 8176 §2)", async () => {
    const { authenticator } = await withPasskey(newAuthenticator({ isMultiDevice: true }));
    const { options, send } = await signInPage();
    expect((await claimsOf(await send(authenticator.get(options)))).amr).toEqual(["swk", "user", "mfa"]);
  });

  it("are a second factor beside the password, even without user verification", async () => {
    const { loginName, authenticator } = await withPasskey();
    const { options, send } = await challenge(loginName);
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([authenticator.id]);
    const claims = await claimsOf(await send(authenticator.get(options, { unverified: true })));
    expect(claims).toMatchObject({ amr: ["pwd", "hwk", "user", "mfa"], acr: MULTI_FACTOR });
  });

  const lies: [string, Lies][] = [
    ["of another origin", { origin: "https://evil.test" }],
    ["of our name with another port", { origin: "http://localhost:8081" }],
    ["for another relying party", { rpId: "evil.test" }],
    ["of another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["of a new credential", { type: "webauthn.create" }],
    ["that names another person", { userHandle: Buffer.alloc(32).toString("base64url") }],
    ["that names nobody", { userHandle: "" }],
    ["of a credential nobody has", { id: Buffer.alloc(32).toString("base64url") }],
    ["whose person was not checked", { unverified: true }],
    ["of a copy that counts less", { counter: 1 }],
  ];
  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it.each(lies)("refuse a signature %s", async (_, lie) => {
    const { authenticator } = await withPasskey();
    const right = await signInPage();
    expect(answerOf(await right.send(authenticator.get(right.options))).get("code")).toBeTruthy();
    const { browser, options, send } = await signInPage();
    expect(isRefused(await send(authenticator.get(options, lie)))).toBe(true);
    expect(browser.cookies.has("ua")).toBe(false);
  });

  it("refuse a used challenge, one of another flow, and one with an earlier wrong answer", async () => {
    const { authenticator } = await withPasskey();
    const first = await signInPage();
    const signed = authenticator.get(first.options);
    const both = await Promise.all([first.send(signed), first.send(signed)]);
    expect(both.filter(isRefused).length).toBe(1);
    const second = await signInPage();
    expect(isRefused(await second.send(signed))).toBe(true);
    expect(isRefused(await second.send(authenticator.get(second.options)))).toBe(true);
    const third = await signInPage();
    expect(isRefused(await third.send(authenticator.get(second.options)))).toBe(true);
  });

  it("refuse another user's passkey as second factor", async () => {
    const { loginName } = await withPasskey();
    const other = await withPasskey();
    const { options, send } = await challenge(loginName);
    expect((await send(other.authenticator.get(options))).status).toBe(422);
  });

  it("reject malformed credentials without failing", async () => {
    const { loginName } = await withPasskey();
    for (const junk of ["", "{", "null", "[]", '{"id":{"not":""}}', '{"__proto__":{}}', "x".repeat(30_000)]) {
      const { send } = await signInPage();
      expect(isRefused(await send(junk))).toBe(true);
      expect((await (await challenge(loginName)).send(junk)).status).toBe(422);
    }
  });

  it.each([
    ["of another origin", { origin: "https://evil.test" }],
    ["for another relying party", { rpId: "evil.test" }],
    ["of another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
  ] as [string, Lies][])("refuse a new one %s", async (_, lie) => {
    const { id, options, send } = await enrolling();
    expect((await send(newAuthenticator().create(options, lie))).status).toBe(422);
    expect(await service.ctx.db.prisma.passkey.count({ where: { userId: id } })).toBe(0);
  });

  it("refuse a registered passkey as a new one, and one from another user's page", async () => {
    const { authenticator } = await withPasskey();
    const one = await enrolling();
    expect((await one.send(authenticator.create(one.options))).status).toBe(422);
    const [two, three] = [await enrolling(), await enrolling()];
    expect((await two.send(newAuthenticator().create(three.options))).status).toBe(422);
    const signed = newAuthenticator().create(three.options);
    const both = await Promise.all([three.send(signed), three.send(signed)]);
    expect(both.filter(({ status }) => status === 200).length).toBe(1);
  });

  it("do not sign in a locked user, nor one that the request excludes", async () => {
    const { id, authenticator } = await withPasskey();
    const elsewhere = await signInPage();
    await service.ctx.db.prisma.user.update({ where: { id }, data: { organizationId: "other" } });
    const scope = "openid urn:service:iam:org:id:acme";
    const scoped = await signInPage(service.browser(), { scope });
    expect(isRefused(await scoped.send(authenticator.get(scoped.options)))).toBe(true);
    const moved = await elsewhere.send(authenticator.get(elsewhere.options)); // the app's organization is now another
    expect(moved.headers.get("location")).toContain("/login/continue?");
    await service.ctx.db.prisma.user.update({ where: { id }, data: { state: "locked" } });
    const { options, send } = await signInPage();
    expect(isRefused(await send(authenticator.get(options)))).toBe(true);
  });

  it("are found by password managers", async () => {
    const response = await service.fetch("/.well-known/passkey-endpoints");
    expect(await response.json()).toEqual({
      enroll: "http://localhost:8080/account/passkey",
      manage: "http://localhost:8080/account/security",
    });
  });
});
