import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { authorize, redeem, type Tokens, userinfo } from "../../testing/flow";
import { atHome, eventsOf } from "../../testing/own-account";
import { byId } from "../../testing/page-samples";
import { type TestService, testService } from "../../testing/test-context";
import { serviceAt } from "../../testing/visits";

const SUBMIT = "/account/profile/submit";
const blank = { givenName: "Fay", familyName: "Tor", nickname: "", displayName: "", language: "", timeZone: "" };

describe.each(ruleDatabases)("a person's own profile on %s (OIDC Core §5.1)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const stored = (id: string) => service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } });
  const lastEvent = (id: string) =>
    service.ctx.db.prisma.event.findFirstOrThrow({ where: { aggregateId: id }, orderBy: { position: "desc" } });

  it("shows the stored values, and applications get the changed ones", async () => {
    const { id, loginName, browser, page, press } = await atHome(serviceAt(service, "203.0.113.9"));
    const html = await page("profile");
    expect(byId(html, "givenName")).toMatchObject({ value: "Fay", autocomplete: "given-name" });
    expect(byId(html, "displayName")?.value).toBe(""); // composed of the other two
    const typed = { givenName: " Füsun ", familyName: "東", nickname: "F", language: "tr", timeZone: "Asia/Tokyo" };
    const saved = await press(html, "submit", { ...blank, ...typed });
    expect(pathOf(saved)).toMatch(/^\/account\/profile\?.*saved=1$/);
    const again = await (await browser.get(pathOf(saved))).text();
    expect(again).toContain(`<html lang="tr"`);
    expect(byId(again, "nickname")?.value).toBe("F");
    expect(again).toContain(`<option value="tr" lang="tr" dir="auto" selected="">Türkçe</option>`);
    expect(again).toContain(`<option selected="">Asia/Tokyo</option>`);
    const code = (await authorize(browser)).get("code") ?? "";
    const { access_token } = (await (await redeem(service, code)).json()) as Tokens;
    expect(await (await userinfo(service, access_token)).json()).toMatchObject({
      given_name: "Füsun",
      family_name: "東",
      name: "Füsun 東",
      nickname: "F",
      locale: "tr",
      zoneinfo: "Asia/Tokyo",
    });
    const { type, actor, address, payload } = await lastEvent(id).then(async (event) =>
      event.type === "user.changed"
        ? event
        : service.ctx.db.prisma.event.findFirstOrThrow({ where: { aggregateId: id, type: "user.changed" } }),
    );
    expect({ type, actor, address }).toEqual({ type: "user.changed", actor: id, address: "203.0.113.9" });
    expect(payload).toMatchObject({
      firstName: { from: "Fay", to: "Füsun" },
      claims: { to: { zoneinfo: "Asia/Tokyo" } },
    });
    expect(JSON.stringify(payload)).not.toContain(loginName);
  });

  it("fills in the new login name of an email, but no text that would change the meaning of the page", async () => {
    const filledIn = async (hint: string) => {
      const browser = service.browser();
      const away = await browser.get(`/account?login_hint=${encodeURIComponent(hint)}`);
      expect(pathOf(away)).toMatch(/^\/login\?/);
      return byId(await (await browser.get(pathOf(away))).text(), "loginName")?.value;
    };
    expect(await filledIn("ada@acme.test")).toBe("ada@acme.test");
    expect(await filledIn('"><b>x')).toBe("&quot;&gt;&lt;b&gt;x");
    expect(await filledIn("a\u202Eb")).toBe("");
  });

  it("keeps other claims, and removes emptied ones", async () => {
    const { id, page, press } = await atHome(service);
    const claims = { website: "https://fay.test", zoneinfo: "Europe/Kiev" };
    await service.ctx.db.prisma.user.update({ where: { id }, data: { claims, preferredLanguage: "gsw-CH" } });
    const html = await page("profile");
    // Neither value is on the lists; stored values may stay.
    expect(html).toContain(`value="gsw-CH" lang="gsw-CH" dir="auto" selected=""`);
    await press(html, "submit", { ...blank, language: "gsw-CH", timeZone: "Europe/Kiev", nickname: "F" });
    expect(await stored(id)).toMatchObject({ preferredLanguage: "gsw-CH", nickName: "F", claims });
    await press(html, "submit", { ...blank, givenName: "", familyName: "" });
    expect(await stored(id)).toMatchObject({
      firstName: null,
      lastName: null,
      nickName: null,
      displayName: null,
      preferredLanguage: null,
      claims: { website: "https://fay.test" },
    });
    expect((await page()).toString()).toContain("<html"); // a user without a name still gets a page
  });

  it.each([
    ["nickname", "x".repeat(201), "Use at most 200 characters"],
    ["givenName", "a\u202eb", "characters that can’t be used"],
    ["familyName", "a\u2028b", "characters that can’t be used"],
    ["displayName", "a\nb", "characters that can’t be used"],
    ["language", "xx", "Choose an entry from the list"],
    ["language", "../../etc", "Choose an entry from the list"],
    ["timeZone", "Mars/Olympus", "Choose an entry from the list"],
    ["timeZone", "europe/berlin", "Choose an entry from the list"],
  ])("refuses %s %j, ties the reason to the field, and changes nothing", async (field, value, reason) => {
    const { id, page, press } = await atHome(service);
    const before = await stored(id);
    const refused = await press(await page("profile"), "submit", { ...blank, nickname: "N", [field]: value });
    const html = await refused.text();
    expect(refused.status).toBe(422);
    expect(html).toContain(reason);
    expect(byId(html, field)).toMatchObject({ "aria-invalid": "true" });
    expect(byId(html, field)?.["aria-describedby"]).toContain(`${field}-error`);
    if (field !== "nickname") expect(byId(html, "nickname")?.value).toBe("N"); // no input is lost
    expect(await stored(id)).toEqual(before);
    expect(await eventsOf(service, id)).not.toContain("user.changed");
  });

  it("writes nothing if nothing differs, and needs no fresh authentication", async () => {
    const { id, browser, session } = await atHome(service);
    service.advance(20 * 60_000);
    await browser.post(SUBMIT, { session, ...blank });
    expect(await eventsOf(service, id)).not.toContain("user.changed");
    await browser.post(SUBMIT, { session, ...blank, timeZone: "UTC" });
    expect((await stored(id)).claims).toEqual({ zoneinfo: "UTC" });
  });
});
