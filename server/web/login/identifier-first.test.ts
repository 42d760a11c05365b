import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { findInstance } from "../../directory/instance";
import { setPolicy } from "../../directory/policy/policies";
import { acmeWithOpenApp, PASSWORD } from "../../testing/example";
import { answerOf, authorizePath } from "../../testing/flow";
import { byId } from "../../testing/page-samples";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

describe("the login name on a page of its own (login policy identifierFirst)", () => {
  let service: TestService;
  beforeAll(async () => {
    const navy = { id: "navy", name: "Navy", domains: [{ domain: "navy.test", verified: true, primary: true }] };
    service = await testService("sqlite", { organizations: [acmeWithOpenApp, navy] });
    await say("navy", { identifierFirst: true });
  });
  afterAll(() => service.close());

  const say = (ownerId: string, settings: { identifierFirst?: boolean }) =>
    changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, ownerId, "login", settings),
    );
  const locationOf = (response: Response) => response.headers.get("location") ?? "";
  const navy = { client_id: "open", scope: "openid urn:service:iam:org:id:navy" };

  async function open(browser: TestBrowser, address: string) {
    const html = await (await browser.get(address)).text();
    return { html, flow: new URL(address).searchParams.get("flow") ?? "", asksPassword: asksPassword(html) };
  }
  /** Whether the password is asked for, and not only present for password managers. */
  const asksPassword = (html: string) => byId(html, "password")?.tabindex === undefined;
  /** Returns login names without the markup of the part that a branding may hide. */
  const unmarked = (html: string) => html.replace(/<span class="suffix"><wbr\/>(.*?)<\/span>/g, "$1");
  const start = async (browser: TestBrowser, more: Partial<Record<string, string>> = {}) =>
    open(browser, locationOf(await browser.get(authorizePath(more))));
  const post = (browser: TestBrowser, flow: string, form: Record<string, string>) =>
    browser.post("/login/submit", { flow, ...form });

  it("follows the organization of the scope if it applies, else that of the application", async () => {
    expect((await start(service.browser(), navy)).asksPassword).toBe(false);
    expect((await start(service.browser(), { ...navy, client_id: "web" })).asksPassword).toBe(true);
    expect((await start(service.browser())).asksPassword).toBe(true);
    const { id } = await findInstance(service.ctx);
    await say(id, { identifierFirst: true });
    expect((await start(service.browser())).asksPassword).toBe(false);
    await say("acme", { identifierFirst: false });
    expect((await start(service.browser())).asksPassword).toBe(true);
    await say("acme", {});
  });

  it("asks for the name, then for the password of that name, and signs in", async () => {
    const browser = service.browser();
    const first = await start(browser);
    expect(byId(first.html, "loginName")).toMatchObject({ type: "text", autofocus: "" });
    expect(byId(first.html, "password")).toMatchObject({ autocomplete: "current-password", tabindex: "-1" });
    expect(byId(first.html, "use-passkey")).toBeDefined();
    const named = await post(browser, first.flow, { loginName: " ada@acme.test ", password: "" });
    const second = await open(browser, locationOf(named));
    expect(second.asksPassword).toBe(true);
    expect(unmarked(second.html)).toContain("For the account <bdi>ada@acme.test</bdi>");
    expect(second.html).not.toContain('role="alert"');
    expect(byId(second.html, "loginName")).toMatchObject({ value: "ada@acme.test", readonly: "", tabindex: "-1" });
    expect(byId(second.html, "password")).toMatchObject({ autofocus: "" });
    expect(byId(second.html, "use-passkey")).toBeDefined();
    const done = await post(browser, second.flow, { loginName: "ada@acme.test", password: PASSWORD });
    expect(answerOf(done).get("code")).toBeTruthy();
  });

  it("shows the same page for an unknown name", async () => {
    const pageOf = async (loginName: string) => {
      const browser = service.browser();
      const named = await post(browser, (await start(browser)).flow, { loginName, password: "" });
      const { html, flow } = await open(browser, locationOf(named));
      const wrong = await post(browser, flow, { loginName, password: "wrong wrong wrong wrong" });
      const refused = await open(browser, locationOf(wrong));
      const plain = (text: string) =>
        unmarked(text)
          .replaceAll(loginName, "NAME")
          .replace(/name="flow" value="[^"]*"|flow=[\w-]+|challenge&quot;:&quot;[\w-]+|<code>[\w-]+<\/code>/g, "");
      return [named.status, wrong.status, plain(html), plain(refused.html)];
    };
    expect(await pageOf("nobody@acme.test")).toEqual(await pageOf("ada@acme.test"));
  });

  it("signs in at once where a password manager filled in both", async () => {
    const browser = service.browser();
    const { flow } = await start(browser);
    const done = await post(browser, flow, { loginName: "ada@acme.test", password: PASSWORD });
    expect(answerOf(done).get("code")).toBeTruthy();
  });

  it("goes back to the name, and keeps the request", async () => {
    const browser = service.browser();
    const named = await post(browser, (await start(browser)).flow, { loginName: "bob", password: "" });
    const second = await open(browser, locationOf(named));
    const back = byId(second.html, "not-you")?.href ?? "";
    const again = await open(browser, new URL(back, service.config.baseUrl).href);
    expect(again.asksPassword).toBe(false);
    expect(byId(again.html, "loginName")?.value ?? "").toBe("");
    const next = await open(
      browser,
      locationOf(await post(browser, again.flow, { loginName: "ada@acme.test", password: "" })),
    );
    const done = await post(browser, next.flow, { loginName: "ada@acme.test", password: PASSWORD });
    expect(answerOf(done).get("state")).toBe("s-1");
  });

  it("skips the first page where the application knows the name (login_hint)", async () => {
    const { html, asksPassword } = await start(service.browser(), { login_hint: "ada@acme.test" });
    expect(asksPassword).toBe(true);
    expect(unmarked(html)).toContain("<bdi>ada@acme.test</bdi>");
  });

  it("reports only the missing field of each page", async () => {
    const browser = service.browser();
    const { flow } = await start(browser);
    const unnamed = await open(browser, locationOf(await post(browser, flow, { loginName: " ", password: "" })));
    expect(unnamed.asksPassword).toBe(false);
    expect(unnamed.html).toContain("Enter your email or login name");
    expect(unnamed.html).not.toContain("Enter your password");
    const named = await open(browser, locationOf(await post(browser, flow, { loginName: "ada", password: "" })));
    const empty = await open(browser, locationOf(await post(browser, named.flow, { loginName: "ada", password: "" })));
    expect(empty.html).toContain("Enter your password");
  });
});
