import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { DEVICE_GRANT, type Device, deviceBootstrap } from "../../testing/device";
import { SECRET } from "../../testing/example";
import {
  authorize,
  authorizePath,
  basic,
  errorOf,
  fillSignIn,
  postToken,
  refresh,
  type Tokens,
  userinfo,
} from "../../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("device authorization (RFC 8628) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, deviceBootstrap);
  });
  afterAll(() => service.close());

  const ask = (form: Record<string, string>, authorization?: string) =>
    service.fetch("/oauth/v2/device_authorization", {
      method: "POST",
      body: new URLSearchParams(form),
      headers: authorization === undefined ? {} : { authorization },
    });
  const start = async (scope = "openid profile offline_access", clientId = "tv") =>
    (await (await ask({ client_id: clientId, scope })).json()) as Device;
  const poll = (device: Device, clientId = "tv") =>
    postToken(service, { grant_type: DEVICE_GRANT, device_code: device.device_code, client_id: clientId }, null);
  const type = (browser: TestBrowser, code: string) => browser.post("/device/submit", { user_code: code });
  const locationOf = (response: Response) => response.headers.get("location") ?? "";
  const flowOf = (response: Response) => new URL(locationOf(response)).searchParams.get("flow") ?? "";
  const answer = (browser: TestBrowser, confirm: Response, button: "allow" | "deny") =>
    browser.post("/device/confirm/submit", { flow: flowOf(confirm), [button]: "yes" });
  /** Types the code, signs in if asked, and returns the page with the question. */
  const open = async (browser: TestBrowser, code: string, loginName?: string) => {
    const first = await type(browser, code);
    return locationOf(first).includes("/login?") ? fillSignIn(browser, first, { loginName }) : first;
  };
  const allow = async (device: Device, browser = service.browser()) =>
    answer(browser, await open(browser, device.user_code), "allow");

  it("takes the header with an empty secret that oidc-agent sends for a public client, here and while it waits", async () => {
    const header = `Basic ${Buffer.from("tv:").toString("base64")}`;
    const response = await ask({ client_id: "tv", scope: "openid profile offline_access" }, header);
    const { device_code } = (await response.json()) as Device;
    const form = { grant_type: DEVICE_GRANT, device_code, client_id: "tv" };
    expect(await errorOf(await postToken(service, form, header))).toMatchObject({ error: "authorization_pending" });
  });

  it("gives the device its codes and says where to go", async () => {
    const response = await ask({ client_id: "tv", scope: "openid" });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const device = (await response.json()) as Device;
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${BASE_URL}/device`,
      verification_uri_complete: `${BASE_URL}/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const rows = JSON.stringify(await service.ctx.db.prisma.deviceAuthorization.findMany());
    expect(rows).not.toContain(device.device_code);
    expect(rows).not.toContain(device.user_code.replace("-", ""));
  });

  it("is announced in the discovery document", async () => {
    expect(await (await service.fetch("/.well-known/openid-configuration")).json()).toMatchObject({
      device_authorization_endpoint: `${BASE_URL}/oauth/v2/device_authorization`,
      grant_types_supported: expect.arrayContaining([DEVICE_GRANT]),
    });
  });

  it.each([
    ["an app without the grant", { client_id: "spa" }, undefined, "unauthorized_client", 400],
    ["an unknown client", { client_id: "nobody" }, undefined, "invalid_client", 401],
    ["a confidential client without its secret", { client_id: "printer" }, undefined, "invalid_client", 401],
    ["a wrong secret", {}, basic("printer", `${SECRET}x`), "invalid_client", 401],
    [
      "an organization that is not there",
      { client_id: "tv", scope: "urn:service:iam:org:id:x" },
      undefined,
      "invalid_scope",
      400,
    ],
  ])("refuses %s: %s", async (_, form, authorization, error, status) => {
    expect(await errorOf(await ask(form as unknown as Record<string, string>, authorization))).toEqual({
      error,
      status,
    });
  });

  it("says on the sign-in page which app it is for", async () => {
    const browser = service.browser();
    const signIn = await type(browser, (await start()).user_code);
    expect(locationOf(signIn)).toContain("/login?flow=");
    expect(await (await browser.get(locationOf(signIn))).text()).toContain(
      "to continue to <bdi>TV &lt;b&gt;set&lt;/b&gt;</bdi>",
    );
  });

  it("lets the device in when its person signs in and allows it, once", async () => {
    const device = await start();
    expect(await errorOf(await poll(device))).toEqual({ error: "authorization_pending", status: 400 });
    const browser = service.browser();
    const confirm = await open(browser, device.user_code);
    expect(locationOf(confirm)).toContain(`${BASE_URL}/device/confirm?flow=`);
    const html = await (await browser.get(locationOf(confirm))).text();
    expect(html).toContain(device.user_code);
    expect(html).toContain("Ada Lovelace");
    expect(html).toContain("TV &lt;b&gt;set&lt;/b&gt;");
    expect(locationOf(await answer(browser, confirm, "allow"))).toBe(`${BASE_URL}/device/done?outcome=allowed`);

    service.advance(5_000);
    const response = await poll(device);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const tokens = (await response.json()) as Tokens;
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: "u-ada", aud: "tv", azp: "tv" });
    expect(await (await userinfo(service, tokens.access_token)).json()).toMatchObject({
      sub: "u-ada",
      name: "Ada Lovelace",
    });
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: "tv" };
    expect((await postToken(service, form, null)).status).toBe(200);
    expect((await refresh(service, tokens.refresh_token)).status).toBe(400); // as another client
    service.advance(5_000);
    expect(await errorOf(await poll(device))).toEqual({ error: "invalid_grant", status: 400 });
  });

  it("gives the tokens to one of 10 polls at once", async () => {
    const device = await start();
    await allow(device);
    service.advance(60_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(device)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("informs the device of a denial: access_denied", async () => {
    const device = await start();
    const browser = service.browser();
    const confirm = await open(browser, device.user_code);
    expect(locationOf(await answer(browser, confirm, "deny"))).toContain("outcome=denied");
    expect((await errorOf(await poll(device))).error).toBe("access_denied");
    expect(locationOf(await answer(browser, confirm, "allow"))).toContain("outcome=too-late");
  });

  it("ends with the session that allowed it, unless the device has offline access", async () => {
    const ends = await start("openid profile");
    const stays = await start("openid profile offline_access");
    const browser = service.browser();
    for (const device of [ends, stays]) await allow(device, browser);
    await browser.post("/logout/submit", {});
    expect((await errorOf(await poll(ends))).error).toBe("invalid_grant");
    expect(await (await poll(stays)).json()).toMatchObject({ refresh_token: expect.any(String) });
  });

  it("bounds guesses: after ten wrong codes not even the right one is looked at", async () => {
    const device = await start();
    const browser = service.browser();
    for (let guess = 0; guess < 10; guess++) await type(browser, "BCDF-GHJK");
    const blocked = await type(browser, device.user_code);
    expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, "60"]);
    service.advance(61_000);
    expect(locationOf(await type(browser, device.user_code))).toContain("/login?flow=");
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("issues a refresh token and an id_token only on request", async () => {
    const device = await start("profile");
    await allow(device);
    const tokens = (await (await poll(device)).json()) as Partial<Tokens>;
    expect([tokens.id_token, tokens.refresh_token, tokens.scope]).toEqual([undefined, undefined, "profile"]);
  });

  it("slows a device down that polls too fast: slow_down, and 5 seconds longer", async () => {
    const device = await start();
    expect((await errorOf(await poll(device))).error).toBe("authorization_pending");
    service.advance(4_000);
    expect((await errorOf(await poll(device))).error).toBe("slow_down");
    service.advance(9_000);
    expect((await errorOf(await poll(device))).error).toBe("slow_down");
    service.advance(15_000);
    expect((await errorOf(await poll(device))).error).toBe("authorization_pending");
  });

  it("ends after its time: expired_token, and the code opens nothing", async () => {
    const device = await start();
    service.advance(600_000);
    expect((await errorOf(await poll(device))).error).toBe("expired_token");
    expect((await type(service.browser(), device.user_code)).status).toBe(422);
  });

  it("issues nothing to another client: invalid_grant", async () => {
    const device = await start();
    await allow(device);
    expect((await errorOf(await poll(device, "closed"))).error).toBe("invalid_grant");
    expect((await poll(device)).status).toBe(200);
  });

  it("belongs to the first session that opens the code", async () => {
    const device = await start();
    const [ada, bob] = [service.browser(), service.browser()];
    const first = await open(ada, device.user_code);
    const second = await open(bob, device.user_code, "bob@acme.test");
    expect((await bob.get(locationOf(second))).headers.get("location")).toContain("outcome=too-late");
    expect(locationOf(await answer(bob, second, "allow"))).toContain("outcome=too-late");
    expect(locationOf(await answer(bob, first, "allow"))).toContain("outcome=too-late"); // Ada's flow, Bob's browser
    expect((await errorOf(await poll(device))).error).toBe("authorization_pending");
    expect(locationOf(await answer(ada, first, "allow"))).toContain("outcome=allowed");
  });

  it.each(["allow", "deny"] as const)(
    "repeats the result to the user who presses %s twice, and to nobody else",
    async (button) => {
      const device = await start();
      const browser = service.browser();
      const confirm = await open(browser, device.user_code);
      const outcome = button === "allow" ? "outcome=allowed" : "outcome=denied";
      const both = await Promise.all([answer(browser, confirm, button), answer(browser, confirm, button)]);
      expect(both.map(locationOf)).toEqual([expect.stringContaining(outcome), expect.stringContaining(outcome)]);
      expect(locationOf(await answer(browser, confirm, button))).toContain(outcome);
      const other = button === "allow" ? "deny" : "allow";
      expect(locationOf(await answer(browser, confirm, other))).toContain("outcome=too-late");
      expect(locationOf(await answer(service.browser(), confirm, button))).toContain("outcome=too-late");
    },
  );

  it("asks even a signed-in user, and allows nothing when a link is opened", async () => {
    const device = await start();
    const browser = service.browser();
    await authorize(browser);
    const page = await browser.get(
      new URL(device.verification_uri_complete).pathname + new URL(device.verification_uri_complete).search,
    );
    expect([page.status, (await page.text()).includes(`value="${device.user_code}"`)]).toEqual([200, true]);
    const confirm = await type(browser, device.user_code.toLowerCase().replace("-", " "));
    expect((await browser.get(locationOf(confirm))).status).toBe(200);
    expect((await errorOf(await poll(device))).error).toBe("authorization_pending");
  });

  it("lets a user with two sessions choose the account of the device", async () => {
    const device = await start();
    const browser = service.browser();
    await authorize(browser);
    await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), { loginName: "bob" });
    const asked = await type(browser, device.user_code);
    expect(locationOf(asked)).toContain("/login/select-account?flow=");
    const session = await service.ctx.db.prisma.session.findFirst({
      where: { userId: "u-bob", endedAt: null },
      orderBy: { createdAt: "desc" },
    });
    const form = { flow: flowOf(asked), session: session?.id ?? "" };
    const confirm = await browser.post("/login/select-account/submit", form);
    expect(locationOf(await answer(browser, confirm, "allow"))).toContain("outcome=allowed");
    const tokens = (await (await poll(device)).json()) as Tokens;
    expect(decodeJwt(tokens.id_token).sub).toBe("u-bob");
  });

  it("rejects users of other organizations if a scope or the project does", async () => {
    const restricted = await start("openid urn:service:iam:org:id:other");
    const refused = await open(service.browser(), restricted.user_code);
    expect(locationOf(refused)).toContain("/login?flow=");
    const closed = await start("openid", "closed");
    const browser = service.browser();
    const confirm = await open(browser, closed.user_code);
    expect(locationOf(await answer(browser, confirm, "allow"))).toContain("outcome=not-admitted");
    expect((await errorOf(await poll(closed, "closed"))).error).toBe("access_denied");
  });

  it("takes the form from its own pages only", async () => {
    const device = await start();
    const body = new URLSearchParams({ user_code: device.user_code });
    const headers = { origin: "https://evil.test" };
    expect((await service.fetch("/device/submit", { method: "POST", body, headers })).status).toBe(403);
  });

  it("says what is wrong with a code, in the language of the page", async () => {
    const browser = service.browser();
    const missing = await browser.post("/device/submit", { user_code: " " });
    expect([missing.status, await missing.text()]).toEqual([422, expect.stringContaining("Enter the code")]);
    const wrong = await browser.post("/device/submit", { user_code: "BBBB-BBBB", ui_locales: "de" });
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining("Dieser Code stimmt nicht")]);
    const done = await browser.get("/device/done?outcome=%3Cscript%3E&ui_locales=de");
    expect([done.status, await done.text()]).toEqual([410, expect.stringContaining("Dieser Code gilt nicht mehr")]);
  });
});
