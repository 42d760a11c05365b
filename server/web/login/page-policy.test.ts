import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { findInstance } from "../../directory/instance";
import { setPolicy } from "../../directory/policy/policies";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { answerOf, authorizePath, letIn } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { byId } from "../../testing/page-samples";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const nina = {
  id: "nina",
  userName: "nina",
  password: PASSWORD,
  profile: { firstName: "Nina", lastName: "Navy" },
  email: { email: "nina@mail.test", isEmailVerified: true },
};

describe("a page's login policy: another organization cannot lock out an organization's users", () => {
  let service: TestService;
  beforeAll(async () => {
    const navy = { id: "navy", name: "Navy", domains: [{ domain: "navy.test", verified: true, primary: true }] };
    service = await testService("sqlite", { organizations: [acme, { ...navy, users: [nina] }] });
  });
  afterAll(() => service.close());

  const say = (ownerId: string, settings: { allowUsernamePassword?: boolean; hidePasswordReset?: boolean }) =>
    changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, ownerId, "login", settings),
    );
  const open = async (browser: TestBrowser, path: string) => {
    const location = (await browser.get(path)).headers.get("location") ?? "";
    const page = location.includes("/oauth/v2/authorize")
      ? (await browser.get(location)).headers.get("location")
      : location;
    return {
      flow: new URL(page ?? "").searchParams.get("flow") ?? "",
      html: await (await browser.get(page ?? "")).text(),
    };
  };
  const asksPassword = ({ html }: { html: string }) => byId(html, "password") !== undefined;
  const signIn = async (loginName: string, path: string) => {
    const browser = service.browser();
    const { flow } = await open(browser, path);
    return browser.post("/login/submit", { flow, loginName, password: PASSWORD });
  };

  it("the console and the own account follow the instance, not the default organization", async () => {
    await say("acme", { allowUsernamePassword: false });
    for (const path of ["/console/sign-in", "/account"]) {
      expect(asksPassword(await open(service.browser(), path))).toBe(true);
      const signedIn = await signIn("nina@navy.test", path);
      expect(signedIn.headers.get("location")).not.toMatch(/\/login\?/);
      const refused = await signIn("ada@acme.test", path);
      expect(refused.headers.get("location")).toMatch(/\/login\?/);
    }
    const { id } = await findInstance(service.ctx);
    await say(id, { allowUsernamePassword: false });
    expect(asksPassword(await open(service.browser(), "/console/sign-in"))).toBe(false);
    await say(id, {});
    await say("acme", {});
  });

  it("an application's page follows its organization, and the password that is posted the person's own", async () => {
    expect(asksPassword(await open(service.browser(), authorizePath()))).toBe(true);
    await say("navy", { allowUsernamePassword: false });
    expect(asksPassword(await open(service.browser(), authorizePath()))).toBe(true);
    expect(answerOf(await signIn("ada@acme.test", authorizePath())).get("code")).not.toBeNull();
    expect(answerOf(await signIn("nina@navy.test", authorizePath())).get("code")).toBeNull();
    await say("navy", {});
    const browser = service.browser();
    const { flow } = await open(browser, authorizePath());
    await say("acme", { allowUsernamePassword: false });
    expect(asksPassword(await open(service.browser(), authorizePath()))).toBe(false);
    const answer = await browser.post("/login/submit", { flow, loginName: "nina@navy.test", password: PASSWORD });
    expect(answerOf(await letIn(browser, answer)).get("code")).not.toBeNull();
    await say("acme", {});
  });

  it("a new password follows the policy of the user's own organization, in any flow", async () => {
    const minLength = (ownerId: string, length: number) =>
      changeDirectory(service.ctx, (ctx) =>
        setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, ownerId, "password", {
          minLength: length,
        }),
      );
    await minLength("acme", 40);
    await minLength("navy", 12);
    const browser = service.browser();
    const { flow } = await open(browser, authorizePath());
    await browser.post("/login/forgot-password/submit", { flow, loginName: "nina@navy.test" });
    const { path } = await lastMailTo(service, "nina@mail.test");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    const short = await browser.post("/login/reset-password/submit", { token, password: "kelp-ox-tram".slice(0, 11) });
    expect(await short.text()).toContain("12");
    const done = await browser.post("/login/reset-password/submit", { token, password: "kelp-ox-tram-9" });
    expect(done.headers.get("location")).toContain("/login/done");
  });
});
