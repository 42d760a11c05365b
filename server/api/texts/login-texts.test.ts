import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { pageAt } from "../../testing/factors";
import { authorizePath, REDIRECT_URI } from "../../testing/flow";
import { type ApiCaller, callerOf, EVIL_CALLBACK, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const OWN = "/management/v1/text/login/en";
const INSTANCE = "/admin/v1/text/login/en";

describe.each(ruleDatabases)("the page texts on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
    evil = await callerOf(service, "evil-mallory");
  });
  afterAll(() => service.close());

  const opened = async (parameters: Partial<Record<string, string>> = {}) => {
    const browser = service.browser();
    return pageAt(browser, await browser.get(authorizePath({ ui_locales: "en", ...parameters })));
  };
  const ofEvil = { client_id: "evil-web", redirect_uri: EVIL_CALLBACK };

  it("are read as groups of keys, which can be sent back and reset; omitted ones fall back", async () => {
    const given = (await iam("GET", OWN.replace("/login", "/default/login"))).body;
    expect(given.customText).toMatchObject({
      isDefault: true,
      signIn: { title: "Sign in", toApp: "to continue to {{.AppName}}" },
    });
    const sent = await iam("PUT", OWN, given.customText);
    expect(sent.status).toBe(200);
    const own = await iam("PUT", OWN, { signIn: { title: "Welcome to ACME", forgotPassword: "" } });
    expect(own.body.details).toMatchObject({ sequence: "2", resourceOwner: "acme" });
    expect((await iam("GET", OWN)).body).toEqual({
      customText: { details: own.body.details, signIn: { title: "Welcome to ACME" } },
    });
    expect((await iam("DELETE", OWN)).status).toBe(200);
    expect((await iam("GET", OWN)).body.customText).toMatchObject({ isDefault: true, signIn: { title: "Sign in" } });
    expect(refusalOf(await iam("DELETE", OWN))).toEqual({ status: 404, code: 5, id: "login_text.not_found" });
  });

  it("are shown as text, at once, on the pages of that organization, and override those of the instance", async () => {
    await iam("PUT", INSTANCE, { signIn: { title: "Everybody", forgotPassword: "Lost it?" } });
    expect(await opened()).toContain("Everybody");
    await iam("PUT", OWN, {
      signIn: { title: "It's {one} & < two > '{three}'", toApp: "on to '{{.AppName}}', it''s" },
    });
    const [own, theirs] = [await opened(), await opened(ofEvil)];
    expect(own).toContain("It’s {one} &amp; &lt; two &gt; ’{three}’");
    expect(own).toContain("on to ’<bdi>App web</bdi>’, it’’s");
    expect(own).toContain("Lost it?");
    expect(theirs).toContain("Everybody");
    expect(theirs).not.toContain("on to");
    await iam("DELETE", OWN);
    await iam("DELETE", INSTANCE);
    expect(await opened()).not.toContain("Everybody");
  });

  it("are refused with the name of the text, and nothing is changed", async () => {
    await iam("PUT", OWN, { signIn: { title: "Kept" } });
    const bad = {
      too_long: "x".repeat(501),
      control_character: "two\nlines",
      no_markup: "<b>bold</b>",
      lone_surrogate: "\ud800",
      unclosed_braces: "{{.AppName",
      empty_braces: "{{}}",
      template_syntax: "{{printf}}",
      unknown_variable: "{{.Code}}",
      foreign_address: "You go on to accounts.bank.test",
      joined_address: "https://localhost/{{.AppName}}",
    };
    const wrong: unknown[] = [];
    for (const [fault, toApp] of Object.entries(bad)) {
      const { status, body } = await iam("PUT", OWN, { signIn: { title: "Lost", toApp } });
      const [detail] = body.details ?? [];
      if (status !== 400 || detail?.id !== `login_text.${fault}` || detail?.field !== "signIn.toApp")
        wrong.push([fault, body]);
    }
    expect(wrong).toEqual([]);
    const astral = await iam("PUT", OWN, { signIn: { title: "Kept", toApp: "\u{1f600}".repeat(500) } });
    expect(astral.status).toBe(200);
    expect((await iam("PUT", OWN, { signIn: { title: 7 } })).status).toBe(400);
    expect((await iam("PUT", `${OWN}-US`, {})).status).toBe(400);
    expect((await iam("GET", OWN)).body.customText.signIn.title).toBe("Kept");
  });

  it("ignore and name unknown keys, including those of legal consent", async () => {
    const token = { continuePage: { foreign: "Harmless" }, signIn: { titel: "x" }, device: { warning: "Fine" } };
    const answer = await iam("PUT", OWN, token);
    expect(answer.status).toBe(200);
    expect(answer.headers?.get("x-service-ignored")).toBe("signIn.titel, device.warning, continuePage");
  });

  it("have the format of version 2, too, with permission for the named level", async () => {
    const path = "/v2/settings/hosted_login_translation";
    const translations = { signIn: { title: "By version 2" } };
    const { status, body } = await iam("PUT", path, { organizationId: "acme", locale: "en", translations });
    expect([status, Object.keys(body)]).toEqual([200, ["etag"]]);
    const own = await iam("GET", `${path}?organizationId=acme&locale=en&ignoreInheritance=true`);
    expect(own.body).toEqual({ etag: body.etag, translations });
    const inForce = (await iam("GET", `${path}?locale=en`)).body.translations;
    expect(inForce.signIn).toMatchObject({ title: "By version 2", toApp: "to continue to {{.AppName}}" });
    const system = (await iam("GET", `${path}?system=true&locale=en`)).body.translations;
    expect(system.signIn.title).toBe("Sign in");
    const refused = [
      await evil("PUT", path, { instance: true, locale: "en", translations }),
      await evil("PUT", path, { organizationId: "acme", locale: "en", translations }),
      await evil("GET", `${path}?organizationId=acme&locale=en`),
      await iam("PUT", path, { locale: "xx", translations }),
      await iam("PUT", path, { locale: "en" }),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([403, 403, 403, 400, 400]);
    expect(await opened(ofEvil)).not.toContain("By version 2");
  });

  it("of a hostile organization reach neither the instance nor another organization", async () => {
    await evil("PUT", OWN, { signIn: { title: "Evil words" } });
    expect(await opened(ofEvil)).toContain("Evil words");
    expect(await opened({ redirect_uri: REDIRECT_URI })).not.toContain("Evil words");
    const refused = [
      await evil("PUT", OWN, { signIn: { title: "Evil words" } }, "acme"),
      await evil("GET", OWN, undefined, "acme"),
      await evil("PUT", INSTANCE, { signIn: { title: "Evil words" } }),
      await evil("DELETE", INSTANCE),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});
