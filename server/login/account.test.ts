import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAuthenticator, type Options } from "../testing/authenticator";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import {
  attribute,
  codeAt,
  enterPassword,
  formOptions,
  hiddenFields,
  newPerson,
  newProtectedPerson,
  pageAt,
  pathOf,
  secretOn,
} from "../testing/factors";
import { authorizePath } from "../testing/flow";
import { lastMailTo } from "../testing/mailed";
import { tagsOf } from "../testing/page-samples";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";

const SUBMIT = "/account/submit";
const MINUTE = 60_000;

describe.each(["sqlite", "postgresql"] as const)("a person's own page on %s (ASVS 7.4, 7.5.1)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Somebody signed in by password, on the page. */
  const onPage = async (person?: { id: string; loginName: string }, browser: TestBrowser = service.browser()) => {
    const someone = person ?? (await newPerson(service, PASSWORD));
    await enterPassword(browser, {}, { loginName: someone.loginName, password: PASSWORD });
    const first = await browser.get("/account");
    const address = pathOf(first);
    expect(address).toMatch(/^\/account\?session=/);
    const page = async () => (await browser.get(address)).text();
    return { ...someone, browser, address, page, session: address.split("=")[1] ?? "" };
  };
  const events = async (id: string) =>
    (await service.ctx.db.prisma.event.findMany({ where: { aggregateId: id }, orderBy: { position: "asc" } })).map(
      ({ type }) => type,
    );
  /** The form behind a button. */
  const press = async (browser: TestBrowser, html: string, id: string, more: Record<string, string> = {}) => {
    const form = html.split("<form").find((part) => part.includes(`id="${id}"`)) ?? "";
    const fields = tagsOf(form.split("</form>")[0] ?? "").filter(({ type }) => type === "hidden");
    const values = Object.fromEntries(fields.map(({ name = "", value = "" }) => [name, value]));
    return browser.post(SUBMIT, { ...values, ...more });
  };

  it("sends whoever is not signed in to sign in first, and back", async () => {
    const browser = service.browser();
    const { loginName } = await newPerson(service, PASSWORD);
    const login = await browser.get("/account");
    expect(pathOf(login)).toMatch(/^\/login\?flow=/);
    const flow = new URL(login.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const back = await browser.post("/login/submit", { flow, loginName, password: PASSWORD });
    expect(pathOf(back)).toMatch(/^\/account\?session=/);
    const page = await pageAt(browser, back);
    expect(page).toContain(loginName.split("@")[0]);
  });

  it("shows nobody else's, and changes nothing from another site or browser", async () => {
    const victim = await onPage();
    const thief = await onPage();
    expect(pathOf(await thief.browser.get(victim.address))).toMatch(/^\/account\?session=(?!.*undefined)/);
    expect(pathOf(await thief.browser.get(victim.address))).not.toContain(victim.session);
    await thief.browser.post(SUBMIT, { session: victim.session, what: "enable-mail" });
    const cookie = [...victim.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      const body = new URLSearchParams({ session: victim.session, what: "enable-mail" });
      const response = await service.fetch(SUBMIT, { method: "POST", body, headers: { ...headers, cookie } as never });
      expect(response.status).toBe(403);
    }
    expect(await events(victim.id)).not.toContain("user.second_factor.added");
  });

  it("adds an authenticator app, names it, and removes it with its recovery codes", async () => {
    const { id, browser, page } = await onPage();
    const form = await (await browser.get(attribute(await page(), "add-app", "href"))).text();
    const fields = hiddenFields(form, "/account/app/submit");
    const code = codeAt(secretOn(form), service.ctx.clock());
    const added = await browser.post("/account/app/submit", { ...fields, code, name: "My phone" });
    const codes = await added.text();
    expect(codes.match(/<code>/g)?.length).toBe(10);
    const again = await browser.post("/account/app/submit", { ...fields, code, name: "My phone" });
    expect(again.status).toBe(303); // sent twice: there is one
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(1);

    const html = await page();
    expect(html).toContain("My phone");
    expect(html).not.toContain(secretOn(form));
    const fresh = await (await press(browser, html, "new-codes")).text();
    expect(fresh.match(/<code>/g)?.length).toBe(10);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id } })).toBe(10);
    expect((await press(browser, html, "remove-app-1")).status).toBe(303);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect(await events(id)).toEqual([
      "user.added",
      "user.signed_in",
      "user.second_factor.added",
      "user.recovery_codes.created",
      "user.signed_in", // again, with the new factor
      "user.recovery_codes.created",
      "user.second_factor.removed",
    ]);
  });

  it("adds, names and removes passkeys", async () => {
    const { id, browser, page } = await onPage();
    const form = await (await browser.get(attribute(await page(), "add-passkey", "href"))).text();
    const credential = newAuthenticator().create(formOptions(form) as Options);
    const fields = hiddenFields(form, "/account/passkey/submit");
    expect((await browser.post("/account/passkey/submit", { ...fields, credential })).status).toBe(200);
    expect((await browser.post("/account/passkey/submit", { ...fields, credential })).status).toBe(422);
    await press(browser, await page(), "rename-1", { "name-1": "Key\u202e ring" });
    const renamed = await page();
    expect(renamed).toContain("Key ring");
    const next = await (await browser.get(attribute(renamed, "add-passkey", "href"))).text();
    expect((formOptions(next) as { excludeCredentials: unknown[] }).excludeCredentials.length).toBe(1);
    await press(browser, renamed, "remove-passkey-1");
    const changes = (await events(id)).filter((type) => type.startsWith("user.passkey"));
    expect(changes).toEqual(["user.passkey.added", "user.passkey.renamed", "user.passkey.removed"]);
    expect(await service.ctx.db.prisma.passkey.count({ where: { userId: id } })).toBe(0);
  });

  it("turns codes by mail on and off, and reaches into nobody else's", async () => {
    const other = await newProtectedPerson(service, PASSWORD);
    const { id, loginName, browser, page, session } = await onPage();
    const theirs = await service.ctx.db.prisma.secondFactor.findFirstOrThrow({ where: { userId: other.id } });
    await browser.post(SUBMIT, { session, what: "remove-factor", id: theirs.id });
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: other.id } })).toBe(1);
    const where = { userId: other.id };
    const { id: sessionId } = await service.ctx.db.prisma.session.findFirstOrThrow({ where });
    await browser.post(SUBMIT, { session, what: "end-session", id: sessionId });
    expect((await service.ctx.db.prisma.session.findUniqueOrThrow({ where: { id: sessionId } })).endedAt).toBeNull();

    await press(browser, await page(), "enable-mail");
    // From here on the session lacks what the account has: nothing is changed before a code was shown.
    const refused = await press(browser, await page(), "remove-mail");
    const flow = new URL(refused.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const action = "/login/mfa/send";
    const password = await browser.post("/login/submit", { flow, loginName, password: PASSWORD });
    const sent = await browser.post(action, hiddenFields(await pageAt(browser, password), action));
    const challenge = hiddenFields(await pageAt(browser, sent), "/login/mfa/submit");
    const { code } = await lastMailTo(service, loginName);
    expect(pathOf(await browser.post("/login/mfa/submit", { ...challenge, code }))).toMatch(/^\/account\?/);
    await press(browser, await page(), "remove-mail");
    const changes = (await events(id)).filter((type) => type.startsWith("user.second_factor"));
    expect(changes).toEqual([
      "user.second_factor.added",
      "user.second_factor.code_requested",
      "user.second_factor.removed",
    ]);
  });

  it("wants a fresh authentication for every change after fifteen minutes, factors included", async () => {
    const { loginName, browser, page, address, session } = await onPage();
    const html = await page();
    service.advance(15 * MINUTE + 1);
    expect((await browser.get(address)).status).toBe(200); // looking is free
    for (const path of ["/account/app", "/account/passkey"]) {
      expect(pathOf(await browser.get(`${path}?session=${session}`))).toMatch(/^\/login\?flow=/);
    }
    for (const path of ["/account/app/submit", "/account/passkey/submit"]) {
      expect(pathOf(await browser.post(path, { session }))).toMatch(/^\/login\?flow=/);
    }
    const refused = await press(browser, html, "enable-mail");
    expect(pathOf(refused)).toMatch(/^\/login\?flow=/);
    const flow = new URL(refused.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const back = await browser.post("/login/submit", { flow, loginName, password: PASSWORD });
    expect(pathOf(back)).toBe(address);
    expect(pathOf(await press(browser, html, "enable-mail"))).toContain("saved=1");
    service.advance(15 * MINUTE + 1);
    // By now a second factor is needed to show that it is he.
    const again = await browser.get(`/account/app?session=${session}`);
    const next = new URL(again.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const challenge = await browser.post("/login/submit", { flow: next, loginName, password: PASSWORD });
    expect(pathOf(challenge)).toMatch(/^\/login\/mfa\?/);
  });

  it("changes nothing in a session that began with the password alone once there is a second factor", async () => {
    const { id, loginName } = await newPerson(service, PASSWORD);
    const [owner, thief] = [await onPage({ id, loginName }), await onPage({ id, loginName })];
    const form = await (await owner.browser.get(attribute(await owner.page(), "add-app", "href"))).text();
    const code = codeAt(secretOn(form), service.ctx.clock());
    const planted = owner.browser.cookies.get("ua");
    await owner.browser.post("/account/app/submit", { ...hiddenFields(form, "/account/app/submit"), code });
    expect(owner.browser.cookies.get("ua")).not.toBe(planted);
    const where = { id: owner.session };
    expect((await service.ctx.db.prisma.session.findUniqueOrThrow({ where })).amr).toBe("pwd otp mfa");

    expect(pathOf(await press(thief.browser, await thief.page(), "remove-app-1"))).toMatch(/^\/login\?/);
    expect(pathOf(await thief.browser.get(`/account/passkey?session=${thief.session}`))).toMatch(/^\/login\?/);
    expect(pathOf(await press(owner.browser, await owner.page(), "remove-app-1"))).toContain("saved=1");
  });

  it("lists the sessions, marks this one, ends one and all others with what was granted in them", async () => {
    const { browser, page, ...person } = await onPage();
    const others = [await onPage(person), await onPage(person)];
    const html = await page();
    expect(html.match(/class="state active"/g)?.length).toBe(1);
    const live = async () =>
      (await Promise.all(others.map((one) => one.browser.get(one.address)))).map(({ status }) => status);
    expect(await live()).toEqual([200, 200]);
    await browser.post(SUBMIT, { session: person.session, what: "end-session", id: others[0]?.session ?? "" });
    expect(await live()).toEqual([303, 200]);
    await press(browser, html, "end-others");
    expect(await live()).toEqual([303, 303]);
    expect((await browser.get(person.address)).status).toBe(200);
    const silent = await others[1]?.browser.get(authorizePath({ prompt: "none" }));
    expect(silent?.headers.get("location")).toContain("login_required");
    const open = await service.ctx.db.prisma.grant.count({
      where: { userId: person.id, revokedAt: null, sessionId: { not: person.session } },
    });
    expect(open).toBe(0);
  });
});
