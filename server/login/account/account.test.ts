import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { type Lies, newAuthenticator, type Options } from "../../testing/authenticator";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import {
  attribute,
  codeAt,
  formOptions,
  hiddenFields,
  newPerson,
  newProtectedPerson,
  pageAt,
  pathOf,
  secretOn,
} from "../../testing/factors";
import { authorizePath } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { atHome, eventsOf } from "../../testing/own-account";
import { byId } from "../../testing/page-samples";
import { type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/account/submit";
const MINUTE = 60_000;
const PAGES = ["", "/profile", "/email", "/security", "/sessions", "/apps", "/activity"];

describe.each(databaseKinds)("a person's own account on %s (ASVS 7.4, 7.5.1)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  it.each(PAGES)("redirects a signed-out user to the sign-in, and back to /account%s", async (page) => {
    const browser = service.browser();
    const { loginName } = await newPerson(service, PASSWORD);
    const login = await browser.get(`/account${page}?before=3`);
    expect(pathOf(login)).toMatch(/^\/login\?flow=/);
    const flow = new URL(login.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const back = await browser.post("/login/submit", { flow, loginName, password: PASSWORD });
    expect(pathOf(back)).toMatch(new RegExp(`^/account${page}\\?session=[\\w-]+&before=3$`));
    const shown = await browser.get(pathOf(back));
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain(`href="/account/security?session=`);
  });

  it("leads to the password and back", async () => {
    const { browser, page, session } = await atHome(service);
    const form = await browser.get(attribute(await page("security"), "change-password", "href"));
    const fields = hiddenFields(
      form.status === 303 ? await pageAt(browser, form) : await form.text(),
      "/login/change-password/submit",
    );
    const typed = { currentPassword: PASSWORD, password: "a lamp, a river and a tram" };
    const done = await browser.post("/login/change-password/submit", { ...fields, ...typed });
    const said = await pageAt(browser, done);
    expect(attribute(said, "continue", "href")).toContain(`/account/security?session=${session}`);
  });

  it("shows no other user's account, and rejects changes from another site or browser", async () => {
    const victim = await atHome(service);
    const thief = await atHome(service);
    for (const page of PAGES) {
      const answer = await thief.browser.get(`/account${page}?session=${victim.session}`);
      expect(pathOf(answer)).toMatch(new RegExp(`^/account${page}\\?session=`));
      expect(pathOf(answer)).not.toContain(victim.session);
    }
    await thief.browser.post(SUBMIT, { session: victim.session, what: "enable-mail" });
    const cookie = [...victim.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      for (const path of [SUBMIT, "/account/profile/submit", "/account/email/submit", "/account/email/change/submit"]) {
        const body = new URLSearchParams({ session: victim.session, what: "enable-mail", nickname: "X" });
        const response = await service.fetch(path, { method: "POST", body, headers: { ...headers, cookie } as never });
        expect(response.status).toBe(403);
      }
    }
    expect(await eventsOf(service, victim.id)).toEqual(["user.added", "user.signed_in"]);
  });

  it("adds an authenticator app, names it, and removes it with its recovery codes", async () => {
    const { id, browser, page, press } = await atHome(service);
    const form = await (await browser.get(attribute(await page("security"), "add-app", "href"))).text();
    const fields = hiddenFields(form, "/account/app/submit");
    const code = codeAt(secretOn(form), service.ctx.clock());
    const added = await browser.post("/account/app/submit", { ...fields, code, name: "My phone" });
    const codes = await added.text();
    expect(codes.match(/<code>/g)?.length).toBe(10);
    const again = await browser.post("/account/app/submit", { ...fields, code, name: "My phone" });
    expect(again.status).toBe(303); // sent twice, stored once
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(1);

    const html = await page("security");
    expect(html).toContain("My phone");
    expect(html).not.toContain(secretOn(form));
    const fresh = await (await press(html, "new-codes")).text();
    expect(fresh.match(/<code>/g)?.length).toBe(10);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id } })).toBe(10);
    const removed = await press(html, "remove-app-1");
    expect(pathOf(removed)).toMatch(/^\/account\/security\?.*saved=1/);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect(await eventsOf(service, id)).toEqual([
      "user.added",
      "user.signed_in",
      "user.second_factor.added",
      "user.recovery_codes.created",
      "user.signed_in", // again, with the new factor
      "user.recovery_codes.created",
      "user.second_factor.removed",
    ]);
  });

  it("asks before a removal and describes its effect, and does not ask about something that is gone", async () => {
    const { id, browser, page, session } = await atHome(service);
    const form = await (await browser.get(attribute(await page("security"), "add-app", "href"))).text();
    const code = codeAt(secretOn(form), service.ctx.clock());
    await browser.post("/account/app/submit", { ...hiddenFields(form, "/account/app/submit"), code, name: "Phone" });
    const address = attribute(await page("security"), "remove-app-1", "href");
    const asked = await (await browser.get(address)).text();
    expect(asked).toContain("This is your last one");
    expect(attribute(asked, "cancel", "href")).toBe(`/account/security?session=${session}`);
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(1);
    for (const gone of [`${address}x`, address.replace("remove-factor", "remove-passkey"), `${address}&what=no`]) {
      expect((await browser.get(gone)).status).toBeLessThan(500);
      expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(1);
    }
    const own = await browser.get(`/account/confirm?session=${session}&what=end-session&id=${session}`);
    expect(pathOf(own)).toBe(`/account/sessions?session=${session}`);
  });

  it("shows a passkey as synced once it is, not while it only could be (WebAuthn Level 3 §6.1.3)", async () => {
    const { browser, page, id } = await atHome(service);
    const add = async (lies: Lies) => {
      const form = await (await browser.get(attribute(await page("security"), "add-passkey", "href"))).text();
      const credential = newAuthenticator({ isMultiDevice: true }).create(formOptions(form) as Options, lies);
      await browser.post("/account/passkey/submit", { ...hiddenFields(form, "/account/passkey/submit"), credential });
    };
    await add({ notBackedUp: true });
    expect(await page("security")).not.toContain("Synced to your other devices");
    await add({});
    expect(await page("security")).toContain("Synced to your other devices");
    const path = `/management/v1/users/${id}/passwordless/_search`;
    const { body } = await callApi(service, "POST", path, { token: await apiToken(service), body: {} });
    const shown = body.result.map((one: Record<string, unknown>) => [one.isMultiDevice, one.isBackedUp ?? false]);
    expect(shown).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("adds, names and removes passkeys", async () => {
    const { id, browser, page, press } = await atHome(service);
    const form = await (await browser.get(attribute(await page("security"), "add-passkey", "href"))).text();
    const credential = newAuthenticator().create(formOptions(form) as Options);
    const fields = hiddenFields(form, "/account/passkey/submit");
    expect((await browser.post("/account/passkey/submit", { ...fields, credential })).status).toBe(200);
    expect((await browser.post("/account/passkey/submit", { ...fields, credential })).status).toBe(422);
    await press(await page("security"), "rename-1", { "name-1": "Key\u202e ring" });
    const renamed = await page("security");
    expect(renamed).toContain("Key ring");
    const next = await (await browser.get(attribute(renamed, "add-passkey", "href"))).text();
    expect((formOptions(next) as { excludeCredentials: unknown[] }).excludeCredentials.length).toBe(1);
    await press(renamed, "remove-passkey-1");
    const changes = (await eventsOf(service, id)).filter((type) => type.startsWith("user.passkey"));
    expect(changes).toEqual(["user.passkey.added", "user.passkey.renamed", "user.passkey.removed"]);
    expect(await service.ctx.db.prisma.passkey.count({ where: { userId: id } })).toBe(0);
  });

  it("turns codes by email on and off, only for the own account", async () => {
    const other = await newProtectedPerson(service, PASSWORD);
    const { id, loginName, browser, page, press, session } = await atHome(service);
    const theirs = await service.ctx.db.prisma.secondFactor.findFirstOrThrow({ where: { userId: other.id } });
    await browser.post(SUBMIT, { session, what: "remove-factor", id: theirs.id });
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: other.id } })).toBe(1);
    const where = { userId: other.id };
    const { id: sessionId } = await service.ctx.db.prisma.session.findFirstOrThrow({ where });
    await browser.post(SUBMIT, { session, what: "end-session", id: sessionId });
    expect((await service.ctx.db.prisma.session.findUniqueOrThrow({ where: { id: sessionId } })).endedAt).toBeNull();

    await press(await page("security"), "enable-mail");
    // From here on the session lacks the account's new factor: nothing changes before a code was entered.
    const refused = await press(await page("security"), "remove-mail");
    const flow = new URL(refused.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const action = "/login/mfa/send";
    const password = await browser.post("/login/submit", { flow, loginName, password: PASSWORD });
    const sent = await browser.post(action, hiddenFields(await pageAt(browser, password), action));
    const challenge = hiddenFields(await pageAt(browser, sent), "/login/mfa/submit");
    const { code } = await lastMailTo(service, loginName);
    const back = pathOf(await browser.post("/login/mfa/submit", { ...challenge, code }));
    expect(back).toMatch(/^\/account\/confirm\?session=[\w-]+&what=remove-factor&/); // the question it started with
    await press(await (await browser.get(back)).text(), "confirm");
    const changes = (await eventsOf(service, id)).filter((type) => type.startsWith("user.second_factor"));
    expect(changes).toEqual([
      "user.second_factor.added",
      "user.second_factor.code_requested",
      "user.second_factor.removed",
    ]);
  });

  it("lists the sessions, marks the current one, and ends one or all others with their grants", async () => {
    const { browser, page, press, session, ...person } = await atHome(service);
    const others = [await atHome(service, person), await atHome(service, person)];
    const html = await page("sessions");
    expect(html.match(/class="state active"/g)?.length).toBe(1);
    const live = async () =>
      Promise.all(others.map(async (one) => (await one.browser.get(`/account?session=${one.session}`)).status));
    expect(await live()).toEqual([200, 200]);
    await browser.post(SUBMIT, { session, what: "end-session", id: others[0]?.session ?? "" });
    expect(await live()).toEqual([303, 200]);
    expect(byId(html, "end-others")?.tag).toBe("a");
    expect(pathOf(await press(html, "end-others"))).toMatch(/^\/account\/sessions\?.*saved=1/);
    expect(await live()).toEqual([303, 303]);
    expect((await browser.get(`/account?session=${session}`)).status).toBe(200);
    const silent = await others[1]?.browser.get(authorizePath({ prompt: "none" }));
    expect(silent?.headers.get("location")).toContain("login_required");
    const where = { userId: person.id, revokedAt: null, sessionId: { not: session } };
    expect(await service.ctx.db.prisma.grant.count({ where })).toBe(0);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("requires a fresh authentication for every change after fifteen minutes, factors included", async () => {
    const { loginName, browser, page, press, session } = await atHome(service);
    const html = await page("security");
    service.advance(15 * MINUTE + 1);
    for (const path of PAGES) expect((await browser.get(`/account${path}?session=${session}`)).status).toBe(200); // no fresh sign-in needed
    for (const path of ["app", "passkey", "email/change", "confirm"]) {
      expect(pathOf(await browser.get(`/account/${path}?session=${session}`))).toMatch(/^\/login\?flow=/);
    }
    for (const path of ["app/submit", "passkey/submit", "email/submit", "email/change/submit", "submit"]) {
      expect(pathOf(await browser.post(`/account/${path}`, { session }))).toMatch(/^\/login\?flow=/);
    }
    const refused = await press(html, "enable-mail");
    expect(pathOf(refused)).toMatch(/^\/login\?flow=/);
    const flow = new URL(refused.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const back = await browser.post("/login/submit", { flow, loginName, password: PASSWORD });
    expect(pathOf(back)).toBe(`/account/security?session=${session}`);
    expect(pathOf(await press(html, "enable-mail"))).toContain("saved=1");
    service.advance(15 * MINUTE + 1);
    // A fresh authentication now requires the second factor.
    const again = await browser.get(`/account/app?session=${session}`);
    const next = new URL(again.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const challenge = await browser.post("/login/submit", { flow: next, loginName, password: PASSWORD });
    expect(pathOf(challenge)).toMatch(/^\/login\/mfa\?/);
  });

  it("changes nothing in a session that began with the password alone, once the user has a second factor", async () => {
    const person = await newPerson(service, PASSWORD);
    const [owner, thief] = [await atHome(service, person), await atHome(service, person)];
    const form = await (await owner.browser.get(attribute(await owner.page("security"), "add-app", "href"))).text();
    const code = codeAt(secretOn(form), service.ctx.clock());
    const planted = owner.browser.cookies.get("ua");
    await owner.browser.post("/account/app/submit", { ...hiddenFields(form, "/account/app/submit"), code });
    expect(owner.browser.cookies.get("ua")).not.toBe(planted);
    const where = { id: owner.session };
    expect((await service.ctx.db.prisma.session.findUniqueOrThrow({ where })).amr).toBe("pwd otp mfa");

    expect(pathOf(await thief.press(await thief.page("security"), "remove-app-1"))).toMatch(/^\/login\?/);
    expect(pathOf(await thief.browser.get(`/account/passkey?session=${thief.session}`))).toMatch(/^\/login\?/);
    expect(pathOf(await owner.press(await owner.page("security"), "remove-app-1"))).toContain("saved=1");
  });
});
