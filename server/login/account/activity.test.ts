import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { record } from "../../events/record";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { attribute } from "../../testing/factors";
import { authorize, redeem } from "../../testing/flow";
import { atHome } from "../../testing/own-account";
import { type TestService, testService } from "../../testing/test-context";
import { listOwnActivity } from "./activity";

describe.each(ruleDatabases)("what happened to an account on %s (ASVS 6.3.5)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const kinds = async (id: string) =>
    (await listOwnActivity(service.ctx, { id, organizationId: "acme" })).entries.map((entry) => entry.kind);

  it("lists events newest first, with their actors", async () => {
    const home = await atHome(service);
    await home.press(await home.page("security"), "enable-mail");
    const { entries } = await listOwnActivity(service.ctx, { ...home, organizationId: "acme" });
    expect(entries.map(({ kind: what }) => what)).toEqual(["factorAdded", "signedIn", "created"]);
    expect(entries.map(({ bySomebodyElse }) => bySomebodyElse)).toEqual([false, false, true]);
    const html = await home.page("activity");
    expect(html.indexOf("Second step added")).toBeLessThan(html.indexOf("Signed in"));
    expect(html).toContain("Done by an administrator");
  });

  it("distinguishes a change of the address from one of the profile, and names applications", async () => {
    const home = await atHome(service);
    const code = (await authorize(home.browser)).get("code") ?? "";
    await redeem(service, code);
    await home.press(await home.page("apps"), "disconnect-1");
    const { browser, session } = home;
    await browser.post("/account/profile/submit", { session, givenName: "Eve" });
    const change = (payload: object) =>
      record(
        { ...service.ctx, origin: { actor: home.id } },
        {
          type: "user.changed",
          object: { id: home.id, organizationId: "acme" },
          state: async () => ({ payload: payload as never }),
        },
      );
    await change({ isEmailVerified: { from: false, to: true } });
    await change({ email: { from: "a@acme.test", to: "b@acme.test" } });
    expect((await kinds(home.id)).slice(0, 4)).toEqual([
      "emailChanged",
      "emailConfirmed",
      "profileChanged",
      "appDisconnected",
    ]);
    const html = await home.page("activity");
    expect(html).toContain("b@acme.test");
    expect(html).not.toContain("a@acme.test");
    expect(html).toContain("App web");
  });

  it("shows times in the user's zone and language, and in UTC without a zone", async () => {
    const home = await atHome(service);
    expect(await home.page("activity")).toContain("Time zone: UTC");
    const { browser, session } = home;
    await browser.post("/account/profile/submit", { session, language: "de", timeZone: "Pacific/Kiritimati" });
    const html = await home.page("activity");
    expect(html).toContain("Zeitzone: Pacific/Kiritimati");
    const [at] = (await listOwnActivity(service.ctx, { ...home, organizationId: "acme" })).entries.map(
      (entry) => entry.at,
    );
    const style = { dateStyle: "medium", timeStyle: "short", timeZone: "Pacific/Kiritimati" } as const;
    expect(html).toContain(`>${new Intl.DateTimeFormat("de", style).format(at)}</time>`);
  });

  it("goes back page by page, each entry once", async () => {
    const home = await atHome(service);
    const { browser, session } = home;
    for (let change = 0; change < 28; change++) {
      await browser.post("/account/profile/submit", { session, nickname: `N${change}` });
    }
    const html = await home.page("activity");
    expect(html.match(/<time /g)).toHaveLength(25);
    const older = await (await browser.get(attribute(html, "older", "href"))).text();
    expect(older.match(/<time /g)).toHaveLength(5);
    expect(older).not.toContain(`id="older"`);
    expect(attribute(older, "newest", "href")).toBe(`/account/activity?session=${session}`);
    for (const wish of ["x", "-1", "9".repeat(40), "1e3"]) {
      const answer = await browser.get(`/account/activity?session=${session}&before=${wish}`);
      expect(answer.status).toBe(200);
    }
  });
});
