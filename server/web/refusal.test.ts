import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { newPerson } from "../testing/factors";
import { authorizePath } from "../testing/flow";
import { type AtHome, atHome } from "../testing/own-account";
import { byId, tagsOf } from "../testing/page-samples";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const MINUTE = 60_000;

describe("A rejected form (form → 303 → page)", () => {
  let service: TestService;
  let own: AtHome;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    own = await atHome(service);
  });
  afterAll(() => service.close());

  /** Posts like a browser, without following redirects. */
  async function post(
    path: string,
    form: Record<string, string>,
    cookies = new Map<string, string>(),
  ): Promise<string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = new URLSearchParams(form);
    const answer = await service.fetch(path, { method: "POST", body, headers: { origin: BASE_URL, cookie } });
    expect(answer.status).toBe(303);
    return (answer.headers.get("location") ?? "").slice(BASE_URL.length);
  }
  async function refuseRegistration(email = "grace"): Promise<string> {
    const first = await service.fetch(authorizePath({ prompt: "create" }));
    const flow = new URL(first.headers.get("location") ?? "", BASE_URL).searchParams.get("flow") ?? "";
    const typed = { email, givenName: "Grace", familyName: "", password: "the lamp by the river" };
    return post("/login/create-account/submit", { flow, ui_locales: "de", ...typed });
  }
  const refuseProfile = () =>
    post("/account/profile/submit", { session: own.session, nickname: "I\u202eda" }, own.browser.cookies);
  const textOf = async (path: string) => (await service.fetch(path)).text();
  const hasProblem = (html: string) => html.includes('role="alert"');

  it("redirects to its page, which can be reloaded, with the typed values except the password", async () => {
    const page = await refuseRegistration();
    for (const _ of [1, 2]) {
      const html = await textOf(page);
      expect(byId(html, "givenName")?.value).toBe("Grace");
      expect(byId(html, "password")?.value).toBeUndefined();
      expect(hasProblem(html)).toBe(true);
      expect(html).toContain('lang="de"');
    }
    // As a value of its own, or the password in any escaping: the sealed rest is random, and may contain a short word.
    expect(page).not.toMatch(/=grace\b|the.{1,3}lamp/i);
  });

  it("shows the same in another language", async () => {
    const page = await refuseRegistration();
    const html = await textOf(page.replace("ui_locales=de", "ui_locales=fr"));
    expect(html).toContain('lang="fr"');
    expect(hasProblem(html)).toBe(true);
    const kept = tagsOf(html).find(({ name }) => name === "refused");
    expect(page).toContain(kept?.value);
  });

  it("shows no more of the typed values than an address can contain", async () => {
    const page = await refuseRegistration("𝒜".repeat(1_000));
    expect(page.length).toBeLessThan(8_000);
    expect(hasProblem(await textOf(page))).toBe(true);
  });

  it("has no effect on another page, and expires", async () => {
    const page = await refuseRegistration();
    const refused = new URL(page, BASE_URL).searchParams.get("refused") ?? "";
    expect(hasProblem(await textOf(`/login/forgot-password?refused=${refused}`))).toBe(false);
    expect((await service.fetch(`/login?flow=${refused}`)).status).toBe(410);
    for (const made of ["", "AAAA", "\u0000"]) {
      const path = `/login/create-account?${new URLSearchParams({ refused: made })}`;
      expect(hasProblem(await textOf(path))).toBe(false);
    }
    expect(hasProblem(await textOf(`/login/create-account?refused=${refused}`))).toBe(true);
    service.advance(31 * MINUTE);
    expect(hasProblem(await textOf(`/login/create-account?refused=${refused}`))).toBe(false);
    service.advance(-31 * MINUTE);
  });

  it("is not shown to other users at the same address", async () => {
    const page = await refuseProfile();
    expect(hasProblem(await (await own.browser.get(page)).text())).toBe(true);
    const other = await atHome(service, await newPerson(service, PASSWORD));
    const theirs = page.replace(own.session, other.session);
    const html = await (await other.browser.get(theirs)).text();
    expect(html).toContain('id="nickname"');
    expect(hasProblem(html)).toBe(false);
  });
});
